// Stores increments on this machine that the storage does not have yet.
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { parseReplicaName } from './names.rules.js';

const PART = '.part';

export class Spool {
  readonly #folder: string;
  /** Names in the order of their numbers, with sizes in octets. */
  readonly #waiting: { name: string; bytes: number; since: number }[] = [];
  #bytes = 0;
  /** Number of files at the end of the list that a power failure may lose. */
  #unsafe = 0;

  /** Opens the folder with the files of an earlier process. */
  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(folder).toSorted()) {
      if (name.endsWith(PART)) rmSync(join(folder, name));
      else if (parseReplicaName(name)?.kind === 'increment') {
        const { size, mtimeMs } = statSync(join(folder, name));
        this.#note(name, { bytes: size, since: mtimeMs });
      }
    }
  }

  /** Octets that wait. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Writes a file, which may be lost in a power failure until `sync`. */
  add(name: string, octets: Buffer, since: number): void {
    const path = join(this.#folder, name);
    writeFileSync(path + PART, octets, { mode: 0o600 });
    renameSync(path + PART, path);
    this.#note(name, { bytes: octets.length, since });
    this.#unsafe += 1;
  }

  /** Makes all files durable. */
  sync(): void {
    if (this.#unsafe === 0) return;
    const names = this.#waiting.slice(-this.#unsafe).map(({ name }) => join(this.#folder, name));
    for (const path of [...names, this.#folder]) {
      const file = openSync(path, 'r');
      try {
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
    }
    this.#unsafe = 0;
  }

  get names(): readonly string[] {
    return this.#waiting.map(({ name }) => name);
  }

  /** Time (epoch ms) since which the first file waits; null if none does. */
  get since(): number | null {
    return this.#waiting[0]?.since ?? null;
  }

  /** Name of the first file; undefined if none waits. */
  firstName(): string | undefined {
    return this.#waiting[0]?.name;
  }

  /** Returns null for a file that is not waiting here. */
  async read(name: string): Promise<Buffer | null> {
    return this.#waiting.some((one) => one.name === name) ? readFile(join(this.#folder, name)) : null;
  }

  async removeFirst(): Promise<void> {
    const first = this.#waiting.shift();
    if (first === undefined) return;
    this.#bytes -= first.bytes;
    this.#unsafe = Math.min(this.#unsafe, this.#waiting.length);
    await unlink(join(this.#folder, first.name));
  }

  /** Removes all files but the first ones. */
  keepFirst(count: number): void {
    for (const { name, bytes } of this.#waiting.splice(count)) {
      rmSync(join(this.#folder, name), { force: true });
      this.#bytes -= bytes;
    }
    this.#unsafe = Math.min(this.#unsafe, count);
  }

  #note(name: string, file: { bytes: number; since: number }): void {
    this.#waiting.push({ name, ...file });
    this.#bytes += file.bytes;
  }
}
