// mailkeel import account: an account at another vendor, or the file of another program, after a dry run and a question.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { Command } from 'commander';
import { parse as parseCsv } from 'csv-parse/sync';
import type { AccountImport, AccountImportCreate, AccountImportFileSource, Mailkeel } from '@mailkeel/sdk';
import { addGlobals, confirm, running } from '../command.js';
import { connect } from '../connect.js';
import { CommandError, EXIT, usageError } from '../exit-code.js';
import { fields, table, type Printer } from '../output.js';
import { startProgress, untilEnded } from '../progress.js';
import type { World } from '../world.js';

type Source = AccountImportCreate['source'];
type Connection = AccountImportCreate['connection'];
type Kind = NonNullable<AccountImportCreate['kinds']>[number];
/** Starts the import or its dry run. */
type Begin = (mailkeel: Mailkeel, isDryRun: boolean) => PromiseLike<AccountImport>;

interface Options {
  server?: string;
  user?: string;
  region?: string;
  file?: string;
  name?: string;
  kinds?: string;
  dryRun?: boolean;
}

interface ReportRow {
  kind: string;
  name: string;
  line: string;
  problem: string;
}

const VENDORS: readonly Source[] = ['brevo', 'listmonk', 'mailgun', 'postmark', 'resend', 'sendgrid', 'ses'];
/** Sources that are files. listmonk is read from its API without one. */
const FILES: readonly AccountImportFileSource[] = ['listmonk', 'mailchimp', 'mailkeel', 'postal'];
const SOURCES = [...new Set([...VENDORS, ...FILES])].toSorted();
/** For the whole upload. */
const UPLOAD_TIMEOUT_MS = 3_600_000;
/** Environment variable with the API key, or the token of listmonk. */
const SECRET = 'MAILKEEL_IMPORT_SECRET';
/** Environment variable with the account token of Postmark. */
const ACCOUNT_TOKEN = 'MAILKEEL_IMPORT_ACCOUNT_TOKEN';
const SHOWN_ROWS = 20;

export function addAccountImport(noun: Command, world: World): void {
  const command = noun
    .command('account <source>')
    .description(
      `Import an account from ${SOURCES.join(', ')}, after a dry run (exit code 8 if objects were left out)`,
    )
    .option('--server <url>', 'Address of the listmonk server')
    .option('--user <name>', 'API user of listmonk, or ID of the access key of SES')
    .option('--region <region>', 'Region of a Mailgun or SendGrid account (global or eu), or of AWS')
    .option('--file <path>', 'Export of mailkeel or mailchimp, or database dump of listmonk or postal')
    .option('--name <name>', 'Audience of a mailchimp export, or server of a postal dump with several')
    .option('--kinds <kinds>', 'Kinds to import, separated by commas (default: all)')
    .option('--dry-run', 'Read and check everything without changing anything');
  addGlobals(command).addHelpText(
    'after',
    `\nThe API key or token is read from ${SECRET}, or asked for. The account token of Postmark is read from ${ACCOUNT_TOKEN}.\n` +
      '\nExamples:\n  mailkeel import account resend --dry-run\n' +
      '  mailkeel import account listmonk --server https://lists.example.com --user mailkeel --kinds suppressions,contacts\n' +
      '  mailkeel import account mailkeel --file workspace.ndjson\n' +
      '  mailkeel import account postal --file postal.sql --name acme/main',
  );
  command.action(async (source: string, options: Options) => {
    const { printer, globals } = running(world, command);
    const begin = await requestOf(world, source, options);
    const mailkeel = await connect(world, globals);
    const isAsked = world.isInteractive && globals.yes !== true && options.dryRun !== true;
    if (options.dryRun === true || isAsked) {
      const checked = await run(world, mailkeel, { printer, begin, isDryRun: true });
      if (!isAsked) return finish(world, mailkeel, { printer, done: checked });
      world.stderr.write(`${countsText(printer, checked)}\n`);
      refuseUnfinished(checked);
      await confirm(world, globals, 'Import these objects now?');
    }
    const done = await run(world, mailkeel, { printer, begin, isDryRun: false });
    await finish(world, mailkeel, { printer, done });
  });
}

async function requestOf(world: World, given: string, options: Options): Promise<Begin> {
  const { signal } = world;
  const upload = FILES.find((one) => one === given);
  const isUpload =
    upload !== undefined && (options.file !== undefined || !VENDORS.some((one) => one === given));
  if (isUpload) return uploadOf(world, upload, options);
  const source = VENDORS.find((one) => one === given);
  if (source === undefined)
    throw usageError(`The source must be one of ${SOURCES.join(', ')}, not "${given}".`);
  const connection = await connectionOf(world, source, options);
  // The server refuses other kinds by name.
  const kinds = options.kinds?.split(',').map((kind) => kind.trim() as Kind);
  const body = { source, connection, ...(kinds === undefined ? {} : { kinds }) };
  return (mailkeel, isDryRun) =>
    mailkeel.accountImports.create({ ...body, ...(isDryRun ? { dry_run: true } : {}) }, { signal });
}

