// A database at one end of a move, which is read in key order or filled.
import type { Table } from '../columns.js';
import type { Reference } from './table-order.rules.js';
import type { RowValues } from './row-bytes.rules.js';

/** SQLite answers synchronously, PostgreSQL asynchronously. */
type Answer<T> = T | Promise<T>;

/** A column with a counter of the database. */
export interface Counter {
  table: string;
  column: string;
}

export interface BatchLimits {
  /** The most rows of one batch. */
  rows: number;
  /** Maximum octets of one batch. A larger row is a separate batch. */
  bytes: number;
}

export interface Side {
  /** Whether its texts can contain NUL characters. */
  readonly allowsNul: boolean;
  /** Hides rows that others commit from now on, or prevents such commits if the database has locks for that. */
  beginReading(): Answer<void>;
  /** Resolves to false if the database was written to meanwhile. */
  endReading(): Answer<boolean>;
  count(table: Table): Answer<number>;
  /** Returns the columns of the primary key. */
  key(table: Table): Answer<string[]>;
  /** Returns all rows in primary key order; texts are ordered by their UTF-8 octets. */
  batches(table: Table, limits: BatchLimits): Iterable<RowValues[]> | AsyncIterable<RowValues[]>;
  /** Returns the highest number that the column ever had, as far as the database knows; 0 if there is none. */
  highest(counter: Counter): Answer<number>;

  references(): Answer<Reference[]>;
  /** Returns the columns whose counters are stored separately from the rows. */
  counters(): Answer<Counter[]>;
  beginTable(table: Table): Answer<void>;
  /** `bytes` has the same rows as encoded by RowBytes. */
  write(rows: readonly RowValues[], bytes: Buffer): Answer<void>;
  endTable(): Answer<void>;
  continueAfter(counter: Counter, highest: number): Answer<void>;
  /** Called when all rows are written. */
  settle(): Answer<void>;
  close(): Answer<void>;
}
