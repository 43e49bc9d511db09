// Copies the rows of all declared tables to another database, then compares the number of rows and a digest of each table, in
// key order.
import { createHash, type Hash } from 'node:crypto';
import type { Column, Table } from '../columns.js';
import { RowBytes, UnmovableValue, type NulRule, type RowColumn, type RowValues } from './row-bytes.rules.js';
import type { BatchLimits, Side } from './side.js';
import { inOrderOfReferences } from './table-order.rules.js';

/**
 * Tables that are not copied: each engine stores files in its own way and they are moved separately; nodes belong to their
 * database.
 */
const STAYING: ReadonlySet<string> = new Set(['stored_files', 'nodes', 'node_leases']);

/** The source contains a value that the target cannot store, or it changed during the move. Neither database is damaged. */
export class MoveError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'MoveError';
  }
}

interface MovedTable {
  name: string;
  rows: number;
  /** Size of the canonical form, roughly that of the values. */
  bytes: number;
  sha256: string;
  tookMs: number;
  /** Number of texts from which NUL characters were removed. */
  droppedNul: number;
}

export interface ComparedTable extends MovedTable {
  /** Description of the difference; null if all rows are equal. */
  difference: string | null;
}

/** The two databases of a move, and the declared tables. */
interface MoveEnds {
  source: Side;
  target: Side;
  tables: readonly Table[];
}

export interface MoveListener {
  /** Called after each batch. `of` is the table's number of rows. */
  batch?: (step: { table: string; rows: number; of: number }) => void;
}

type Digest = Omit<MovedTable, 'name' | 'tookMs'>;

export interface CopyLimits extends BatchLimits {
  /** Removes NUL characters that the target cannot store, instead of stopping. */
  dropsNul?: boolean;
}

/** Fills the empty tables of the target, between the source's beginReading and endReading. Throws a MoveError. */
export async function copyRows(
  { source, target, tables }: MoveEnds,
  limits: CopyLimits,
  listener: MoveListener = {},
): Promise<MovedTable[]> {
  const moved: MovedTable[] = [];
  const moving = tables.filter(({ name }) => !STAYING.has(name));
  const byName = new Map(moving.map((table) => [table.name, table]));
  for (const name of inOrderOfReferences([...byName.keys()], await target.references())) {
    const table = byName.get(name);
    if (table === undefined) continue;
    const since = performance.now();
    const of = await source.count(table);
    const digest = await readDigest(table, source, limits, {
      nul: target.allowsNul ? 'keep' : limits.dropsNul === true ? 'drop' : 'refuse',
      begin: async () => {
        await target.beginTable(table);
      },
      batch: async (rows, bytes, done) => {
        await target.write(rows, bytes);
        listener.batch?.({ table: name, rows: done, of });
      },
    });
    await target.endTable();
    if (digest.rows !== of) throw new MoveError(`Read ${digest.rows} of ${of} rows from ${name}.`);
    moved.push({ name, ...digest, tookMs: Math.round(performance.now() - since) });
  }
  for (const counter of await target.counters()) {
    await target.continueAfter(counter, await source.highest(counter));
  }
  return moved;
}

/** Reads the target's rows again and compares them. */
export async function compareRows(
  { source, target, tables }: MoveEnds,
  moved: readonly MovedTable[],
  limits: BatchLimits,
  listener: MoveListener = {},
): Promise<ComparedTable[]> {
  const compared: ComparedTable[] = [];
  const behind = await countersBehind(source, target);
  for (const one of moved) {
    const table = tables.find(({ name }) => name === one.name);
    if (table === undefined) continue;
    const since = performance.now();
    const digest = await readDigest(table, target, limits, {
      nul: 'keep',
      batch: (_rows, _bytes, rows) => {
        listener.batch?.({ table: one.name, rows, of: one.rows });
        return Promise.resolve();
      },
    });
    const tookMs = one.tookMs + Math.round(performance.now() - since);
    compared.push({
      ...one,
      tookMs,
      difference: describeDifference(one, digest) ?? behind.get(one.name) ?? null,
    });
  }
  return compared;
}

function describeDifference(before: Digest, after: Digest): string | null {
  if (before.rows !== after.rows) return `${before.rows} rows before, ${after.rows} rows after`;
  return before.sha256 === after.sha256 ? null : 'values differ';
}

async function countersBehind(source: Side, target: Side): Promise<Map<string, string>> {
  const behind = new Map<string, string>();
  for (const counter of await target.counters()) {
    const [before, now] = [await source.highest(counter), await target.highest(counter)];
    if (before !== now) behind.set(counter.table, `the next number is ${now} instead of ${before}`);
  }
  return behind;
}

interface DigestSteps {
  nul: NulRule;
  begin?: () => Promise<void>;
  /** `done` is the number of rows including this batch. */
  batch: (rows: readonly RowValues[], bytes: Buffer, done: number) => Promise<void>;
}

async function readDigest(
  table: Table,
  side: Side,
  limits: BatchLimits,
  steps: DigestSteps,
): Promise<Digest> {
  const columns = Object.entries<Column>(table.columns).map(([name, { kind, isNullable }]): RowColumn => ({
    name,
    kind,
    isNullable,
  }));
  const hash: Hash = createHash('sha256');
  const key = await side.key(table);
  const octets = new RowBytes();
  let rows = 0;
  let bytes = 0;
  await steps.begin?.();
  for await (const batch of side.batches(table, limits)) {
    octets.clear();
    for (const row of batch) addRow(octets, row, { table, key, columns, nul: steps.nul });
    const taken = octets.taken();
    hash.update(taken);
    rows += batch.length;
    bytes += taken.length;
    await steps.batch(batch, taken, rows);
  }
  return { rows, bytes, sha256: hash.digest('hex'), droppedNul: octets.dropped };
}

interface RowContext {
  table: Table;
  key: readonly string[];
  columns: readonly RowColumn[];
  nul: NulRule;
}

function addRow(octets: RowBytes, row: RowValues, { table, key, columns, nul }: RowContext): void {
  try {
    octets.add(row, columns, nul);
  } catch (error) {
    if (!(error instanceof UnmovableValue)) throw error;
    // Only the key's values are shown.
    const named = key.map(
      (name) => `${name} ${shown(row[columns.findIndex((column) => column.name === name)])}`,
    );
    throw new MoveError(
      `Column ${error.column} of ${table.name} ${error.message} in the row with ${named.join(', ')}.`,
      { cause: error },
    );
  }
}

function shown(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : JSON.stringify(value);
}
