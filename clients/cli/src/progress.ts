// A bar for what takes a while; nothing where nobody looks.
import type { Printer } from './output.js';
import type { World } from './world.js';

export interface Progress {
  /** `part` is from 0 to 1. */
  at(part: number, text: string): void;
  end(text: string): void;
}

const STEPS = 100;

export async function startProgress(world: World, { isJson }: Printer, title: string): Promise<Progress> {
  if (isJson || world.stderr.isTTY !== true) return { at: () => undefined, end: () => undefined };
  const { progress } = await import('@clack/prompts');
  const bar = progress({ max: STEPS, style: 'block' });
  let shown = 0;
  bar.start(title);
  return {
    at: (part, text) => {
      const step = Math.floor(part * STEPS);
      bar.advance(Math.max(0, step - shown), text);
      shown = Math.max(shown, step);
    },
    end: (text) => {
      bar.advance(STEPS - shown);
      bar.stop(text);
    },
  };
}
