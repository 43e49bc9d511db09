// Questions to a person at a terminal. Loaded when the first one is asked.
import { CommandError, EXIT } from './exit-code.js';
import type { Prompts } from './world.js';

/** They are asked on standard error: standard output is the answer's. */
const output = process.stderr;

export const prompts: Prompts = {
  async text(question, initial) {
    const { text } = await import('@clack/prompts');
    const asked = initial === undefined ? {} : { placeholder: initial, defaultValue: initial };
    return answered(await text({ message: question, output, ...asked }));
  },
  async secret(question) {
    const { password } = await import('@clack/prompts');
    return answered(await password({ message: question, output }));
  },
  async confirm(question) {
    const { confirm } = await import('@clack/prompts');
    return answered(await confirm({ message: question, output, initialValue: false }));
  },
};

/** A question that the person breaks off has no answer. */
function answered<T>(answer: T): Exclude<T, symbol> {
  if (typeof answer === 'symbol') throw new CommandError(EXIT.interrupted, 'interrupted', 'Canceled.');
  return answer as Exclude<T, symbol>;
}
