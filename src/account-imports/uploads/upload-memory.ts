// Bounds the rows that uploads hold in memory while they are read: those of one file, and those of all that arrive at a time.
import { Refusal } from '../../contract/refusal.js';
import { unusableFile } from './upload.js';

/** Memory of a row of numbers. Other rows count as several. */
const ROW_BYTES = 50;
const MAX_ROWS = 3_000_000;
const MAX_ROWS_OF_ALL = 6_000_000;

/** How many rows a row of texts counts as. */
export function rowsOf({ bytes }: { bytes: number }): number {
  return Math.ceil(bytes / ROW_BYTES);
}

export class UploadMemory {
  #rows = 0;

  /** `hold` throws a Refusal when the rows are too many. */
  open(): { hold: (rows: number) => void; release: () => void } {
    let own = 0;
    return {
      hold: (rows) => {
        own += rows;
        this.#rows += rows;
        if (own > MAX_ROWS) {
          throw unusableFile(
            'has more list memberships, bounces or settings than Mailkeel can hold in memory. Import from an API instead, if the source has one',
          );
        }
        if (this.#rows > MAX_ROWS_OF_ALL) {
          throw new Refusal('unavailable', 'Other large files are being read. Retry in a few minutes.');
        }
      },
      release: () => {
        this.#rows -= own;
      },
    };
  }
}
