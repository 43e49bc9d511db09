// One renderer for all programs in the test process, because its thread takes an eighth of a second to load its libraries.
import { createRenderer, type Renderer } from '../../src/templates/rendering/renderer.js';

let shared: Renderer | null = null;

/** With one thread. No program closes it, and it ends with the process. */
export function sharedRenderer(): Renderer {
  shared ??= { ...createRenderer({ threads: 1 }), close: () => Promise.resolve() };
  return shared;
}
