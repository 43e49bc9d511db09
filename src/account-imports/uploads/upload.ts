// An uploaded file of another program while it arrives.
import { invalidFields } from '../../contract/refusal.js';

/** A file in the storage. */
export interface SpooledFile {
  size: number;
  /** Reads up to `bytes` at an offset, fewer only at the end; null if the file was deleted. */
  read(offset: number, bytes: number): Promise<Uint8Array | null>;
}

export interface Upload {
  pieces: AsyncIterable<Uint8Array>;
  /** Standard name of the charset that the request declares; null if it declares none. */
  charset: string | null;
  /** Name of the audience that the file has, or of the server to import; null if it is not given. */
  name: string | null;
  /** Stores the pieces until the request ends, for formats that cannot be read from the beginning. */
  spool(pieces: AsyncIterable<Uint8Array>): Promise<SpooledFile>;
  /** Counts rows that are held in memory until the request ends. Throws a Refusal if they are too many. */
  hold: (rows: number) => void;
}

/** Reads an upload and yields the content to store. Throws a Refusal for a file that cannot be imported. */
export type ReceiveUpload = (upload: Upload) => AsyncGenerator<Uint8Array>;

/** Refuses the file with `validation_error`. `problem` continues the path of the field. */
export function unusableFile(problem: string): Error {
  return invalidFields([{ path: 'body', message: problem }]);
}
