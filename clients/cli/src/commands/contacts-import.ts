// mailkeel contacts import: a file of contacts with a progress bar, and the rows that were refused.
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { Command } from 'commander';
import { parse as parseCsv } from 'csv-parse/sync';
import type { Import, ImportPreview, Mailkeel } from '@mailkeel/sdk';
import { addGlobals, running } from '../command.js';
import { connect } from '../connect.js';
import { CommandError, EXIT, usageError } from '../exit-code.js';
import { fields, table, type Printer } from '../output.js';
import { startProgress, untilEnded } from '../progress.js';
import { rowsFormatOf } from '../values.js';
import type { World } from '../world.js';

interface ImportOptions {
  listId?: string;
  tags?: string;
  mode?: string;
  format?: string;
  map?: string[];
  dryRun?: boolean;
}

/** A file to import: its beginning, and the whole. */
interface OpenedFile {
  head: Uint8Array;
  rows: ReadableStream<Uint8Array> | Uint8Array;
}

interface RejectedRow {
  line: string;
  problem: string;
  row: string;
}

const SHOWN_ROWS = 20;
/** Size that a preview reads. */
const HEAD_BYTES = 128 * 1024;
/** For the whole upload. */
const UPLOAD_TIMEOUT_MS = 3_600_000;

export function addContactsImport(contacts: Command, world: World): void {
  const command = contacts
    .command('import <file>')
    .description('Import contacts from a CSV, JSON Lines or JSON file (exit code 8 if rows were rejected)')
    .option('--list-id <id>', 'Add the contacts to a list')
    .option('--tags <tags>', 'Tags to add to every contact, separated by commas')
    .option('--mode <mode>', 'Import mode: upsert, create_only or update_only')
    .option('--format <format>', 'File format: csv, ndjson or json (default: from the file extension)')
    .option(
      '--map <column=target>',
      'Map a column to email, name, first_name, last_name, phone, tags, status, metadata.<key> or ignore (repeatable)',
      (one: string, before: string[] | undefined) => [...(before ?? []), one],
    )
    .option('--dry-run', 'Validate every row without changing anything');
  addGlobals(command).addHelpText(
    'after',
    '\nExamples:\n  mailkeel contacts import people.csv --list-id lst_01kdyak3se4w5amvgkazjzkvb7\n' +
      '  mailkeel contacts import people.csv --map "Contact=email" --map "Town=metadata.city" --dry-run',
  );
  command.action(async (file: string, options: ImportOptions) => {
    const { printer, globals } = running(world, command);
    const format = rowsFormatOf(file, options.format);
    const columns = mappingOf(options.map ?? []);
    const { head, rows } = await openRows(world, file);
    const mailkeel = await connect(world, globals);
    const preview = await mailkeel.imports.preview(head, { format, columns }, { signal: world.signal });
    checkColumns(preview, file, options.dryRun === true);
    const params = {
      format,
      columns,
      ...(options.listId === undefined ? {} : { list_id: options.listId }),
      ...(options.tags === undefined ? {} : { tags: options.tags }),
      ...(options.mode === undefined ? {} : { mode: options.mode as 'upsert' }),
      ...(options.dryRun === true ? { dry_run: true } : {}),
    };
    const begun = await mailkeel.imports.create(rows, params, {
      signal: world.signal,
      timeoutMs: UPLOAD_TIMEOUT_MS,
    });
    const done = await follow(world, mailkeel, { begun, printer });
    const rejected = done.failed > 0 ? await rejectedRows(world, mailkeel, done.id) : [];
    printer.show({ ...done, columns: preview.columns, rejected: rejected.slice(0, SHOWN_ROWS) }, () =>
      [...(done.dry_run ? [columnsText(printer, preview)] : []), reportText(printer, done, rejected)].join(
        '\n\n',
      ),
    );
    if (done.status !== 'completed') {
      throw new CommandError(EXIT.other, `import_${done.status}`, done.error ?? `Import ${done.status}.`);
    }
    if (done.failed > 0) {
      const remedy = `To see every rejected row, run "mailkeel imports get-rejected-rows ${done.id}".`;
      throw new CommandError(
        EXIT.partlyFailed,
        'rows_refused',
        `${done.failed === 1 ? '1 row was' : `${done.failed} rows were`} rejected.`,
        remedy,
      );
    }
  });
}

