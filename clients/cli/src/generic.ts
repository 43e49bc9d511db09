// A command for every operation of the API: `mailkeel <noun> <verb>`, named as the operation is.
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { Option } from 'commander';
import { Mailkeel, type MailkeelOptions } from '@mailkeel/sdk';
import { addGlobals, confirm, running, type Running } from './command.js';
import { connect, findConnection, type GlobalOptions } from './connect.js';
import { usageError } from './exit-code.js';
import type { Field, Operation } from './operation.js';
import { nounOf, verbOf } from './command-name.js';
import { OPERATIONS } from './operations.js';
import { cleanLines, fields, jsonText, listText, type Printer, type Row } from './output.js';
import { PRESENTERS } from './presenters.js';
import { offerValues } from './commands/completion.js';
import { QUESTIONS } from './questions.js';
import { camel, dataOf, kebab, readBytes, rowsFormatOf, valueOf } from './values.js';
import type { World } from './world.js';

/** Operations that cannot be undone, and therefore ask first. */
const ASKED_FOR = [
  'contacts.erase',
  'campaigns.send',
  'bulkActions.createForContacts',
  'bulkActions.createForMessages',
];
export const OTHER_NAMES: Readonly<Record<string, string>> = {
  'webhook-endpoints': 'webhooks',
  proofs: 'proof',
  'sub-tenants': 'tenants',
  'api-keys': 'keys',
};

const fieldsOf = ({ query, body }: Operation): readonly Field[] => [...query, ...(body ?? [])];

/** The operations of a noun as commands. */
export function addOperations(noun: Command, name: string, world: World): void {
  for (const operation of OPERATIONS) {
    const verb = verbOf(operation);
    // A handwritten command already has this name.
    const isTaken = noun.commands.some((one) => one.name() === verb);
    if (nounOf(operation) === name && !isTaken) addOperation(noun.command(verb), operation, world);
  }
}

function addOperation(command: Command, operation: Operation, world: World): void {
  const { body, isRows, isVersioned, answer, method } = operation;
  command.description(operation.summary);
  for (const name of operation.pathNames) command.argument(`<${kebab(name)}>`);
  const all = fieldsOf(operation);
  for (const field of all) addField(command, field);
  if (isRows)
    command.requiredOption('--file <path>', 'CSV or JSON Lines file to upload (- for standard input)');
  if (isRows)
    command.option(
      '--format <format>',
      'File format: csv, ndjson or json (default: from the file extension)',
    );
  if (body !== null && !isRows)
    command.option('--data <json>', 'Request body as JSON, @file.json, or - for standard input');
  if (isVersioned)
    command.option('--if-match <updated_at>', 'Update only if updated_at still has this value');
  if (answer === 'list') command.option('--all', 'Fetch all pages');
  if (answer === 'file') command.option('-o, --output <path>', 'Write the output to a file');
  const hasOwnDryRun = all.some(({ name }) => name === 'dry_run');
  if (!hasOwnDryRun) {
    command.option('--dry-run', 'Print the request without sending it');
    if (method === 'GET') command.options.at(-1)?.hideHelp();
  }
  addGlobals(command);
  command.addHelpText('after', () => `\nExample:\n  ${exampleOf(operation)}`);
  command.action(async (...given: unknown[]) => {
    const taken = all.map(({ name }) => camel(kebab(name)));
    const run = running(world, command, taken);
    await perform(world, operation, {
      ids: given.slice(0, operation.pathNames.length) as string[],
      command,
      run,
    });
  });
}

function addField(command: Command, { name, kind, about, values, required }: Field): void {
  const flag = `--${kebab(name)}`;
  const text = [about, required === true ? '(required)' : ''].filter(Boolean).join(' ');
  if (kind === 'boolean') {
    command.option(flag, text).option(`--no-${kebab(name)}`, `Opposite of ${flag}`);
    if (required !== true) command.options.at(-1)?.hideHelp();
    // Without this default, an absent option would mean true.
    command.setOptionValueWithSource(camel(kebab(name)), undefined, 'default');
    return;
  }
  const isKnown = values !== undefined && values.length > 0;
  const shown = isKnown && values.length <= 8 ? `${text} One of: ${values.join(', ')}.`.trim() : text;
  const option = new Option(
    `${flag} <${kind === 'number' ? 'number' : kind === 'json' ? 'json' : 'value'}>`,
    shown,
  );
  if (kind === 'list')
    option.argParser((one: string, before: string[] | undefined) => [...(before ?? []), one]);
  if (values !== undefined) offerValues(option, values);
  command.addOption(option);
}

