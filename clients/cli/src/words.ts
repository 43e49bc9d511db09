// The words of a command line before Commander reads them: which noun is asked for, and names written with underscores.
import type { Command } from 'commander';
import { GLOBALS_WITH_VALUE } from './command.js';

const dashed = (name: string): string => name.replaceAll('_', '-');

/** Finds the first word that is neither an option nor an option's value. After `help`, it is the next word, whose help is shown. */
export function firstWord(args: readonly string[]): string | null {
  let isValue = false;
  for (const arg of args) {
    if (isValue) isValue = false;
    else if (arg.startsWith('-')) isValue = GLOBALS_WITH_VALUE.includes(dashed(arg));
    else if (arg !== 'help') return arg;
  }
  return null;
}

/**
 * Accepts underscores in option names, because fields of the API have them. Only option names are changed, because values may begin
 * with dashes and contain underscores.
 */
export function withDashes(program: Command, args: readonly string[]): string[] {
  let command = program;
  let isValue = false;
  let isOver = false;
  return args.map((arg) => {
    if (isValue || isOver) {
      isValue = false;
      return arg;
    }
    if (arg === '--') isOver = true;
    if (!arg.startsWith('-')) {
      command = command.commands.find((one) => one.name() === arg || one.aliases().includes(arg)) ?? command;
      return arg;
    }
    const [given = ''] = arg.split('=', 1);
    const name = dashed(given);
    const option = command.options.find(({ long, short }) => long === name || short === given);
    if (option === undefined) return arg;
    isValue = option.required && given === arg;
    return option.long === name ? name + arg.slice(given.length) : arg;
  });
}
