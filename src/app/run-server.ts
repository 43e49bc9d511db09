// Runs the server process: configuration, start, start-up banner and orderly shutdown.
import { DataProblems } from '../lib/config/index.js';
import { ConfigProblems } from '../settings/load.js';
import { giveStartMemoryBack } from '../settings/memory-flags.js';
import { loadProcessConfig } from '../settings/process-config.js';
import { createLog, installShutdown } from '../lib/runtime/index.js';
import { startServer } from './appliance.js';
import { startUpBanner } from './start-up-banner.js';

const EXIT_FAILED = 1;
const EXIT_CONFIGURATION = 2;

/** Starts the server of this process. `roles` overrides the settings. If it cannot start, ends the process with a sentence. */
export async function runServer(roles?: string): Promise<void> {
  try {
    await start(roles);
  } catch (error) {
    process.stderr.write(`mailkeel: ${failureReason(error)}\n`);
    process.exit(
      error instanceof ConfigProblems || error instanceof DataProblems ? EXIT_CONFIGURATION : EXIT_FAILED,
    );
  }
}

async function start(roles?: string): Promise<void> {
  const { config, withoutEffect, tuning } = loadProcessConfig(roles);
  const log = createLog(config.logLevel);
  if (withoutEffect.length > 0)
    log.warn(
      { variables: withoutEffect },
      'settings ignored: remove these variables, which have no effect in this release',
    );
  if (tuning !== null) log.warn('MAILKEEL_TUNING is set: intended for tests only');
  const server = await startServer(config, log, {
    readConfig: () => loadProcessConfig(roles).config,
    // Exits immediately, as if killed, because the other server has taken back the leases and nothing may be written about them.
    // The supervisor restarts this server, which then stands by.
    onDatabaseTaken: () => process.exit(EXIT_FAILED),
  });
  const graceMs = config.shutdownDrainMs + config.shutdownGraceMs;
  installShutdown({ steps: server.closing, graceMs, log });
  process.on('SIGHUP', () => void server.reload());
  process.stdout.write(`${startUpBanner(server, config)}\n`);
  giveStartMemoryBack();
}

/** Returns the reason why the server did not start, in a sentence that says what to do. */
function failureReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, address, port } = error as Error & { code?: string; address?: string; port?: number };
  const where = `${String(address)}, port ${String(port)} (MAILKEEL_HTTP_HOST, MAILKEEL_HTTP_PORT)`;
  if (code === 'EADDRINUSE') return `Another program is already listening on ${where}.`;
  if (code === 'EACCES' && port !== undefined) return `No permission to listen on ${where}.`;
  if (code === 'EADDRNOTAVAIL') return `This machine does not have this address: ${where}.`;
  if (code === 'SQLITE_NOTADB' || code === 'SQLITE_CORRUPT') {
    return `The database mail.db in the data folder is damaged: ${error.message}. Restore it from a backup.`;
  }
  return error.message;
}
