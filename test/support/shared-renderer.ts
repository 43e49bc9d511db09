// One renderer for all programs that run in the process of a test: its thread loads for an eighth of a second what it renders with.
import { createRenderer, type Renderer } from '../../src/templates/rendering/renderer.js';

let shared: Renderer | null = null;

/** With one thread. No program closes it: it ends with the process. */
export function sharedRenderer(): Renderer {
  shared ??= { ...createRenderer({ threads: 1 }), close: () => Promise.resolve() };
  return shared;
}
