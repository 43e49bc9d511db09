// The interface of a database engine, and the differences between the two engines by name.
import type { Kysely, RawBuilder } from 'kysely';
import type { MissedConnections } from './postgres-pool.js';
import type { Damage } from './damage.js';
import type { MessageSearch } from './message-search.js';
import type { Readings } from './reading.js';
import type { RowIds } from './row-ids.js';

export type Value = string | number | Uint8Array | null;
export type Row = Record<string, unknown>;

/** One open transaction. */
export interface Tx {
  /** Runs a frequent statement, written by hand with `?` placeholders. */
  run(statement: string, values: readonly Value[]): Row[] | Promise<Row[]>;
  /** Runs a statement that returns no rows. Its failure fails the next `settle` and the transaction. */
  post(statement: string, values: readonly Value[]): void;
  /** Resolves when the posted statements have completed. Rejects with the first failure. */
  settle(): Promise<void> | void;
  /** Kysely on the same transaction. `$extendTables` names the tables of a query. */
  readonly db: Kysely<unknown>;
}

/** Search of contacts by part of their address or name. */
interface ContactSearch {
  create: readonly string[];
  /** Statements that rebuild the index from the contacts. */
  fill: readonly string[];
  /** Null if the search reads the rows themselves. */
  index: ContactSearchIndex | null;
}

/** Statements with `?` placeholders. contacts/search.store.ts derives the text from a contact. */
interface ContactSearchIndex {
  /** Parameters: number, text. */
  add: string;
  /** Parameters: number, text. */
  replace: string;
  /** Parameter: number. */
  remove: string;
  /** Parameters: pattern, exclusive upper bound of the numbers, limit. Returns numbers in descending order. */
  find: string;
}

/** Exceptions of an append-only table. */
interface AppendOnlyRules {
  fixed: readonly string[];
  /** Columns that may be set to NULL. */
  erasable: readonly string[];
  /** SQL condition on OLD; matching rows may be deleted. */
  deletableIf: string;
}

export interface Spelling {
  int: string;
  blob: string;
  /** Integer primary key with a counter. */
  id: string;
  /** Integer primary key that never reuses the number of a deleted row. */
  lastingId: string;
  /** Returns statements after which new rows of a filled table get ids after the greatest one. */
  continueIds(table: string): string[];
  /** Integer primary key chosen by the program. */
  intKey: string;
  /** Suffix of a table whose rows are stored in the order of the primary key. */
  clustered: string;
  contactSearch: ContactSearch;
  messageSearch: MessageSearch;
  /** Returns a string, number or boolean at the top level of a JSON column as text; null for any other value. */
  jsonText(column: string, key: string): RawBuilder<string | null>;
  /** Returns statements that make a table refuse UPDATE and DELETE, with the exceptions of `rules`. */
  appendOnly(table: string, rules: AppendOnlyRules): string[];
  /** The database's current time in epoch ms. */
  now: string;
  /** Returns a row if the table with the given name (a placeholder) exists. */
  hasTable: string;
  /** Statements that wait for other migrating processes and lift time limits. Empty if only one process writes at a time. */
  beforeMigration: readonly string[];
}

/** Size of a database file in octets. */
export interface FileSize {
  bytes: number;
  /** Octets of unused pages within the file. */
  freeBytes: number;
  pageBytes: number;
  /** Size of the write-ahead log. */
  logBytes: number;
  /** Whether free pages can be released while the server runs. False for files created by older releases. */
  canShrink: boolean;
}

/** Maintenance that keeps a database file small. */
export interface FileUpkeep {
  size(): Promise<FileSize>;
  /** Releases up to this many free pages between two transactions. The next checkpoint truncates the file. */
  shrink(pages: number): Promise<void>;
  /** Writes the log back and truncates it, unless a replica does. Resolves to false if a reader prevented part of that. */
  checkpoint(): Promise<boolean>;
  /** Runs work between two transactions. */
  pauseWrites(work: () => Promise<void>): Promise<void>;
}

export interface TransactionOptions {
  isMigration?: boolean;
  /**
   * Called if the answer to COMMIT was lost. Resolves to whether the last run of the work was kept, or null if that cannot be
   * determined. `ask` runs a statement on its own. Called again if it rejects as unavailable. Without it, the outcome is
   * unknown.
   */
  wasKept?: (ask: (statement: string, values: readonly Value[]) => Promise<Row[]>) => Promise<boolean | null>;
}

export interface Engine {
  readonly name: 'sqlite' | 'postgres';
  readonly spelling: Spelling;
  /** Suffix of a SELECT whose rows will be changed; empty if only one connection writes. */
  readonly forUpdate: string;
  /** Like `forUpdate` for one table of a join, skipping rows that another node has locked. */
  forUpdateSkipLocked(table: string): string;
  /** Reads committed rows only, never an open transaction of this process. */
  readonly read: Kysely<unknown>;
  /** Like `read`, for a frequent query written by hand with `?` placeholders. */
  rows(statement: string, values: readonly Value[]): Row[] | Promise<Row[]>;
  /**
   * Readings on reader threads. Reads in a reading, by `read` or `rows`, do not block the main thread. Null if a server
   * executes all reads.
   */
  readonly readings: Pick<Readings, 'open'> | null;
  /** Runs outside transactions; for migrations only. */
  readonly schema: Kysely<unknown>;
  /**
   * Time (ms) after which a transaction accepts no more plans of a group, because it blocks the main thread and requests must
   * be answered in between. Null if a server executes the statements.
   */
  readonly groupMs: number | null;
  /** Runs one transaction at a time. Commits if `work` resolves, rolls back if it rejects. Resolves when it is on disk. */
  transaction<T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Resolves when the commits that reads can see are on disk. */
  flushed(): Promise<void>;
  /** Allocates ids for rows before a transaction inserts them. */
  rowIds(tx: Tx): RowIds;
  /** Number of statements run since the engine was opened, without those of reader threads. */
  statements(): number;
  /** True for a full disk, another process's lock and similar errors: nothing was kept, and a retry may succeed. */
  isUnavailable(error: unknown): boolean;
  /** True if the connection was lost or the disk failed during a commit, which may have been kept. */
  isOutcomeUnknown(error: unknown): boolean;
  isUniqueViolation(error: unknown): boolean;
  /** True for a damaged page or index. Reads and transactions then reject with the refusal `database_damaged`. */
  isDamage(error: unknown): boolean;
  readonly damage: Damage;
  /** Failed attempts to get a server connection in time; null without a server. */
  missedConnections(): Readonly<MissedConnections> | null;
  /** Closes all connections to a server that does not respond. Running statements fail as unavailable. */
  cutOff(): void;
  /** Null if the server maintains itself. */
  readonly upkeep: FileUpkeep | null;
  close(): Promise<void>;
}
