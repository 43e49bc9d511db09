// Defines the command line: its commands, and the exit codes of errors.
import { Command, CommanderError } from 'commander';
import { lchown, lstat, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isBucket } from '../backups/bucket.js';
import { productVersion } from '../lib/runtime/index.js';
import { addAdminAudit } from './audit-command.js';
import { addAdminBackup } from './backup-command.js';
import { addAdminBootstrap } from './bootstrap-command.js';
import { addAdminClassify } from './classify-command.js';
import { addAdminConfig } from './config-command.js';
import { addAdminDns } from './dns-command.js';
import { addAdminInbound } from './inbound-command.js';
import { addAdminKeys } from './keys-command.js';
import { addAdminMigrate } from './migrate-command.js';
import { addAdminMove } from './move-command.js';
import { addAdminPeople } from './people-command.js';
import { addAdminPlan } from './plan-command.js';
import { addAdminReplica } from './replica-commands.js';
import { addAdminRestore } from './restore-command.js';
import { addAdminShaping } from './shaping-command.js';
import { addAdminVacuum } from './vacuum-command.js';
import { addDoctor } from './doctor-command.js';
import { EXIT, describeError } from './exit-code.js';
import { addProofVerify } from './proof-verify.js';
import type { Terminal } from './terminal.js';
import { hasCode } from '../lib/files/index.js';

const INFORMATIVE = ['commander.helpDisplayed', 'commander.version'];

/**
 * Runs one command line (without node and script) and returns the exit code; errors are JSON on standard error. Files that root
 * leaves in the folders of data, backups or replica get the folder's owner, even after a failure.
 */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  const written = new Set<string>();
  const loadConfig = (): ReturnType<Terminal['loadConfig']> => {
    const loaded = terminal.loadConfig();
    const { dataDir, backupTo, replicaTo } = loaded.config;
    for (const at of [dataDir, backupTo, replicaTo]) if (at !== null && !isBucket(at)) written.add(at);
    return loaded;
  };
  const exitCode = await run(args, { ...terminal, loadConfig });
  for (const folder of written) await giveToOwner(folder);
  return exitCode;
}

async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await createProgram(terminal).parseAsync(args, { from: 'user' });
    return terminal.exitCode;
  } catch (error) {
    if (error instanceof CommanderError && INFORMATIVE.includes(error.code)) return EXIT.ok;
    // Without a command, commander has already printed the help.
    if (error instanceof CommanderError && error.code === 'commander.help') return EXIT.usage;
    const { exitCode, error: shown } = describeError(error);
    terminal.stderr.write(`${JSON.stringify({ error: shown })}\n`);
    return exitCode;
  }
}

function createProgram(terminal: Terminal): Command {
  const program = new Command('mailkeel')
    .description('Mailkeel server commands')
    .version(productVersion(), '-V, --version', 'Show the release')
    .helpOption('-h, --help', 'Show help for a command')
    .helpCommand('help [command]', 'Show help for a command')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void terminal.stdout.write(text),
      writeErr: (text) => void terminal.stderr.write(text),
      // The error is reported as JSON where it is caught.
      outputError: () => undefined,
    });
  const admin = program.command('admin').description("Administer this machine's data folder");
  addAdminBootstrap(admin, terminal);
  addAdminMigrate(admin, terminal);
  addAdminMove(admin, terminal);
  addAdminConfig(admin, terminal);
  addAdminClassify(admin, terminal);
  addAdminDns(admin, terminal);
  addAdminKeys(admin, terminal);
  addAdminPeople(admin, terminal);
  addAdminPlan(admin, terminal);
  addAdminAudit(admin, terminal);
  addAdminBackup(admin, terminal);
  addAdminRestore(admin, terminal);
  addAdminReplica(admin, terminal);
  addAdminShaping(admin, terminal);
  addAdminVacuum(admin, terminal);
  addAdminInbound(admin, terminal);
  addDoctor(program, terminal);
  addProofVerify(program.command('proof').description('Verify proofs of delivery'), terminal);
  return program;
}

const ROOT = 0;

/**
 * Gives root's files and folders below `folder` to the owner of `folder`. Does nothing for other users, or if root owns the
 * folder. Links are not followed, and files with several hard links are skipped, because one may be outside.
 */
async function giveToOwner(folder: string): Promise<void> {
  if (process.getuid?.() !== ROOT) return;
  const path = resolve(folder);
  const top = await lstat(path).catch(unlessMissing);
  if (top === null || !top.isDirectory() || top.uid === ROOT) return;
  await giveBelow(path, top);
}

async function giveBelow(folder: string, owner: { uid: number; gid: number }): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    // The file may be gone, since a server may run beside the command.
    const facts = await lstat(path).catch(unlessMissing);
    if (facts === null) continue;
    const hasOtherNames = !facts.isDirectory() && facts.nlink > 1;
    if (facts.uid === ROOT && !hasOtherNames) {
      await lchown(path, owner.uid, owner.gid).catch(unlessMissing);
    }
    if (facts.isDirectory()) await giveBelow(path, owner);
  }
}

function unlessMissing(error: unknown): null {
  if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return null;
  throw error;
}
