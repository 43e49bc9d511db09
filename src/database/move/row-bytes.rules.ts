// Encodes rows in PostgreSQL's binary COPY format, which is also the input of a table's digest. Each row has the number of
// columns (2 octets), then for each value its length (4 octets, -1 for null) and its octets. An integer has 8 octets, a text is
// UTF-8. For given kinds of columns, two rows have the same octets only if they are equal.
import type { Column } from '../columns.js';

/** Handling of NUL characters in texts: kept, removed, or refused with an UnmovableValue. */
export type NulRule = 'keep' | 'drop' | 'refuse';

/** A row's values in the order of the columns. */
export type RowValues = readonly unknown[];

/** The other engine cannot store a value in its column. The message continues the column's name. */
export class UnmovableValue extends Error {
  readonly column: string;

  constructor(column: string, reason: string) {
    super(reason);
    this.name = 'UnmovableValue';
    this.column = column;
  }
}

export interface RowColumn extends Pick<Column, 'kind' | 'isNullable'> {
  name: string;
}

const FIRST_CAPACITY = 64 * 1024;
/** Reserves more than needed, because an attachment may have 30 MB. */
const GROWTH = 1.25;
const NULL_LENGTH = -1;
const INT_BYTES = 8;
const TWO_TO_32 = 2 ** 32;

/** Encodes rows into a reusable buffer. */
export class RowBytes {
  #bytes = Buffer.allocUnsafe(FIRST_CAPACITY);
  #end = 0;

  /** Returns the rows since the last `clear`. Later rows overwrite the buffer. */
  taken(): Buffer {
    return this.#bytes.subarray(0, this.#end);
  }

  clear(): void {
    this.#end = 0;
  }

  /** Number of texts from which NUL characters were removed. */
  dropped = 0;

  /** Throws UnmovableValue for a value that does not match the column's kind. */
  add(values: RowValues, columns: readonly RowColumn[], nul: NulRule): void {
    this.#reserve(2);
    this.#end = this.#bytes.writeInt16BE(columns.length, this.#end);
    for (const [i, column] of columns.entries()) this.#addValue(values[i], column, nul);
  }

  #addValue(value: unknown, { name, kind, isNullable }: RowColumn, nul: NulRule): void {
    if (value === null || value === undefined) {
      if (!isNullable) throw new UnmovableValue(name, 'is unexpectedly null');
      this.#reserve(4);
      this.#end = this.#bytes.writeInt32BE(NULL_LENGTH, this.#end);
    } else if (kind === 'int') {
      if (!Number.isSafeInteger(value)) throw new UnmovableValue(name, 'is not an integer below 2^53');
      this.#addInt(value as number);
    } else if (kind === 'text') {
      if (typeof value !== 'string') throw new UnmovableValue(name, 'is not text');
      this.#addText(nul === 'keep' || !value.includes('\0') ? value : this.#withoutNul(value, name, nul));
    } else {
      if (!(value instanceof Uint8Array)) throw new UnmovableValue(name, 'is not binary data');
      this.#reserve(4 + value.length);
      this.#end = this.#bytes.writeInt32BE(value.length, this.#end);
      this.#bytes.set(value, this.#end);
      this.#end += value.length;
    }
  }

  #withoutNul(value: string, name: string, nul: NulRule): string {
    if (nul === 'refuse') {
      throw new UnmovableValue(
        name,
        'contains a NUL character, which PostgreSQL cannot store in text (strip it with --drop-nul)',
      );
    }
    this.dropped += 1;
    return value.replaceAll('\0', '');
  }

  #addInt(value: number): void {
    this.#reserve(4 + INT_BYTES);
    const at = this.#bytes.writeInt32BE(INT_BYTES, this.#end);
    this.#bytes.writeInt32BE(Math.floor(value / TWO_TO_32), at);
    this.#end = this.#bytes.writeUInt32BE(value >>> 0, at + 4);
  }

  #addText(value: string): void {
    // UTF-8 needs at most three octets per UTF-16 unit.
    this.#reserve(4 + 3 * value.length);
    const length = this.#bytes.write(value, this.#end + 4, 'utf8');
    this.#bytes.writeInt32BE(length, this.#end);
    this.#end += 4 + length;
  }

  #reserve(bytes: number): void {
    const needed = this.#end + bytes;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(Math.ceil(GROWTH * needed), FIRST_CAPACITY));
    this.#bytes.copy(larger, 0, 0, this.#end);
    this.#bytes = larger;
  }
}
