// Writes the database file anew, without its free pages, so that it can be kept small from then on.
import { Database } from './sqlite-driver.js';

export interface Vacuumed {
  /** Size in octets. */
  before: number;
  after: number;
}

/** Compacts a database that no other process may have open. A failure, also a crash, leaves the file as it was. */
export function vacuumSqlite(file: string): Vacuumed {
  const database = new Database(file, { fileMustExist: true });
  const size = (): number =>
    Number(database.pragma('page_count', { simple: true })) *
    Number(database.pragma('page_size', { simple: true }));
  try {
    const before = size();
    // The setting of an old file changes only by this.
    database.pragma('auto_vacuum = INCREMENTAL');
    database.pragma('temp_store = FILE');
    database.exec('VACUUM');
    database.pragma('wal_checkpoint(TRUNCATE)');
    return { before, after: size() };
  } finally {
    database.close();
  }
}
