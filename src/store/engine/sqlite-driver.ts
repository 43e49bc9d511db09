// The SQLite library: better-sqlite3. Its package carries the compiled library for Node-API 10; older releases of Node have its
// last line that runs on them, compiled at the installation (docs/adr/0094-sqlite-library.md).
import { createRequire } from 'node:module';
import type Sqlite from 'better-sqlite3';

export type Connection = Sqlite.Database;
export type Statement = Sqlite.Statement;

/** Of Node 22.14. On an older one better-sqlite3 13 ends the process with a segmentation fault when a file is opened. */
const NODE_API_OF_PACKAGE = 10;

/** Opens database files; `SqliteError` of it is what statements throw. Loading throws an error that says what to install. */
export const Database: typeof Sqlite = loadLibrary();

function loadLibrary(): typeof Sqlite {
  const isOlderNode = Number(process.versions['napi']) < NODE_API_OF_PACKAGE;
  try {
    const library = createRequire(import.meta.url)(
      isOlderNode ? 'better-sqlite3-12' : 'better-sqlite3',
    ) as typeof Sqlite;
    // Loads the compiled part, which the package alone does with the first file.
    new library(':memory:').close();
    return library;
  } catch (error) {
    throw new Error(isOlderNode ? missingForOlderNode() : missing(), { cause: error });
  }
}

function missingForOlderNode(): string {
  return (
    `The SQLite library for Node ${process.versions.node} is missing: it is compiled by npm ci, which needs python3, make and ` +
    'g++ (Debian: apt-get install python3 make g++). Install them and run npm ci again, or use Node 22.14 or newer, for ' +
    'which nothing is compiled.'
  );
}

function missing(): string {
  return (
    `The SQLite library is missing for Node ${process.versions.node} on ${process.platform} ${process.arch}. Run npm ci ` +
    '--ignore-scripts, without --omit=optional: npm 10 takes the package away where python3 is missing. It carries the library ' +
    'for Linux (x64 and arm64, glibc 2.34 or musl), macOS and Windows.'
  );
}
