// The command line as a whole: which commands there are, and how an error becomes an exit code.
import { Command, CommanderError } from 'commander';
import { posthornVersion } from '../runtime/version.js';
import { addAdminAudit } from './admin-audit.js';
import { addAdminBackup } from './admin-backup.js';
import { addAdminBootstrap } from './admin-bootstrap.js';
import { addAdminClassify } from './admin-classify.js';
import { addAdminConfig } from './admin-config.js';
import { addAdminDns } from './admin-dns.js';
import { addAdminInbound } from './admin-inbound.js';
import { addAdminKeys } from './admin-keys.js';
import { addAdminMigrate } from './admin-migrate.js';
import { addAdminPeople } from './admin-people.js';
import { addAdminPlan } from './admin-plan.js';
import { addAdminShaping } from './admin-shaping.js';
import { addAdminVacuum } from './admin-vacuum.js';
import { addDoctor } from './doctor.js';
import { EXIT, failureOf } from './exit-code.js';
import { addProofVerify } from './proof-verify.js';
import type { Terminal } from './terminal.js';

const INFORMATIVE = ['commander.helpDisplayed', 'commander.version'];

/** Runs one command line (without node and script). Returns the exit code; errors are JSON on standard error. */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await createProgram(terminal).parseAsync(args, { from: 'user' });
    return terminal.exitCode;
  } catch (error) {
    if (error instanceof CommanderError && INFORMATIVE.includes(error.code)) return EXIT.ok;
    // Called without a command: commander has shown the help already.
    if (error instanceof CommanderError && error.code === 'commander.help') return EXIT.usage;
    const { exitCode, error: shown } = failureOf(error);
    terminal.stderr.write(`${JSON.stringify({ error: shown })}\n`);
    return exitCode;
  }
}

function createProgram(terminal: Terminal): Command {
  const program = new Command('posthorn')
    .description('Email delivery appliance')
    .version(posthornVersion())
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void terminal.stdout.write(text),
      writeErr: (text) => void terminal.stderr.write(text),
      // Reported as JSON where the error is caught.
      outputError: () => undefined,
    });
  const admin = program.command('admin').description('work on the data folder of this machine');
  addAdminBootstrap(admin, terminal);
  addAdminMigrate(admin, terminal);
  addAdminConfig(admin, terminal);
  addAdminClassify(admin, terminal);
  addAdminDns(admin, terminal);
  addAdminKeys(admin, terminal);
  addAdminPeople(admin, terminal);
  addAdminPlan(admin, terminal);
  addAdminAudit(admin, terminal);
  addAdminBackup(admin, terminal);
  addAdminShaping(admin, terminal);
  addAdminVacuum(admin, terminal);
  addAdminInbound(admin, terminal);
  addDoctor(program, terminal);
  addProofVerify(program.command('proof').description('proofs of delivery'), terminal);
  return program;
}
