// Features of all commands: global options, the printer and confirmation prompts.
import { Option, type Command } from 'commander';
import type { GlobalOptions } from './connect.js';
import { usageError } from './exit-code.js';
import { createPrinter, type Printer } from './output.js';
import type { World } from './world.js';

const GLOBALS: readonly (readonly [flags: string, about: string])[] = [
  ['--json', 'Output JSON (default when piped)'],
  ['--profile <name>', 'Profile to use instead of the current one'],
  ['--url <url>', 'URL of the Mailkeel server'],
  ['--sub-tenant <id>', 'Act for a sub-tenant: its ID, or external:<your-id>'],
  ['--workspace <id>', 'Workspace to use (sessions only)'],
  ['--test', 'Use the sandbox'],
  ['--live', 'Use the live environment'],
  ['--yes', 'Skip confirmation prompts'],
  ['--no-color', 'Disable colored output'],
];

/** Options of all commands that a value follows, by name. */
export const GLOBALS_WITH_VALUE: readonly string[] = GLOBALS.filter(([flags]) => flags.includes('<')).map(
  ([flags]) => flags.split(' ')[0] ?? '',
);

/** Adds the global options, except those whose name the command's own option has. */
export function addGlobals(command: Command, isTop = false): Command {
  for (const [flags, about] of GLOBALS) {
    const option = new Option(flags, about);
    if (!isTop) option.helpGroup('Global options:');
    const isTaken = command.options.some(({ long }) => long === option.long);
    if (!isTaken) command.addOption(option);
  }
  return command;
}

/**
 * Global options given after the command override those before it. An operation's option with the name of a global option is not
 * global.
 */
export function globalsOf(command: Command, taken: readonly string[] = []): GlobalOptions {
  const own = command.opts<GlobalOptions & Record<string, unknown>>();
  let top = command;
  while (top.parent !== null) top = top.parent;
  const before = top.opts<GlobalOptions>();
  const mine = Object.fromEntries(
    Object.entries(own).filter(([name, value]) => {
      const isDefault = command.getOptionValueSource(name) === 'default';
      return !taken.includes(name) && value !== undefined && !isDefault;
    }),
  );
  return { ...before, ...mine };
}

export interface Running {
  globals: GlobalOptions;
  printer: Printer;
}

export function running(world: World, command: Command, taken: readonly string[] = []): Running {
  const globals = globalsOf(command, taken);
  return { globals, printer: createPrinter(world, globals) };
}

/** Asks for confirmation unless --yes was passed. Without a terminal, --yes is required. */
export async function confirm(
  world: World,
  { yes }: GlobalOptions,
  asked: string | (() => Promise<string>),
): Promise<void> {
  if (yes === true) return;
  const question = typeof asked === 'string' ? asked : await asked();
  if (!world.isInteractive) {
    throw usageError(
      `${question} Can't ask for confirmation in a non-interactive session.`,
      'Pass --yes to confirm.',
    );
  }
  if (!(await world.prompts.confirm(question))) throw usageError('Canceled.');
}
