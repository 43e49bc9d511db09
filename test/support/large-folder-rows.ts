// Generates rows for a database that is filled by hand, the same for the same count.
import type { Connection, Statement } from '../../src/database/engine/sqlite-driver.js';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
export const DAY = 86_400_000;
export const CAMPAIGNS = 40;
export const HASH = Buffer.alloc(32, 7);
export const BODY = `<p>${'Your parcel is on its way to you. '.repeat(12)}</p>`;

type Cell = string | number | Buffer | null;
type RowOf = Record<string, Cell>;

export type Filler = ReturnType<typeof createFiller>;

export interface FolderSize {
  messages: number;
  subTenants: number;
  /** The time that rows are spread over. */
  days: number;
}

export function createFiller(database: Connection, { messages, subTenants, days }: FolderSize) {
  const statements = new Map<string, { columns: string[]; insert: Statement }>();
  const now = Date.now() - 60_000;
  let state = 20_240_229;

  /** From 0 up to 1, the same sequence each time. */
  function chance(): number {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** Columns are those of the table's first row; returns the row's number. */
  function insert(table: string, row: RowOf): number {
    let known = statements.get(table);
    if (!known) {
      const columns = Object.keys(row);
      const marks = columns.map(() => '?').join(', ');
      const text = `INSERT OR IGNORE INTO ${table} (${columns.join(', ')}) VALUES (${marks})`;
      statements.set(table, (known = { columns, insert: database.prepare(text) }));
    }
    return Number(known.insert.run(known.columns.map((column) => row[column] ?? null)).lastInsertRowid);
  }

  function newId(prefix: string, at: number): string {
    let text = '';
    for (let rest = at, i = 0; i < 10; i += 1) {
      text = ALPHABET.charAt(rest % 32) + text;
      rest = Math.floor(rest / 32);
    }
    for (let i = 0; i < 16; i += 1) text += ALPHABET.charAt(Math.floor(chance() * 32));
    return `${prefix}_${text}`;
  }

  const below = (end: number): number => Math.floor(chance() * end);
  const among = <T>(values: readonly T[]): T => {
    const found = values[below(values.length)];
    if (found === undefined) throw new Error('There is nothing to choose from.');
    return found;
  };
  const atOf = (part: number): number => Math.floor(now - days * DAY * (1 - part));
  return { database, messages, subTenants, now, chance, insert, newId, below, among, atOf };
}

/** The objects that the rows refer to. */
export interface World {
  environments: { live: number; test: number; other: number };
  workspaces: { id: string; number: number; head: number }[];
  organizationId: string;
  tenants: string[];
  campaigns: string[];
  sequences: string[];
  sequenceNumbers: number[];
  threads: string[];
  endpoints: string[];
  lists: number[];
  mailQueues: number[];
  contacts: number;
  ids: Record<string, string>;
}

export const domainOf = (n: number): string => (n % 3 === 0 ? 'gmail.example' : `domain-${n % 2000}.example`);
