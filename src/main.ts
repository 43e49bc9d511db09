#!/usr/bin/env node
// The server's entry. Sets what Node is to do with memory before anything large is loaded, so that `node dist/main.js` is as
// small as `npm start` (docs/adr/0095-memory-and-start.md).
import { requireNode } from './lib/runtime/node-version.js';
import { productVersion } from './lib/runtime/version.js';
import { limitMemory } from './settings/memory-flags.js';

const EXIT_USAGE = 2;
const USAGE = `Usage: node dist/main.js [--roles NAMES]

Starts the server. Settings come from the environment (MAILKEEL_...) and from the file that
MAILKEEL_CONFIG names: docs/config.md.

  --roles    what this node does, where several work on one database: MAILKEEL_ROLES
  --help     prints this
  --version  prints the release

Commands for operators: npm run mailkeel -- doctor, npm run mailkeel -- admin --help
`;

async function main(): Promise<void> {
  const [argument, value, ...more] = process.argv.slice(2);
  const isRoles = argument === '--roles' && value !== undefined && value !== '' && more.length === 0;
  const roles = isRoles ? value : undefined;
  if (argument !== undefined && !isRoles) {
    answer(argument);
    return;
  }
  requireNode();
  limitMemory();
  const { runServer } = await import('./app/run-server.js');
  await runServer(roles);
}

/** Of the command line, but for what the server takes. */
function answer(argument: string): void {
  if (argument === '--help') process.stdout.write(USAGE);
  else if (argument === '--version') process.stdout.write(`${productVersion()}\n`);
  else {
    const problem =
      argument === '--roles'
        ? 'Give --roles one list of names, such as --roles api,mta.'
        : `The server takes no argument ${argument}. See --help.`;
    process.stderr.write(`mailkeel: ${problem}\n`);
    process.exitCode = EXIT_USAGE;
  }
}

main().catch((error: unknown) => {
  // The program cannot be loaded: the SQLite library or a file of dist/ is missing.
  process.stderr.write(`mailkeel: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
