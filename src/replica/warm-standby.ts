// Keeps a copy of the database that follows a replica on another machine, to take over within seconds.
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readIfThere, replaceFile } from '../lib/files/index.js';
import { listBases } from './base-copy.js';
import { type Progress, type Reached, ReplicaCopy, type ReplicaSource } from './replica-copy.js';

const DATABASE = 'mail.db';
const PROGRESS = 'progress.json';

/** Folder of the copy in a data folder. */
export const followFolder = (dataDir: string): string => join(dataDir, 'follow');

export class WarmStandby {
  readonly #source: ReplicaSource;
  readonly #folder: string;
  /** Null while a base copy could not be fetched. */
  #copy: ReplicaCopy | null;
  #reached: Reached;

  private constructor(source: ReplicaSource, folder: string, copy: ReplicaCopy) {
    this.#source = source;
    this.#folder = folder;
    this.#copy = copy;
    this.#reached = copy.reached;
  }

  /** Continues the copy of the folder, or begins one. Throws a ReplicaError if there is no base copy. */
  static async open(source: ReplicaSource, folder: string): Promise<WarmStandby> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = join(folder, DATABASE);
    const text = await readIfThere(join(folder, PROGRESS));
    const copy =
      text === null
        ? await ReplicaCopy.make(source, file, null)
        : ReplicaCopy.reopen(source, file, JSON.parse(text) as Progress); // as written below
    return new WarmStandby(source, folder, copy);
  }

  get file(): string {
    return join(this.#folder, DATABASE);
  }

  get reached(): Reached {
    return this.#reached;
  }

  get isConsistent(): boolean {
    return this.#copy?.isConsistent ?? false;
  }

  /**
   * Applies new increments. Starts over with the newest base copy if the server has begun a new generation. Returns a gap as a
   * sentence; null without one.
   */
  async advance(): Promise<string | null> {
    let copy = this.#copy;
    let gap = copy === null ? null : await copy.advance();
    if (copy === null || (await this.#hasBetterBase(copy.reached, gap !== null))) {
      copy?.close();
      this.#copy = null;
      await rm(join(this.#folder, PROGRESS), { force: true });
      copy = await ReplicaCopy.make(this.#source, this.file, null);
      this.#copy = copy;
      gap = await copy.advance();
      if (await this.#hasBetterBase(copy.reached, false)) gap ??= 'the newest base copy is damaged';
    }
    copy.sync();
    this.#reached = copy.reached;
    await replaceFile(join(this.#folder, PROGRESS), `${JSON.stringify(copy.progress)}\n`);
    return gap;
  }

  close(): void {
    this.#copy?.close();
  }

  /** Whether there is a base copy of a later generation, or after a gap. */
  async #hasBetterBase({ generation, increment }: Reached, hasGap: boolean): Promise<boolean> {
    const { storage, names } = this.#source;
    const newest = (await listBases(storage, names)).at(-1);
    if (newest === undefined) return false;
    return (
      newest.generation > generation ||
      (hasGap && newest.generation === generation && newest.after > increment)
    );
  }
}
