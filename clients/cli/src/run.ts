// The command line as a whole: which commands there are, and how a failure becomes an exit code.
import { Command, CommanderError } from 'commander';
import { addGlobals } from './command.js';
import { addAccountImport } from './commands/account-import.js';
import { addAccounts } from './commands/accounts.js';
import { addInit, addMcp } from './commands/agents.js';
import { addDoctor, addOpen, addProofVerify, addQueue, noServer } from './commands/checks.js';
import { addCompletion, COMPLETE, completionsOf } from './commands/completion.js';
import { addContactsImport } from './commands/contacts-import.js';
import { addDomains } from './commands/domains.js';
import { addTop, addTrace } from './commands/live.js';
import { addListen } from './commands/listen.js';
import { addExplain, addSend, addTail, addTrigger } from './commands/messages.js';
import { Ended, EXIT, failureOf, failureText } from './exit-code.js';
import { nounOf } from './command-name.js';
import { addOperations, OTHER_NAMES } from './generic.js';
import { OPERATIONS } from './operations.js';
import { CLI_VERSION } from './version.js';
import { firstWord, withDashes } from './words.js';
import { jsonText } from './output.js';
import { addWorkspaceExport } from './commands/workspace-export.js';
import type { World } from './world.js';

/** Handwritten commands come before the operations of the noun, because the first command of a name wins. */
const BY_HAND: Readonly<Record<string, (noun: Command, world: World) => void>> = {
  messages: (noun, world) => {
    addSend(noun, world);
    addTail(noun, world);
  },
  domains: addDomains,
  'webhook-endpoints': addListen,
  contacts: addContactsImport,
  import: addAccountImport,
  export: addWorkspaceExport,
  proofs: addProofVerify,
  queue: addQueue,
};

const ABOUT: Readonly<Record<string, string>> = {
  messages: 'Send, find and inspect messages',
  approvals: 'Review, approve and reject messages of API keys',
  threads: 'Read and reply to conversations',
  drafts: 'Write, change and send drafts of replies',
  inboxes: 'Manage inboxes and read their messages',
  templates: 'Manage email templates and their versions',
  contacts: 'Manage contacts',
  lists: 'Manage contact lists and segments',
  campaigns: 'Create and send campaigns',
  sequences: 'Manage automated email sequences',
  import: 'Import an account from another vendor or server',
  export: 'Export a workspace to a file',
  imports: 'Import contacts',
  'account-imports': 'Manage imports of accounts from other vendors',
  exports: 'Export data to files',
  suppressions: 'Manage the suppression list',
  senders: 'Manage sender addresses and domains',
  domains: 'Check DNS records of sender and sub-tenant domains',
  'sub-tenants': 'Manage sub-tenants',
  'webhook-endpoints': 'Manage webhook endpoints and deliveries',
  events: 'List and stream events',
  proofs: 'Verify signed proofs of delivery',
  analytics: 'View delivery statistics',
  bounces: 'View bounces and their reasons',
  queue: 'Inspect and manage the delivery queue',
  'route-shares': 'Compare and change the share of a route that leaves directly',
  sources: 'List, suspend and resume sending sources',
  search: 'Search messages, contacts and more',
  usage: 'View plan usage',
  organization: 'View and update the organization',
  workspaces: 'Manage workspaces',
  'api-keys': 'Manage API keys',
  members: 'Manage members of the organization',
  invitations: 'Manage invitations to the organization',
  auth: 'Manage sessions and two-factor authentication',
  me: 'Show the current API key or user',
  'audit-log': 'View the audit log',
  requests: 'View the API request log',
  nodes: 'View the nodes of a PostgreSQL cluster',
  system: 'View and manage the server',
  health: 'Check whether the server is up and ready to send',
  'bulk-actions': 'Run one action on many messages or contacts',
  'bulk-rules': 'Check compliance with bulk sender requirements',
  'dmarc-reports': 'View DMARC reports',
  routes: 'Manage delivery routes',
  'saved-blocks': 'Manage saved blocks of template designs',
  'share-links': 'Manage share links',
  'tls-reports': 'View TLS reports',
};

const NOUNS = [...new Set([...Object.keys(ABOUT), ...OPERATIONS.map(nounOf)])];
const INFORMATIVE = ['commander.helpDisplayed', 'commander.version', 'commander.help'];
const HINT = 'Run "mailkeel --help" or "mailkeel <command> --help" for usage.';