/** The file is opened again for each upload. */
async function uploadOf(
  { signal }: World,
  source: AccountImportFileSource,
  { file, name, kinds }: Options,
): Promise<Begin> {
  if (file === undefined) throw usageError(`${source} requires --file.`);
  const isFile = await stat(file).then(
    (facts) => facts.isFile(),
    () => false,
  );
  if (!isFile) throw usageError(`Can't read ${file}: not a regular file.`);
  return (mailkeel, isDryRun) => {
    // Node's type of web streams differs from the one that fetch expects
    const body = Readable.toWeb(createReadStream(file)) as unknown as ReadableStream<Uint8Array>;
    const params = {
      source,
      ...(name === undefined ? {} : { name }),
      ...(kinds === undefined ? {} : { kinds }),
      ...(isDryRun ? { dry_run: true } : {}),
    };
    return mailkeel.accountImports.upload(body, params, { signal, timeoutMs: UPLOAD_TIMEOUT_MS });
  };
}

async function connectionOf(world: World, source: Source, options: Options): Promise<Connection> {
  const { server, user, region } = options;
  const given = (name: string, value: string | undefined) => (value === undefined ? {} : { [name]: value });
  switch (source) {
    case 'listmonk':
      if (server === undefined || user === undefined)
        throw usageError('listmonk requires --server and --user.');
      return { token: await secretOf(world, 'Token of the API user'), url: server, user };
    case 'ses':
      if (region === undefined || user === undefined) throw usageError('ses requires --region and --user.');
      return {
        secret_access_key: await secretOf(world, 'Secret of the access key'),
        ...{ access_key_id: user, aws_region: region },
      };
    case 'postmark':
      return {
        api_key: await secretOf(world, 'API token of the server'),
        ...given('account_token', world.env[ACCOUNT_TOKEN]),
      };
    case 'brevo':
    case 'mailgun':
    case 'resend':
    case 'sendgrid':
      return { api_key: await secretOf(world, 'API key'), ...given('region', region) };
  }
}

async function secretOf({ env, isInteractive, prompts }: World, question: string): Promise<string> {
  const given = env[SECRET];
  if (given !== undefined && given !== '') return given;
  if (!isInteractive) throw usageError(`Set ${SECRET} to the API key or token.`);
  return prompts.secret(question);
}

async function run(
  world: World,
  mailkeel: Mailkeel,
  { printer, begin, isDryRun }: { printer: Printer; begin: Begin; isDryRun: boolean },
): Promise<AccountImport> {
  const { signal } = world;
  const begun = await begin(mailkeel, isDryRun);
  const { id } = begun;
  const progress = startProgress(world, printer, isDryRun ? 'Checking' : 'Importing');
  try {
    const ended = await untilEnded(world, begun, {
      read: () => mailkeel.accountImports.get(id, { signal }),
      seen(state) {
        const kinds = state.counts.filter(({ found }) => found > 0).length;
        const what = state.paused_reason ?? `${sum(state, 'found')} objects`;
        progress.at(kinds / (state.counts.length + 1), what);
      },
    });
    progress.end(`Read ${sum(ended, 'found')} objects.`);
    return ended;
  } catch (error) {
    progress.end(
      `The import continues on the server. To check it, run "mailkeel account-imports get ${id}".`,
    );
    throw error;
  }
}

async function finish(
  world: World,
  mailkeel: Mailkeel,
  { printer, done }: { printer: Printer; done: AccountImport },
): Promise<void> {
  const rows = done.report_lines > 0 ? await reportOf(world, mailkeel, done.id) : [];
  const shown = rows.slice(0, SHOWN_ROWS);
  printer.show({ ...done, report: shown }, () => {
    const parts = [fields(printer, { id: done.id, status: done.status }), countsText(printer, done)];
    if (done.dry_run) parts.unshift('Dry run: nothing was changed.');
    if (shown.length > 0) {
      const cells = shown.map(({ kind, name, line, problem }) => [kind, name, line, problem]);
      const more = rows.length > shown.length ? `\nand ${rows.length - shown.length} more.` : '';
      parts.push(`Report:\n${table(printer, ['kind', 'name', 'line', 'problem'], cells)}${more}`);
    }
    return parts.join('\n\n');
  });
  refuseUnfinished(done);
  const left = sum(done, 'left_out');
  if (left === 0) return;
  throw new CommandError(
    EXIT.partlyFailed,
    'objects_left_out',
    `${left === 1 ? '1 object was' : `${left} objects were`} left out.`,
    `To see all of them, run "mailkeel account-imports get-report ${done.id}".`,
  );
}

function refuseUnfinished({ status, error }: AccountImport): void {
  if (status === 'completed') return;
  throw new CommandError(EXIT.other, `account_import_${status}`, error ?? `Account import ${status}.`);
}

async function reportOf({ signal }: World, mailkeel: Mailkeel, id: string): Promise<ReportRow[]> {
  const response = await mailkeel.accountImports.getReport(id, { signal });
  // the report's columns
  return parseCsv(await response.text(), { columns: true, bom: true }) as unknown as ReportRow[];
}

function sum({ counts }: AccountImport, field: 'found' | 'left_out'): number {
  return counts.reduce((total, one) => total + one[field], 0);
}

function countsText(printer: Printer, { counts }: AccountImport): string {
  const rows = counts.map(({ kind, found, created, updated, unchanged, left_out: left }) =>
    [kind, found, created, updated, unchanged, left].map(String),
  );
  return table(printer, ['kind', 'found', 'created', 'updated', 'unchanged', 'left out'], rows);
}