interface Performance {
  ids: readonly string[];
  command: Command;
  run: Running;
}

async function perform(
  world: World,
  operation: Operation,
  { ids, command, run }: Performance,
): Promise<void> {
  const { globals, printer } = run;
  const options = command.opts<
    Record<string, unknown> & { dryRun?: boolean; all?: boolean; output?: string; ifMatch?: string }
  >();
  const params = await paramsOf(world, operation, options);
  const isPretence = options.dryRun === true && !fieldsOf(operation).some(({ name }) => name === 'dry_run');
  if (isPretence) {
    printer.show(...(await pretended(world, operation, { ids, params, globals })));
    return;
  }
  // If a command requires a choice about a dry run, running it for real needs confirmation.
  const isMeant = options.dryRun === false && mustNameDryRun(operation);
  if (operation.method === 'DELETE' || ASKED_FOR.includes(operation.id) || isMeant) {
    await confirm(world, globals, async () => {
      const question = QUESTIONS[operation.id];
      if (question === undefined)
        return `${operation.summary}${ids.length > 0 ? ` (${ids.join(' ')})` : ''}?`;
      return question(await connect(world, globals), ids, (params[0] ?? {}) as Row, world);
    });
  }
  const { options: found } = await findConnection(world, globals);
  const { ifMatch } = options;
  const answer = call(new Mailkeel(found), operation, { ids, params, ifMatch, signal: world.signal });
  if (operation.answer === 'stream') {
    for await (const event of answer as AsyncIterable<Row>) printer.line(event, () => JSON.stringify(event));
  } else if (operation.answer === 'file') {
    await writeFileTo(world, (await answer) as Response, options.output);
  } else if (operation.answer === 'list' && options.all === true) {
    await printAll(printer, answer as AsyncIterable<Row>, world);
  } else {
    printAnswer(printer, operation, (await answer) as Row);
  }
}

function mustNameDryRun(operation: Operation): boolean {
  return fieldsOf(operation).some(({ name, required }) => name === 'dry_run' && required === true);
}

/** Options and --data; an option wins. */
async function paramsOf(
  world: World,
  operation: Operation,
  options: Record<string, unknown>,
): Promise<unknown[]> {
  const { body, query, isRows } = operation;
  const params = isRows ? {} : await dataOf(world, options['data'] as string | undefined);
  for (const field of fieldsOf(operation)) {
    const given = options[camel(kebab(field.name))];
    if (given !== undefined) params[field.name] = await valueOf(world, field, given);
  }
  const missing = fieldsOf(operation).filter(
    ({ name, required }) => required === true && params[name] === undefined,
  );
  if (missing.length > 0) {
    const flags = missing.map(({ name }) => `--${kebab(name)}`).join(', ');
    throw usageError(
      `Missing required ${missing.length === 1 ? 'option' : 'options'}: ${flags}.`,
      `Run "mailkeel ${nounOf(operation)} ${verbOf(operation)} --help" for usage.`,
    );
  }
  if (isRows) {
    const path = String(options['file']);
    const format = rowsFormatOf(path, options['format'] as string | undefined);
    return [await readBytes(world, path, '--file'), { ...params, format }];
  }
  return body !== null || query.length > 0 ? [params] : [];
}

interface Call {
  ids: readonly string[];
  params: readonly unknown[];
  ifMatch?: string | undefined;
  signal: AbortSignal;
}

type Method = (...given: unknown[]) => unknown;

/** Calls the method of the SDK that has the operation's name. */
function call(mailkeel: Mailkeel, { id }: Operation, { ids, params, ifMatch, signal }: Call): unknown {
  const [tag = '', verb = ''] = id.split('.');
  // resources and methods are named for operations
  const resource = Reflect.get(mailkeel, tag) as Record<string, Method>;
  if (id === 'events.stream') {
    const { events, after } = (params[0] ?? {}) as { events?: string; after?: string };
    return mailkeel.events.stream({
      signal,
      // as given in the option; the server refuses unknown names
      ...(events === undefined ? {} : { types: events.split(',') as never }),
      ...(after === undefined ? {} : { lastEventId: after }),
    });
  }
  return resource[verb]?.(...ids, ...params, { signal, ...(ifMatch === undefined ? {} : { ifMatch }) });
}

/** Returns the request that a command would send. Needs no key and sends nothing. */
async function pretended(
  world: World,
  operation: Operation,
  { ids, params, globals }: { ids: readonly string[]; params: readonly unknown[]; globals: GlobalOptions },
): Promise<[value: unknown, text: () => string]> {
  const { options } = await findConnection(world, globals);
  const asked = await captured(options, async (mailkeel) => {
    const answer = call(mailkeel, operation, { ids, params, signal: world.signal });
    if (operation.answer === 'stream') await (answer as AsyncGenerator).next();
    else await (answer as PromiseLike<unknown>);
  });
  return [asked, () => pretenceText(asked)];
}