function mappingOf(given: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    given.map((one) => {
      const at = one.lastIndexOf('=');
      if (at < 1) throw usageError(`--map must be COLUMN=TARGET, not "${one}".`);
      return [one.slice(0, at).trim(), one.slice(at + 1).trim()];
    }),
  );
}

/** The file as a stream: it may be large. */
async function openRows(world: World, file: string): Promise<OpenedFile> {
  if (file === '-') {
    const rows = await world.readStdin();
    return { head: rows.subarray(0, HEAD_BYTES), rows };
  }
  try {
    if (!(await stat(file)).isFile()) throw new Error('not a regular file');
    const head = await readHead(file);
    // Node's type of web streams differs from the one that fetch expects
    const rows = Readable.toWeb(createReadStream(file)) as unknown as ReadableStream<Uint8Array>;
    return { head, rows };
  } catch (error) {
    throw usageError(`Can't read ${file}: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

async function readHead(file: string): Promise<Uint8Array> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Refuses a file that the server would refuse, before it is sent. */
function checkColumns({ format, columns }: ImportPreview, file: string, isDryRun: boolean): void {
  if (format === 'csv' && columns.every(({ becomes }) => becomes !== 'email')) {
    const names = columns.slice(0, 8).map(({ name }) => name);
    throw usageError(
      `${file} has no "email" column. Columns found: ${names.join(', ')}.`,
      `Map the column that contains email addresses: --map "${names[0] ?? 'Contact'}=email"`,
    );
  }
  const warnings = columns.flatMap(({ warning }) => warning ?? []);
  if (format === 'csv' && warnings.length > 0 && !isDryRun) {
    throw usageError(warnings.join(' '), 'Map each of these columns: --map "COLUMN=TARGET"');
  }
}

function columnsText(printer: Printer, { columns }: ImportPreview): string {
  const rows = columns.map(({ name, becomes, samples }) => [name, becomes, samples[0] ?? '']);
  return table(printer, ['column', 'imported as', 'first value'], rows);
}

async function follow(
  world: World,
  mailkeel: Mailkeel,
  { begun, printer }: { begun: Import; printer: Printer },
): Promise<Import> {
  const progress = startProgress(world, printer, 'Importing');
  try {
    const ended = await untilEnded(world, begun, {
      read: () => mailkeel.imports.get(begun.id, { signal: world.signal }),
      seen(state) {
        const part = state.size_bytes > 0 ? state.processed_bytes / state.size_bytes : 0;
        progress.at(part, `${state.processed} rows, ${state.failed} rejected`);
      },
    });
    progress.end(`Read ${ended.processed} rows.`);
    return ended;
  } catch (error) {
    progress.end(`The import continues on the server. To check it, run "mailkeel imports get ${begun.id}".`);
    throw error;
  }
}

async function rejectedRows({ signal }: World, mailkeel: Mailkeel, id: string): Promise<RejectedRow[]> {
  const response = await mailkeel.imports.getRejectedRows(id, { signal });
  const options = { columns: true, bom: true, relax_column_count: true };
  // the report's columns
  return parseCsv(await response.text(), options) as unknown as RejectedRow[];
}

function reportText(printer: Printer, done: Import, rejected: readonly RejectedRow[]): string {
  const { id, created, updated, unchanged, skipped, failed } = done;
  const counts = fields(printer, { id, status: done.status, created, updated, unchanged, skipped, failed });
  const head = done.dry_run ? 'Dry run: no contacts were changed.\n' : '';
  if (rejected.length === 0) return head + counts;
  const rows = rejected.slice(0, SHOWN_ROWS).map(({ line, problem, row }) => [line, problem, row]);
  const more = rejected.length > SHOWN_ROWS ? `\nand ${rejected.length - SHOWN_ROWS} more.` : '';
  return `${head}${counts}\n\nRejected rows:\n${table(printer, ['line', 'problem', 'row'], rows)}${more}`;
}
