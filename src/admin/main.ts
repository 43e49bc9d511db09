#!/usr/bin/env node
// The `mailkeel` command.
import { text } from 'node:stream/consumers';
import { requireNode, systemClock } from '../lib/runtime/index.js';

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // The reader of `mailkeel ... | head` may exit early; the command still completes.
    if (error.code !== 'EPIPE') throw error;
  });
}

requireNode();
const { loadProcessConfig } = await import('../settings/process-config.js');
const { runCommandLine } = await import('./program.js');
process.exitCode = await runCommandLine(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  readStdin: () => text(process.stdin),
  loadConfig: loadProcessConfig,
  clock: systemClock,
  exitCode: 0,
});
