// Loads better-sqlite3, whose package includes compiled libraries (docs/adr/0094-sqlite-library.md).
import { createRequire } from 'node:module';
import type Sqlite from 'better-sqlite3';

export type Connection = Sqlite.Database;
export type Statement = Sqlite.Statement;

/** Opens database files; statements throw its `SqliteError`. If loading fails, the error says what to install. */
export const Database: typeof Sqlite = loadLibrary();

function loadLibrary(): typeof Sqlite {
  try {
    const library = createRequire(import.meta.url)('better-sqlite3') as typeof Sqlite;
    // The package loads its compiled library when it opens the first file.
    new library(':memory:').close();
    return library;
  } catch (error) {
    const message =
      `The SQLite library does not load on ${process.platform} ${process.arch}. Run npm ci again; better-sqlite3 carries the ` +
      'library for Linux (x64 and arm64, glibc 2.34 or musl), macOS and Windows.';
    throw new Error(message, { cause: error });
  }
}
