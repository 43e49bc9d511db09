#!/usr/bin/env node
// The server's entry. Sets what Node is to do with memory before anything large is loaded, so that `node dist/main.js` is as
// small as `npm start` (docs/adr/0095-memory-and-start.md).
import { productVersion, requireNode } from './lib/runtime/index.js';
import { limitMemory } from './settings/memory-flags.js';

const EXIT_USAGE = 2;
const USAGE = `Usage: node dist/main.js [--roles NAMES]
Starts the Mailkeel server. Configure it with MAILKEEL_... environment variables or the file in
MAILKEEL_CONFIG (see docs/config.md).
  --roles    Roles of this node if several nodes share a database (overrides MAILKEEL_ROLES)
  --help     Show this help
  --version  Show the release
Operator commands: npm run mailkeel -- doctor, npm run mailkeel -- admin --help
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
        ? '--roles requires a comma-separated list, for example --roles api,mta.'
        : `Unknown argument: ${argument}. Run with --help for usage.`;
    process.stderr.write(`mailkeel: ${problem}\n`);
    process.exitCode = EXIT_USAGE;
  }
}

main().catch((error: unknown) => {
  // The program cannot be loaded: the SQLite library or a file of dist/ is missing.
  process.stderr.write(`mailkeel: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
