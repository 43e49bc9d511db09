// Builds a database file from a replica: a base copy and the increments after it, each checked against the previous one.
import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { type BaseManifest, listBases, readBase } from './base-copy.js';
import { parseReplicaName, type ReplicaNames } from './names.rules.js';
import {
  decodePageFile,
  fileHash,
  type IncrementHead,
  MOST_FILE_BYTES,
  type PageFile,
  PageFileError,
  type PageImages,
} from './page-file.js';
import { ReplicaError } from './replica-json.js';
import type { ReplicaStorage } from './replica-storage.js';

/** Files that are fetched at the same time. */
const AT_ONCE = 8;

export interface ReplicaSource {
  storage: ReplicaStorage;
  names: ReplicaNames;
  key: Buffer;
}

/** How recent a copy is. */
export interface Reached {
  generation: number;
  increment: number;
  /** Includes commits up to this time, in epoch ms. */
  until: number;
}

/** Progress of a file, from which to continue. */
export interface Progress extends Reached {
  hash: string;
  /** Increment from which on the file is consistent. */
  consistentFrom: number;
}

export class ReplicaCopy {
  readonly #source: ReplicaSource;
  readonly #file: number;
  #progress: Progress;

  private constructor(source: ReplicaSource, file: number, progress: Progress) {
    this.#source = source;
    this.#file = file;
    this.#progress = progress;
  }

  /**
   * Builds the file from the newest undamaged base copy that leads to a consistent database, at `until` (epoch ms) if given. Throws
   * a ReplicaError if there is none.
   */
  static async make(source: ReplicaSource, file: string, until: number | null): Promise<ReplicaCopy> {
    const { storage, names } = source;
    let damaged: ReplicaError | null = null;
    for (const name of (await listBases(storage, names)).toReversed()) {
      try {
        const base = await readBase(storage, names, name);
        if (until !== null && Date.parse(base.consistent_at) > until) continue;
        if (!(await isReachable(source, base))) continue;
        return await ReplicaCopy.#from(source, base, file);
      } catch (error) {
        // The previous copy reaches the same state, with more increments.
        if (!(error instanceof ReplicaError)) throw error;
        damaged ??= error;
      }
    }
    if (damaged !== null) throw damaged;
    const when = until === null ? '' : ` for ${new Date(until).toISOString()}`;
    throw new ReplicaError(`${storage.name} has no complete base copy${when}.`);
  }

