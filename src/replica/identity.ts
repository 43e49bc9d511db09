// Stores which generation this data folder continues. The file is not part of a backup, so a restored folder begins a new
// generation.
import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readIfThere, replaceFile } from '../lib/files/index.js';

const FILE = 'generation.json';

/** This machine's folder for the replica. */
export const replicaFolder = (dataDir: string): string => join(dataDir, 'replica');

/** Position at which the database file and the increments were equal. */
interface Emptied {
  /** Last increment before the log was emptied, and its hash. */
  number: number;
  /** State of the database file afterwards. */
  file: string;
}

export interface Identity {
  /** Random; identifies the data folder. */
  server: string;
  /** 0 before the first. */
  generation: number;
  /** Null until the log was emptied in this generation. */
  emptied: Emptied | null;
  /**
   * State that a restore has put into this folder: the newest one of the replica, up to an increment, or an `earlier` one, which
   * the operator knows to lack changes. `null` without a restore, or if the folder has its own generation.
   */
  restored: RestoredState | null;
}

export type RestoredState = { generation: number; increment: number } | 'earlier';

export async function readIdentity(folder: string): Promise<Identity> {
  const text = await readIfThere(join(folder, FILE));
  if (text === null) return { server: newServer(), generation: 0, emptied: null, restored: null };
  return JSON.parse(text) as Identity; // as this program wrote it
}

export function newServer(): string {
  return randomBytes(16).toString('hex');
}

export async function writeIdentity(folder: string, identity: Identity): Promise<void> {
  await replaceFile(join(folder, FILE), `${JSON.stringify(identity)}\n`);
}

/** Records in a restored folder what it continues. `server` is the server that has claimed the replica for it, if any. */
export async function writeRestored(
  folder: string,
  { restored, server = newServer() }: { restored: RestoredState; server?: string },
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeIdentity(folder, { server, generation: 0, emptied: null, restored });
}

/** Text that changes whenever the database file is written. */
export function fileState(file: string): string {
  const { ino, size, mtimeNs } = statSync(file, { bigint: true });
  return [ino, size, mtimeNs].join(':');
}
