#!/usr/bin/env node
// The server: configuration, start, the block that says how to go on, and an orderly end.
import { ConfigProblems } from './runtime/config/load.js';
import { loadProcessConfig } from './runtime/config/process-config.js';
import { createLog } from './runtime/log.js';
import { installShutdown } from './runtime/shutdown.js';
import { startServer } from './server.js';
import { startBlock } from './start-block.js';

const EXIT_FAILED = 1;
const EXIT_CONFIGURATION = 2;

async function main(): Promise<void> {
  const { config } = loadProcessConfig();
  const log = createLog(config.logLevel);
  const server = await startServer(config, log);
  installShutdown({ steps: server.closing, graceMs: config.shutdownGraceMs, log });
  process.stdout.write(`${startBlock(server, config)}\n`);
}

main().catch((error: unknown) => {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`posthorn: ${message}\n`);
  process.exit(error instanceof ConfigProblems ? EXIT_CONFIGURATION : EXIT_FAILED);
});