  static async #from(source: ReplicaSource, base: BaseManifest, file: string): Promise<ReplicaCopy> {
    const { generation, after, after_hash: hash, consistent_from: consistentFrom } = base;
    const begun = Date.parse(base.created_at);
    const progress = { generation, increment: after, hash, until: begun, consistentFrom };
    const copy = new ReplicaCopy(source, openSync(file, 'w+', 0o600), progress);
    try {
      await copy.#writeBase(base);
      return copy;
    } catch (error) {
      copy.close();
      throw error instanceof PageFileError
        ? new ReplicaError(`A part of the base copy ${error.message}.`, { cause: error })
        : error;
    }
  }

  /** Continues a file, even after a crash, because pages of later increments in it are written again. */
  static reopen(source: ReplicaSource, file: string, progress: Progress): ReplicaCopy {
    return new ReplicaCopy(source, openSync(file, 'r+'), progress);
  }

  /** For `reopen`. */
  get progress(): Progress {
    return this.#progress;
  }

  get reached(): Reached {
    const { generation, increment, until } = this.#progress;
    return { generation, increment, until };
  }

  /** False until all increments are applied that the base copy needs. */
  get isConsistent(): boolean {
    return this.#progress.increment >= this.#progress.consistentFrom;
  }

  /** Applies the available increments, up to `until` (epoch ms). Returns the gap that ends them as a sentence; null without one. */
  async advance(until: number | null = null): Promise<string | null> {
    const { storage, names, key } = this.#source;
    const { generation, increment, consistentFrom } = this.#progress;
    const last = names.increment(generation, increment);
    const listed = (await storage.list(names.increments(generation), last)).flatMap((name) => {
      const file = parseReplicaName(name);
      return file?.kind === 'increment' ? [{ name, number: file.number }] : [];
    });
    let { hash } = this.#progress;
    let number = increment;
    /** Increments of a transaction whose last one is not read yet. */
    let open: string[] = [];
    for await (const [{ name, number: found }, octets] of fetched(storage, listed)) {
      number += 1;
      if (found !== number) return gap(`increment ${number} is missing`, listed.at(-1)?.number, number);
      let file: PageFile<IncrementHead>;
      try {
        file = asIncrement(decodePageFile(key, octets), { generation, number, previous: hash });
      } catch (error) {
        if (!(error instanceof PageFileError)) throw error;
        return gap(`increment ${number} ${error.message}`, listed.at(-1)?.number, number);
      }
      const { head, pages } = file;
      if (until !== null && Date.parse(head.until) > until) return null;
      hash = fileHash(octets);
      if (head.database_pages === null) {
        open.push(name);
        continue;
      }
      for (const part of open) await this.#writeAgain(part);
      open = [];
      this.#write(pages, head.page_bytes);
      this.#resize(head.database_pages * head.page_bytes);
      this.#progress = { generation, increment: number, hash, until: Date.parse(head.until), consistentFrom };
    }
    return null;
  }

  /** Makes the file durable. */
  sync(): void {
    fsyncSync(this.#file);
  }

  close(): void {
    closeSync(this.#file);
  }

  async #writeBase(base: BaseManifest): Promise<void> {
    const { storage, key } = this.#source;
    const parts = base.parts.map(({ file, sha256 }) => ({ name: file, sha256 }));
    for await (const [{ name, sha256 }, octets] of fetched(storage, parts)) {
      if (fileHash(octets) !== sha256) throw new ReplicaError(`${name} is damaged or changed.`);
      const { head, pages } = decodePageFile(key, octets);
      if (head.kind !== 'base_part' || head.generation !== base.generation) {
        throw new ReplicaError(`${name} belongs to another base copy.`);
      }
      this.#write(pages, head.page_bytes);
    }
  }

  async #writeAgain(name: string): Promise<void> {
    const octets = await this.#source.storage.get(name, MOST_FILE_BYTES);
    if (octets === null) throw new ReplicaError(`${name} is missing.`);
    const { head, pages } = decodePageFile(this.#source.key, octets);
    this.#write(pages, head.page_bytes);
  }

  #write(pages: PageImages, pageBytes: number): void {
    for (const [page, image] of pages) {
      const at = (page - 1) * pageBytes;
      for (let written = 0; written < image.length;) {
        written += writeSync(this.#file, image, written, image.length - written, at + written);
      }
    }
  }

  #resize(bytes: number): void {
    if (fstatSync(this.#file).size !== bytes) ftruncateSync(this.#file, bytes);
  }
}

function gap(problem: string, last: number | undefined, number: number): string {
  const later = (last ?? number) - number;
  return later <= 0 ? problem : `${problem}, and ${later} later increments cannot be used without it`;
}

function asIncrement(
  { head, pages }: PageFile,
  wanted: Pick<IncrementHead, 'generation' | 'number' | 'previous'>,
): PageFile<IncrementHead> {
  if (head.kind !== 'increment' || head.generation !== wanted.generation || head.number !== wanted.number) {
    throw new PageFileError('is another file than its name says');
  }
  if (head.previous !== wanted.previous) throw new PageFileError('does not follow the one before');
  return { head, pages };
}

/** Whether the increments that the base copy needs exist. */
async function isReachable({ storage, names }: ReplicaSource, base: BaseManifest): Promise<boolean> {
  const { generation, after, consistent_from: until } = base;
  if (until === after) return true;
  const listed = await storage.list(names.increments(generation), names.increment(generation, after));
  return listed[until - after - 1] === names.increment(generation, until);
}

/** Fetches files in order, several in advance. */
async function* fetched<T extends { name: string }>(
  storage: ReplicaStorage,
  files: readonly T[],
): AsyncGenerator<[T, Buffer]> {
  const ahead: { file: T; octets: Promise<Buffer | null> }[] = [];
  const begin = (file: T | undefined): void => {
    if (file === undefined) return;
    const octets = storage.get(file.name, MOST_FILE_BYTES);
    octets.catch(() => undefined); // The await below gets the error.
    ahead.push({ file, octets });
  };
  for (const file of files.slice(0, AT_ONCE)) begin(file);
  for (let next = AT_ONCE; ; next++) {
    const first = ahead.shift();
    if (first === undefined) return;
    const octets = await first.octets;
    if (octets === null) throw new ReplicaError(`${first.file.name} is missing.`);
    yield [first.file, octets];
    begin(files[next]);
  }
}
