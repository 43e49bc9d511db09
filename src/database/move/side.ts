// One end of a move of all rows: a database that is read in the order of its keys, or filled.
import type { Table } from '../columns.js';
import type { Reference } from './table-order.rules.js';
import type { RowValues } from './row-bytes.rules.js';

/** One engine answers at once, the other when its server does. */
type Answer<T> = T | Promise<T>;

/** A column that the database counts up. */
export interface Counter {
  table: string;
  column: string;
}

export interface BatchLimits {
  /** The most rows of one batch. */
  rows: number;
  /** The most octets of one batch; a row that alone has more is a batch of its own. */
  bytes: number;
}

export interface Side {
  /** Its texts can hold an octet zero. */
  readonly allowsNul: boolean;
  /** Rows that others commit from now on are not seen; where the database has locks for that, nobody commits any. */
  beginReading(): Answer<void>;
  /** False when somebody has written meanwhile. */
  endReading(): Answer<boolean>;
  count(table: Table): Answer<number>;
  /** Columns of the primary key. */
  key(table: Table): Answer<string[]>;
  /** All rows in the order of the primary key; texts as their UTF-8 octets are ordered. */
  batches(table: Table, limits: BatchLimits): Iterable<RowValues[]> | AsyncIterable<RowValues[]>;
  /** The highest number that the column ever had, as far as the database knows; 0 for none. */
  highest(counter: Counter): Answer<number>;

  references(): Answer<Reference[]>;
  /** Columns whose counter is kept apart from the rows. */
  counters(): Answer<Counter[]>;
  beginTable(table: Table): Answer<void>;
  /** `bytes`: the same rows as RowBytes has them. */
  write(rows: readonly RowValues[], bytes: Buffer): Answer<void>;
  endTable(): Answer<void>;
  continueAfter(counter: Counter, highest: number): Answer<void>;
  /** Once all rows are there. */
  settle(): Answer<void>;
  close(): Answer<void>;
}
