// Interface of a database engine for the store, and the few differences between the two, by name.
import type { Kysely, RawBuilder } from 'kysely';
import type { MissedConnections } from './postgres-pool.js';
import type { Damage } from './damage.js';
import type { Readings } from './reading.js';
import type { RowIds } from './row-ids.js';

export type Value = string | number | Uint8Array | null;
export type Row = Record<string, unknown>;

/** One open transaction. */
export interface Tx {
  /** Runs a statement written with `?` placeholders, by hand, because it is hot. */
  run(statement: string, values: readonly Value[]): Row[] | Promise<Row[]>;
  /** Runs a statement that returns nothing. Its failure fails the next `settle`, and the transaction. */
  post(statement: string, values: readonly Value[]): void;
  /** Resolves when what was posted is done. Rejects with the first failure. */
  settle(): Promise<void> | void;
  /** The same transaction for everything else. `$extendTables` names the tables that a query reads. */
  readonly db: Kysely<unknown>;
}

/** Search of contacts by a part of their address or name. */
export interface ContactSearch {
  create: readonly string[];
  /** Statements that rebuild the index from the contacts. */
  fill: readonly string[];
  /** Null where the rows themselves are searched. */
  index: ContactSearchIndex | null;
}

/** Statements with `?` placeholders. A text is what contacts/search.store.ts makes of a contact. */
export interface ContactSearchIndex {
  /** Number, text. */
  add: string;
  /** Number, text. */
  replace: string;
  /** Number. */
  remove: string;
  /** Pattern, the number that they lie below, limit: numbers, the highest first. */
  find: string;
}

/** Spelling of the engine for statements of the migrations. */
export interface AppendOnlyRules {
  fixed: readonly string[];
  /** Columns that may be set to NULL. */
  erasable: readonly string[];
  /** An SQL condition about OLD; a row that fulfills it may be deleted. */
  deletableIf: string;
}

export interface Spelling {
  int: string;
  blob: string;
  /** An integer primary key that the engine counts up. */
  id: string;
  /** The same, which never gives the number of a deleted row to another. */
  lastingId: string;
  /** An integer primary key that we choose. */
  intKey: string;
  /** After a table whose rows are to lie in the order of their primary key. */
  clustered: string;
  contactSearch: ContactSearch;
  /** The text of a string, number or boolean of a JSON column's first level; null for anything else. */
  jsonText(column: string, key: string): RawBuilder<string | null>;
  /** Returns statements that make a table refuse UPDATE and DELETE, with the exceptions of `rules`. */
  appendOnly(table: string, rules: AppendOnlyRules): string[];
  /** The time of the database's clock, epoch ms. */
  now: string;
  /** A statement with a row where the table of that name (a placeholder) exists. */
  hasTable: string;
  /** Statements by which a migration waits for other processes that migrate, and takes its time. None where one at a time writes. */
  beforeMigration: readonly string[];
}

/** Size of a database in a file, in octets. */
export interface FileSize {
  bytes: number;
  /** Of these, pages that hold nothing and wait to be used again. */
  freeBytes: number;
  pageBytes: number;
  /** The write-ahead log beside it. */
  logBytes: number;
  /** Free pages can be given back while the server runs. False in files that older releases made. */
  canShrink: boolean;
}

/** Upkeep that keeps a database file small. */
export interface FileUpkeep {
  size(): Promise<FileSize>;
  /** Gives up to so many free pages back, between two transactions. The file is cut with the next checkpoint. */
  shrink(pages: number): Promise<void>;
  /** Writes the log back and cuts it. False when a reader was in the way: it is done as far as that. */
  checkpoint(): Promise<boolean>;
}

export interface TransactionOptions {
  isMigration?: boolean;
  /**
   * Asked when the answer to COMMIT was lost: whether what the last run of the work wrote was kept, null when nobody can tell.
   * `ask` runs a statement by itself. Asked again when it rejects as unavailable. Without it such a commit's outcome is unknown.
   */
  wasKept?: (ask: (statement: string, values: readonly Value[]) => Promise<Row[]>) => Promise<boolean | null>;
}

export interface Engine {
  readonly name: 'sqlite' | 'postgres';
  readonly spelling: Spelling;
  /** Appended to a SELECT whose rows are about to be changed. '' where one connection writes. */
  readonly forUpdate: string;
  /** The same for the rows of one table of the join, without those that another node has. */
  forUpdateSkipLocked(table: string): string;
  /** Sees committed rows only, never an open transaction of this process. */
  readonly read: Kysely<unknown>;
  /** The same for a hot read written by hand, with `?` placeholders. */
  rows(statement: string, values: readonly Value[]): Row[] | Promise<Row[]>;
  /**
   * Readings on reader threads: reads within one, by `read` or `rows`, block nobody. Null where every read waits for
   * a server.
   */
  readonly readings: Pick<Readings, 'open'> | null;
  /** Outside of a transaction; migrations only. */
  readonly schema: Kysely<unknown>;
  /**
   * Time (ms) after which a transaction takes no more plans of a group, since it holds the main thread: requests are answered between two.
   * Null where a server does the work.
   */
  readonly groupMs: number | null;
  /** One at a time: commits when `work` resolves, rolls back when it rejects. */
  transaction<T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Ids of rows that a transaction inserts with an id that it knows before. */
  rowIds(tx: Tx): RowIds;
  /** Number of statements that were run since it was opened, those of the reader threads left out. */
  statements(): number;
  /** True for a full disk, a lock held by another process and the like: nothing was kept, try later. */
  isUnavailable(error: unknown): boolean;
  /** True when a commit was under way as the connection was lost: it may have been kept. */
  isOutcomeUnknown(error: unknown): boolean;
  isUniqueViolation(error: unknown): boolean;
  /** True for a page or an index that is damaged. Reads and transactions reject with the refusal `database_damaged` then. */
  isDamage(error: unknown): boolean;
  readonly damage: Damage;
  /** Connections to a server that were not available in time; null: there is no server. */
  missedConnections(): Readonly<MissedConnections> | null;
  /** Ends all connections to a server that does not answer; statements under way fail as unavailable. */
  cutOff(): void;
  /** Null where a server does that by itself. */
  readonly upkeep: FileUpkeep | null;
  close(): Promise<void>;
}
