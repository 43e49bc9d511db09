// A progress bar on standard error, shown only on a terminal. Not from the prompts package, whose bar captures the keyboard and
// exits with 0 on Ctrl-C.
import type { Printer } from './output.js';
import type { World } from './world.js';

export interface Progress {
  /** `part` is from 0 to 1. */
  at(part: number, text: string): void;
  /** The bar gives way to this line. */
  end(text: string): void;
}

const CELLS = 30;
/** To the begin of the line, which is emptied. */
const ANEW = '\r\u001b[K';

export function startProgress({ stderr }: World, printer: Printer, title: string): Progress {
  if (printer.isJson || stderr.isTTY !== true) return { at: () => undefined, end: () => undefined };
  const draw = (part: number, text: string): void => {
    const full = Math.round(Math.min(1, part) * CELLS);
    const bar = printer.paint('green', '█'.repeat(full)) + printer.paint('dim', '░'.repeat(CELLS - full));
    const percent = `${Math.floor(Math.min(1, part) * 100)} %`.padStart(5);
    stderr.write(`${ANEW}${title} ${bar} ${percent}  ${text}`);
  };
  draw(0, '');
  return { at: draw, end: (text) => void stderr.write(`${ANEW}${text}\n`) };
}

const DONE = ['completed', 'failed', 'canceled'];
const FIRST_LOOK_MS = 100;
const LONGEST_LOOK_MS = 2_000;

/** Polls a job at increasing intervals until it ends. `seen` receives each state. */
export async function untilEnded<T extends { status: string }>(
  { sleep, signal }: Pick<World, 'sleep' | 'signal'>,
  begun: T,
  { read, seen }: { read: () => PromiseLike<T>; seen: (state: T) => void },
): Promise<T> {
  let state = begun;
  for (
    let pauseMs = FIRST_LOOK_MS;
    !DONE.includes(state.status);
    pauseMs = Math.min(pauseMs * 2, LONGEST_LOOK_MS)
  ) {
    await sleep(pauseMs);
    signal.throwIfAborted();
    state = await read();
    seen(state);
  }
  return state;
}
