// Creates and checks the data folder, which contains the database, keys and other files of the program.
import { constants } from 'node:fs';
import { access, mkdir, open, stat, unlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';

export interface DataFolder {
  /** Absolute. */
  path: string;
  databaseFile: string;
  keysFolder: string;
  /** Returns whether there is data, so that missing keys mean a loss rather than a first start. */
  databaseExists: boolean;
}

/** The data folder cannot be used. The message names it and says what to do. */
export class DataFolderError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DataFolderError';
  }
}

const PRIVATE = 0o700;
/** File in the folder while a restore exchanges files, which may then belong to two histories. */
export const RESTORE_MARKER = 'restore.unfinished';

/** Returns the paths in the folder. Only checks whether a database exists. */
export async function describeDataFolder(dir: string): Promise<DataFolder> {
  const path = resolve(dir);
  const databaseFile = join(path, 'mail.db');
  return {
    path,
    databaseFile,
    keysFolder: join(path, 'keys'),
    databaseExists: (await fileSize(databaseFile)) > 0,
  };
}

/**
 * Creates the folder (0700) and `keys/` in it if missing. An existing folder keeps its mode, since it may be
 * a mounted volume. Throws a DataFolderError if the path is a file or not writable.
 */
export async function prepareDataFolder(dir: string): Promise<DataFolder> {
  const path = resolve(dir);
  const keysFolder = join(path, 'keys');
  try {
    await mkdir(keysFolder, { recursive: true, mode: PRIVATE });
    await access(keysFolder, constants.R_OK | constants.W_OK | constants.X_OK);
    await probe(path);
  } catch (error) {
    throw new DataFolderError(`${describe(error, path)} The path is set with MAILKEEL_DATA_DIR.`, {
      cause: error,
    });
  }
  return describeDataFolder(path);
}

/** Throws a DataFolderError while a restore is unfinished. */
export async function refuseUnfinishedRestore(path: string): Promise<void> {
  if ((await fileSize(join(path, RESTORE_MARKER))) === 0) return;
  throw new DataFolderError(
    `A restore in the data folder ${path} was interrupted. Run "mailkeel admin restore --finish" first.`,
  );
}

/** Writes a file, because only writing reveals a read-only file system or a full disk. */
async function probe(path: string): Promise<void> {
  const file = join(path, `.probe-${process.pid}`);
  const handle = await open(file, 'w', 0o600);
  try {
    await handle.writeFile('mailkeel');
    await handle.sync();
  } finally {
    await handle.close();
    await unlink(file);
  }
}

async function fileSize(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return 0;
    throw error;
  }
}

function describe(error: unknown, path: string): string {
  switch (errorCode(error)) {
    case 'EEXIST':
    case 'ENOTDIR':
      return `Can't create the data folder ${path} because a file with this name exists.`;
    case 'EACCES':
    case 'EPERM':
      return `Can't write to the data folder ${path}. Change its owner or permissions.`;
    case 'EROFS':
      return `The data folder ${path} is on a read-only file system.`;
    case 'ENOSPC':
      return `The disk of the data folder ${path} is full.`;
    default:
      return `Can't use the data folder ${path}: ${error instanceof Error ? error.message : String(error)}.`;
  }
}

function errorCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  return typeof code === 'string' ? code : '';
}
