// posthorn contacts import: a file of contacts with a progress bar, and the rows that were refused.
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { Command } from 'commander';
import { parse as parseCsv } from 'csv-parse/sync';
import type { Import, Posthorn } from '@posthorn/sdk';
import { addGlobals, running } from '../command.js';
import { connect } from '../connect.js';
import { CommandError, EXIT, usageError } from '../exit-code.js';
import { fields, table, type Printer } from '../output.js';
import { startProgress, type Progress } from '../progress.js';
import type { World } from '../world.js';

interface ImportOptions {
  listId?: string;
  tags?: string;
  mode?: string;
  format?: string;
  dryRun?: boolean;
}

interface RejectedRow {
  line: string;
  problem: string;
  row: string;
}

const FIRST_LOOK_MS = 100;
const LONGEST_LOOK_MS = 1_000;
const SHOWN_ROWS = 20;
const HEAD_BYTES = 64 * 1024;
const DONE = ['completed', 'failed', 'canceled'];

export function addContactsImport(contacts: Command, world: World): void {
  const command = contacts
    .command('import <file>')
    .description('import a CSV file or JSON lines; exit code 8 when some rows were refused')
    .option('--list-id <id>', 'put them on this list')
    .option('--tags <tags>', 'give each of them these tags, separated by commas')
    .option('--mode <mode>', 'upsert, create_only or update_only')
    .option('--format <format>', 'csv or ndjson; from the name of the file unless given')
    .option('--dry-run', 'have every row checked, and change nothing');
  addGlobals(command).addHelpText(
    'after',
    '\nExamples:\n  posthorn contacts import people.csv --list-id lst_01kdyak3se4w5amvgkazjzkvb7\n  posthorn contacts import people.csv --dry-run',
  );
  command.action(async (file: string, options: ImportOptions) => {
    const { printer, globals } = running(world, command);
    const format = formatOf(file, options.format);
    const rows = await openRows(world, file, format);
    const posthorn = await connect(world, globals);
    const params = {
      format,
      ...(options.listId === undefined ? {} : { list_id: options.listId }),
      ...(options.tags === undefined ? {} : { tags: options.tags }),
      ...(options.mode === undefined ? {} : { mode: options.mode as 'upsert' }),
      ...(options.dryRun === true ? { dry_run: true } : {}),
    };
    const begun = await posthorn.imports.create(rows, params, { signal: world.signal });
    const done = await follow(world, posthorn, { begun, printer });
    const rejected = done.failed > 0 ? await rejectedRows(world, posthorn, done.id) : [];
    printer.show({ ...done, rejected: rejected.slice(0, SHOWN_ROWS) }, () =>
      reportText(printer, done, rejected),
    );
    if (done.status !== 'completed') {
      throw new CommandError(
        EXIT.other,
        `import_${done.status}`,
        done.error ?? `The import was ${done.status}.`,
      );
    }
    if (done.failed > 0) {
      const remedy = `All of them: posthorn imports get-rejected-rows ${done.id}`;
      throw new CommandError(EXIT.partlyFailed, 'rows_refused', `${done.failed} rows were refused.`, remedy);
    }
  });
}

function formatOf(file: string, given: string | undefined): 'csv' | 'ndjson' {
  const format = given ?? (/\.(ndjson|jsonl)$/i.test(file) ? 'ndjson' : 'csv');
  if (format === 'csv' || format === 'ndjson') return format;
  throw usageError('--format must be csv or ndjson.');
}

/** The file as a stream: it may be large. A CSV file without a column for addresses is refused before it is sent. */
async function openRows(
  world: World,
  file: string,
  format: string,
): Promise<ReadableStream<Uint8Array> | Uint8Array> {
  if (file === '-') return world.readStdin();
  try {
    if (!(await stat(file)).isFile()) throw new Error('it is not a file');
    const head = await readHead(file);
    if (format === 'csv') checkHead(head, file);
    // Node's own type of web streams is another than the one that fetch takes
    return Readable.toWeb(createReadStream(file)) as unknown as ReadableStream<Uint8Array>;
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw usageError(
      `The file ${file} cannot be read: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
}

async function readHead(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead).toString('utf8');
  } finally {
    await handle.close();
  }
}

function checkHead(head: string, file: string): void {
  const options = {
    bom: true,
    to_line: 1,
    delimiter: [',', ';', '\t'],
    relax_column_count: true,
    relax_quotes: true,
  };
  const [names = []] = parseCsv(head, options);
  if (names.some((name) => name.trim().toLowerCase() === 'email')) return;
  const found = names.length === 0 ? 'it is empty' : `it has ${names.slice(0, 8).join(', ')}`;
  throw usageError(`${file} has no column "email"; ${found}.`, 'Name the columns in the first row.');
}

async function follow(
  world: World,
  posthorn: Posthorn,
  { begun, printer }: { begun: Import; printer: Printer },
): Promise<Import> {
  let state = begun;
  const progress: Progress = startProgress(world, printer, 'Importing');
  try {
    for (
      let pauseMs = FIRST_LOOK_MS;
      !DONE.includes(state.status);
      pauseMs = Math.min(pauseMs * 2, LONGEST_LOOK_MS)
    ) {
      await world.sleep(pauseMs);
      world.signal.throwIfAborted();
      state = await posthorn.imports.get(begun.id, { signal: world.signal });
      const part = state.size_bytes > 0 ? state.processed_bytes / state.size_bytes : 0;
      progress.at(part, `${state.processed} rows, ${state.failed} refused`);
    }
    progress.end(`Read ${state.processed} rows.`);
  } catch (error) {
    progress.end(`The import goes on at the appliance: posthorn imports get ${begun.id}`);
    throw error;
  }
  return state;
}

async function rejectedRows({ signal }: World, posthorn: Posthorn, id: string): Promise<RejectedRow[]> {
  const response = await posthorn.imports.getRejectedRows(id, { signal });
  const options = { columns: true, bom: true, relax_column_count: true };
  // the report's columns
  return parseCsv(await response.text(), options) as unknown as RejectedRow[];
}

function reportText(printer: Printer, done: Import, rejected: readonly RejectedRow[]): string {
  const { id, created, updated, unchanged, skipped, failed } = done;
  const counts = fields(printer, { id, status: done.status, created, updated, unchanged, skipped, failed });
  const head = done.dry_run ? 'A dry run: nothing was changed.\n' : '';
  if (rejected.length === 0) return head + counts;
  const rows = rejected.slice(0, SHOWN_ROWS).map(({ line, problem, row }) => [line, problem, row]);
  const more = rejected.length > SHOWN_ROWS ? `\nand ${rejected.length - SHOWN_ROWS} more.` : '';
  return `${head}${counts}\n\nRefused:\n${table(printer, ['line', 'problem', 'row'], rows)}${more}`;
}
