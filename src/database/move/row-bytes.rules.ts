// Rows as octets: the form that PostgreSQL's COPY reads as binary, and at once the text of which the digest of a table is made.
// Each row: the number of columns (2 octets), then of each value its length (4 octets, -1 for null) and its octets. An integer has
// 8 octets, a text is UTF-8. With the kinds of the columns known, two rows have the same octets only if they are the same.
import type { Column } from '../columns.js';

/** An octet zero in a text: kept, left out, or an UnmovableValue. */
export type NulRule = 'keep' | 'drop' | 'refuse';

/** A row's values in the order of the columns. */
export type RowValues = readonly unknown[];

/** A value that a column of the other engine cannot hold; the message goes on after the column's name. */
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
/** Beyond what is needed: an attachment may have 30 MB. */
const GROWTH = 1.25;
const NULL_LENGTH = -1;
const INT_BYTES = 8;
const TWO_TO_32 = 2 ** 32;

/** Collects rows until they are taken. */
export class RowBytes {
  #bytes = Buffer.allocUnsafe(FIRST_CAPACITY);
  #end = 0;

  /** The rows since the last `clear`. Overwritten by the next ones. */
  taken(): Buffer {
    return this.#bytes.subarray(0, this.#end);
  }

  clear(): void {
    this.#end = 0;
  }

  /** Texts from which octets zero were left out. */
  dropped = 0;

  /** Throws UnmovableValue for a value that is not of the column's kind. */
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
    // UTF-8 has at most three octets for each unit of UTF-16.
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
