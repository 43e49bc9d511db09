// Stores an installation's key files in its PostgreSQL database too, encrypted with the master key, so that another machine
// needs only that key to take over.
import { join } from 'node:path';
import {
  hasKeysOf,
  KeyFileError,
  masterKeyIn,
  openSecret,
  readKeyFiles,
  sealSecret,
  writeKeyFiles,
} from '../../lib/secrets/index.js';
import { readIfThere } from '../../lib/files/index.js';
import type { Engine } from '../../database/engine/engine.js';
import { rowsAs } from '../../database/sql.js';

const PREFIX = 'keys_';
const FIND = `SELECT name, value FROM marks WHERE name LIKE '${PREFIX}%'`;
const KEEP = 'INSERT INTO marks (name, value, created_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING';
const REPLACE = 'UPDATE marks SET value = ? WHERE name = ?';

interface KeyFolder {
  keysFolder: string;
  masterKeyFile: string | null;
}

/**
 * Writes the database's key files to the folder, including keys added later. Throws a KeyFileError if the master key is not the
 * one that encrypted them, or if the folder has different keys.
 */
export async function fetchKeyFiles(engine: Engine, { keysFolder, masterKeyFile }: KeyFolder): Promise<void> {
  const masterKey = await masterKeyIn(keysFolder, masterKeyFile);
  if (masterKey === null) return;
  const rows = await rowsAs<{ name: string; value: Uint8Array }>(engine.rows(FIND, []));
  if (rows.length === 0) return;
  const files: Record<string, string> = {};
  for (const { name, value } of rows) {
    const file = `${name.slice(PREFIX.length)}.json`;
    try {
      const sealed = Buffer.from(value).toString();
      files[file] = openSecret(masterKey, sealed, contextOf(file)).toString();
    } catch (error) {
      throw new KeyFileError(
        'The master key does not match the database at MAILKEEL_DATABASE_URL, so its keys cannot be decrypted. Use the master key of the machine that created the database.',
        { cause: error },
      );
    }
  }
  const there = await Promise.all(
    Object.entries(files).map(async ([file, wanted]) => {
      const content = await readIfThere(join(keysFolder, file));
      if (content === wanted) return 'same';
      return content === null || hasKeysOf(file, wanted, content) ? 'older' : 'other';
    }),
  );
  if (there.every((state) => state === 'same')) return;
  if (there.includes('other')) {
    throw new KeyFileError(
      `The keys in ${keysFolder} do not match the database at MAILKEEL_DATABASE_URL. If the database is correct, move everything except master.json out of this folder and start again. The keys will be loaded from the database.`,
    );
  }
  await writeKeyFiles(keysFolder, files);
}

/** Stores the folder's files in the database, unless it has them. */
export async function keepKeyFiles(
  engine: Engine,
  { keysFolder, masterKeyFile }: KeyFolder,
  { masterKey, now }: { masterKey: Buffer; now: number },
): Promise<void> {
  const files = await readKeyFiles(keysFolder, masterKeyFile);
  await engine.transaction(async (tx) => {
    for (const [file, content] of Object.entries(files)) {
      if (file === 'master.json') continue;
      const sealed = sealSecret(masterKey, Buffer.from(content), contextOf(file));
      await tx.run(KEEP, [markOf(file), Buffer.from(sealed), now]);
    }
  });
}

/** Replaces a file in the database. Other machines get it when they start. */
export async function replaceKeyFile(
  engine: Engine,
  { file, content, masterKey }: { file: string; content: string; masterKey: Buffer },
): Promise<void> {
  const sealed = Buffer.from(sealSecret(masterKey, Buffer.from(content), contextOf(file)));
  await engine.transaction(async (tx) => {
    await tx.run(REPLACE, [sealed, markOf(file)]);
  });
}

const markOf = (file: string): string => `${PREFIX}${file.replace('.json', '')}`;
const contextOf = (file: string): string => `key file ${file}`;
