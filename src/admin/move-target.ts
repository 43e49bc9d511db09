// Parses the target of `mailkeel admin move`, and names databases without passwords.
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Refusal } from '../contract/refusal.js';
import { type DataFolder, describeDataFolder, hasCode } from '../lib/files/index.js';
import type { DatabasePlace } from '../database/engine/place.js';
import { serverName } from '../database/engine/postgres-pool.js';

export interface MoveTarget {
  place: DatabasePlace;
  /** Data folder of the target's file; null for a server. */
  folder: DataFolder | null;
}

/** Accepts a PostgreSQL URL, a file:// URL or a path of a data folder. Throws a Refusal that does not repeat a URL. */
export async function readTarget(given: string): Promise<MoveTarget> {
  const text = given.trim();
  if (/^postgres(ql)?:/i.test(text)) {
    if (!URL.canParse(text)) throw wrong('The PostgreSQL URL is invalid.');
    return { place: { kind: 'server', url: text }, folder: null };
  }
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(text) && !text.startsWith('file://')) {
    throw wrong('The target must be a postgres:// URL, a file:// URL or the path of a data folder.');
  }
  const path = text.startsWith('file://') ? pathOf(text) : resolve(text);
  if (await isFile(path))
    throw wrong(`${path} is a file. Pass the data folder in which mail.db will be created.`);
  const folder = await describeDataFolder(path);
  return { place: { kind: 'file', file: folder.databaseFile }, folder };
}

/** Returns the file, or server and database without user, password and parameters. */
export function placeName(place: DatabasePlace): string {
  if (place.kind === 'file') return place.file;
  return `postgres://${serverName(place.url)}${new URL(place.url).pathname}`;
}

function pathOf(url: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    throw wrong('The file:// URL is invalid. Use file:///path/to/folder.');
  }
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}

function wrong(message: string): Refusal {
  return new Refusal('validation_error', message);
}