/** Runs one command line (without node and script). Returns the exit code. Never fails. */
export async function runCommandLine(args: readonly string[], world: World): Promise<number> {
  let command: Command | null = null;
  try {
    const [first] = args;
    // The server's own commands parse their options themselves.
    if (first === 'admin') {
      const exitCode = await world.runServer(args);
      if (exitCode === null) throw noServer(args.slice(0, 3).join(' '));
      return exitCode;
    }
    if (first === COMPLETE) return await complete(args.slice(args.indexOf('--') + 1), world);
    const program = createProgram(world, nounIn(args));
    program.hook('preAction', (_program, chosen) => void (command = chosen));
    await program.parseAsync(withDashes(program, args), { from: 'user' });
    world.stderr.write(updateNotice(world));
    // Tails end quietly when they are interrupted.
    return world.signal.aborted ? EXIT.interrupted : EXIT.ok;
  } catch (error) {
    const { exitCode, text } = endingOf(error, args, world, flagsOf(command));
    if (text !== '') world.stderr.write(text);
    return exitCode;
  }
}

/** Returns a notice for terminals if the server has another release than this program. Sends no request of its own. */
function updateNotice({ isInteractive, server }: World): string {
  if (!isInteractive || server === undefined || server.release === CLI_VERSION) return '';
  const install = `npm install -g ${server.url.replace(/\/+$/, '')}/cli.tgz`;
  return `\nThe server runs Mailkeel ${server.release}, but this CLI is version ${CLI_VERSION}. To install the matching version, run:\n  ${install}\n`;
}

/** Returns the long names of a command's options. */
function flagsOf(command: Command | null): string[] {
  return command?.options.flatMap(({ long }) => long ?? []) ?? [];
}

/**
 * Returns the exit code and output for `error`. The output is empty if everything has already been printed. `flags` are those of
 * the command that failed.
 */
export function endingOf(
  error: unknown,
  args: readonly string[],
  world: Pick<World, 'stdout' | 'signal'>,
  flags: readonly string[] = [],
): { exitCode: number; text: string } {
  if (error instanceof Ended) return { exitCode: error.exitCode, text: '' };
  if (error instanceof CommanderError && INFORMATIVE.includes(error.code)) {
    return { exitCode: error.exitCode === 0 ? EXIT.ok : EXIT.usage, text: '' };
  }
  if (world.signal.aborted) return { exitCode: EXIT.interrupted, text: '' };
  const failure = failureOf(error);
  const isJson = args.includes('--json') || world.stdout.isTTY !== true;
  if (isJson) return { exitCode: failure.exitCode, text: `${jsonText({ error: failure.error }, 0)}\n` };
  const needsHint = failure.error.code === 'usage' && failure.error.remedy === undefined;
  return { exitCode: failure.exitCode, text: failureText(failure, flags) + (needsHint ? `${HINT}\n` : '') };
}

/** The requested noun. Only its commands are created, because creating all of them takes time. */
function nounIn(args: readonly string[]): string | null {
  const word = firstWord(args);
  return NOUNS.find((noun) => noun === word || OTHER_NAMES[noun] === word) ?? null;
}

async function complete(words: readonly string[], world: World): Promise<number> {
  const program = createProgram(world, nounIn(words));
  for (const line of await completionsOf(program, words, world)) world.stdout.write(`${line}\n`);
  return EXIT.ok;
}

/** `wanted` is the noun whose operations become commands; other nouns get none. */
function createProgram(world: World, wanted: string | null): Command {
  const program = new Command('mailkeel')
    .description('Work with Mailkeel from the command line.')
    .version(CLI_VERSION, '-V, --version', 'Show the CLI version')
    .helpOption('-h, --help', 'Show help for a command')
    .helpCommand('help [command]', 'Show help for a command')
    .enablePositionalOptions()
    .exitOverride()
    .configureHelp({ showGlobalOptions: false })
    .configureOutput({
      writeOut: (text) => void world.stdout.write(text),
      writeErr: (text) => void world.stderr.write(text),
      // Printed where the error is caught.
      outputError: () => undefined,
    });
  addGlobals(program, true).addHelpText(
    'after',
    `
Examples:
  mailkeel login --url https://mail.example.com
  mailkeel send --to ann@example.com --subject Hello --text "Hello Ann" --wait
  mailkeel messages list --status bounced --json
  mailkeel webhooks listen --forward-to http://localhost:3000/hooks`,
  );
  program.commandsGroup('Account commands:');
  addAccounts(program, world);
  program.commandsGroup('Core commands:');
  addSend(program, world);
  addExplain(program, world);
  addListen(program, world);
  addTrigger(program, world);
  addDoctor(program, world);
  addTop(program, world);
  addTrace(program, world);
  addOpen(program, world);
  addMcp(program, world);
  addInit(program, world);
  addCompletion(program, world);
  program
    .command('admin')
    .description("Administer the server's data folder (run on the server's machine)")
    .allowUnknownOption();
  program.commandsGroup('API commands:');
  for (const noun of NOUNS) {
    const command = program.command(noun).description(ABOUT[noun] ?? noun.replaceAll('-', ' '));
    const other = OTHER_NAMES[noun];
    if (other !== undefined) command.alias(other);
    if (wanted !== noun) continue;
    BY_HAND[noun]?.(command, world);
    addOperations(command, noun, world);
  }
  return program;
}
