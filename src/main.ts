#!/usr/bin/env node
// The server's entry. Sets what Node is to do with memory before anything large is loaded, so that `node dist/main.js` is as
// small as `npm start` (docs/adr/0095-memory-and-start.md).
import { limitMemory } from './settings/memory-flags.js';

async function main(): Promise<void> {
  limitMemory();
  const { runServer } = await import('./app/run-server.js');
  await runServer();
}

main().catch((error: unknown) => {
  // The program itself cannot be loaded: the SQLite library is missing, or a file of dist/ is.
  process.stderr.write(`posthorn: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
