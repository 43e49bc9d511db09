// Extracts files from a winmail.dat, which Outlook sends to recipients it takes for Exchange users (MS-OXTNEF
// sections 2.1.3 and 2.1.4, MS-OXCDATA section 2.11.1).
import { decodeCharset } from './charset.js';

interface TnefFile {
  /** As the sender wrote it; `null` without one. */
  filename: string | null;
  /** A view of the input. */
  content: Uint8Array;
}

const SIGNATURE = 0x223e9f78;
const ATTACHMENT_BEGINS = 0x0006_9002;
const ATTACHMENT_TITLE = 0x0001_8010;
const ATTACHMENT_DATA = 0x0006_800f;
const ATTACHMENT_PROPERTIES = 0x0006_9005;
const CODE_PAGE = 0x0006_9007;
const LONG_FILENAME = 0x3707;
const DATA = 0x3701;
const MAX_FILES = 200;
const MAX_PROPERTIES = 200;

/** Octets of a value by its type. Values of other types carry their length. */
const FIXED_SIZES: Readonly<Record<number, number>> = {
  0x02: 4,
  0x03: 4,
  0x04: 4,
  0x05: 8,
  0x06: 8,
  0x07: 8,
  0x0a: 4,
  0x0b: 4,
  0x14: 8,
  0x40: 8,
  0x48: 16,
};
const STRING_8 = 0x1e;
const STRING_16 = 0x1f;
const BINARY = 0x102;
const OBJECT = 0x0d;

/** Returns the files, at most 200, or `null` for another format. Stops at truncated data. */
export function readTnefFiles(octets: Uint8Array): TnefFile[] | null {
  const data = Buffer.from(octets.buffer, octets.byteOffset, octets.byteLength);
  if (data.length < 6 || data.readUInt32LE(0) !== SIGNATURE) return null;
  const files: (Omit<TnefFile, 'content'> & { content: Uint8Array | null })[] = [];
  let charset: string | null = null;
  let at = 6;
  // Each attribute has a level, an id, a length, a value and a checksum.
  while (at + 9 <= data.length && files.length <= MAX_FILES) {
    const attribute = data.readUInt32LE(at + 1);
    const end = at + 9 + data.readUInt32LE(at + 5);
    if (end > data.length) break;
    const value = data.subarray(at + 9, end);
    const file = files.at(-1);
    if (attribute === CODE_PAGE && value.length >= 4) charset = `windows-${value.readUInt32LE(0)}`;
    else if (attribute === ATTACHMENT_BEGINS) files.push({ filename: null, content: null });
    else if (file && attribute === ATTACHMENT_TITLE) file.filename ??= decodeString(value, charset);
    else if (file && attribute === ATTACHMENT_DATA) file.content = value;
    else if (file && attribute === ATTACHMENT_PROPERTIES) Object.assign(file, readProperties(value, charset));
    at = end + 2;
  }
  return files
    .slice(0, MAX_FILES)
    .flatMap(({ filename, content }) => (content === null ? [] : [{ filename, content }]));
}

/** Returns the long file name and the octets of an attachment; a truncated list yields what precedes the break. */
function readProperties(properties: Buffer, charset: string | null): Partial<TnefFile> {
  const reader = new Reader(properties);
  const count = Math.min(reader.uint32(), MAX_PROPERTIES);
  const found: Partial<TnefFile> = {};
  for (let i = 0; i < count && !reader.isBroken(); i++) {
    const type = reader.uint16();
    const id = reader.uint16();
    if (id >= 0x8000) reader.skipName();
    const fixed = FIXED_SIZES[type];
    if (fixed !== undefined) {
      reader.take(fixed);
      continue;
    }
    const values = Math.min(reader.uint32(), MAX_PROPERTIES);
    for (let n = 0; n < values && !reader.isBroken(); n++) {
      const value = reader.padded(reader.uint32());
      if (reader.isBroken()) break;
      if (id === LONG_FILENAME && type === STRING_8) found.filename = decodeString(value, charset);
      if (id === LONG_FILENAME && type === STRING_16) found.filename = decodeWideString(value);
      if (id === DATA && type === BINARY) found.content = value;
      // The class id of the object comes first.
      if (id === DATA && type === OBJECT) found.content = value.subarray(16);
    }
  }
  return found;
}

function decodeWideString(value: Buffer): string {
  return value.toString('utf16le').replace(/\0.*$/s, '').toWellFormed();
}

function decodeString(value: Buffer, charset: string | null): string | null {
  const end = value.indexOf(0);
  const text = decodeCharset(end < 0 ? value : value.subarray(0, end), charset);
  return text === '' ? null : text;
}

/** Reads little-endian values. Past the end it returns zeros and empty buffers, and `isBroken` is true. */
class Reader {
  readonly #data: Buffer;
  #at = 0;
  #isBroken = false;

  constructor(data: Buffer) {
    this.#data = data;
  }

  isBroken(): boolean {
    return this.#isBroken;
  }

  take(size: number): Buffer {
    const end = this.#at + size;
    if (end > this.#data.length) {
      this.#isBroken = true;
      return Buffer.alloc(0);
    }
    const value = this.#data.subarray(this.#at, end);
    this.#at = end;
    return value;
  }

  uint16(): number {
    const value = this.take(2);
    return value.length === 0 ? 0 : value.readUInt16LE(0);
  }

  uint32(): number {
    const value = this.take(4);
    return value.length === 0 ? 0 : value.readUInt32LE(0);
  }

  /** Returns a value and skips the octets that pad it to a multiple of four. */
  padded(size: number): Buffer {
    const value = this.take(size);
    this.take((4 - (size % 4)) % 4);
    return value;
  }

  /** Skips the GUID and the id or name of a named property. */
  skipName(): void {
    this.take(16);
    const isString = this.uint32() === 1;
    if (isString) this.padded(this.uint32());
    else this.take(4);
  }
}