export interface Asked {
  object: 'dry_run';
  method: string;
  url: string;
  body: unknown;
}

/** Returns the request that a call would send. */
export async function captured(
  options: MailkeelOptions,
  ask: (mailkeel: Mailkeel) => Promise<void>,
): Promise<Asked> {
  const asked: Asked[] = [];
  const mailkeel = new Mailkeel({
    ...options,
    maxRetries: 0,
    fetch: (input, init) => {
      const { body } = init ?? {};
      const url = new Request(input).url;
      asked.push({ object: 'dry_run', method: init?.method ?? 'GET', url, body: shownBody(body) });
      return Promise.reject(new Error('Dry run: request not sent.'));
    },
  });
  try {
    await ask(mailkeel);
  } catch (error) {
    // The captured call always fails. If it fails earlier, the SDK has refused it.
    if (asked.length === 0) throw error;
  }
  const [first] = asked;
  if (first === undefined) throw new Error('Nothing to show: the command does not send a request.');
  return first;
}

function shownBody(body: unknown): unknown {
  if (typeof body !== 'string') return body instanceof Uint8Array ? `${body.byteLength} octets` : null;
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return body;
  }
}

export function pretenceText({ method, url, body }: Asked): string {
  const shown = body === null ? '' : `\n${typeof body === 'string' ? body : JSON.stringify(body, null, 2)}`;
  return `Request: ${method} ${url}${shown}\nDry run: request not sent.`;
}

function printAnswer(printer: Printer, operation: Operation, answer: Row): void {
  printer.show(answer, () => {
    const present = PRESENTERS[operation.id];
    if (present !== undefined) return present(printer, answer);
    if (!Array.isArray(answer['data'])) return fields(printer, answer);
    const more =
      answer['has_more'] === true ? '\nMore results available. Use --all, or --cursor and --limit.' : '';
    return `${listText(printer, answer['data'] as Row[])}${printer.paint('dim', more)}`;
  });
}

/** Prints pages as they arrive without collecting them. JSON output is still one document. */
async function printAll(printer: Printer, list: AsyncIterable<Row>, world: World): Promise<void> {
  const ROWS_AT_ONCE = 100;
  let rows: Row[] = [];
  let count = 0;
  const flush = (): void => {
    if (printer.isJson) {
      const text = rows.map((row) => jsonText(row, 0)).join(',\n');
      world.stdout.write(`${count === 0 ? '' : ',\n'}${text}`);
    } else if (rows.length > 0 || count === 0) {
      const text = listText(printer, rows);
      // The head of the table once.
      world.stdout.write(`${count === 0 ? text : text.slice(text.indexOf('\n') + 1)}\n`);
    }
    count += rows.length;
    rows = [];
  };
  if (printer.isJson) world.stdout.write('{"object":"list","data":[\n');
  for await (const row of list) {
    rows.push(row);
    if (rows.length >= ROWS_AT_ONCE) flush();
  }
  if (rows.length > 0 || count === 0) flush();
  if (printer.isJson) world.stdout.write('\n],"has_more":false,"next_cursor":null}\n');
}

async function writeFileTo(world: World, response: Response, output: string | undefined): Promise<void> {
  if (response.body === null) return;
  if (output !== undefined) {
    await pipeline(Readable.fromWeb(response.body as never), createWriteStream(output, { mode: 0o600 }));
    return;
  }
  if (world.stdout.isTTY === true && !/^(text|message)\//.test(response.headers.get('content-type') ?? '')) {
    await response.body.cancel();
    throw usageError("Binary output can't be shown in a terminal.", 'Save it to a file with --output FILE.');
  }
  if (world.stdout.isTTY === true) {
    world.stdout.write(`${cleanLines(await response.text())}\n`);
    return;
  }
  for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) world.stdout.write(part);
}

function exampleOf(operation: Operation): string {
  const ids = operation.pathNames.map((name) => `<${kebab(name)}>`);
  const needed = fieldsOf(operation).filter(({ required }) => required);
  const options = needed.map(({ name, values, kind }) => {
    const value = values?.[0] ?? (kind === 'json' ? "'{…}'" : kind === 'number' ? '1' : '…');
    return `--${kebab(name)} ${value}`;
  });
  if (operation.isRows) options.push('--file rows.csv');
  return ['mailkeel', nounOf(operation), verbOf(operation), ...ids, ...options].join(' ');
}
