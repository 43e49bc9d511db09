// Rewrites the database file without free pages, after which it can release them continuously.
import { Database } from './sqlite-driver.js';

export interface Vacuumed {
  /** Size in octets. */
  before: number;
  after: number;
}

/** Compacts a database that no other process may have open. A failure or a crash leaves the file unchanged. */
export function vacuumSqlite(file: string): Vacuumed {
  const database = new Database(file, { fileMustExist: true });
  const size = (): number =>
    Number(database.pragma('page_count', { simple: true })) *
    Number(database.pragma('page_size', { simple: true }));
  try {
    const before = size();
    // VACUUM is the only way to change this setting of an existing file.
    database.pragma('auto_vacuum = INCREMENTAL');
    database.pragma('temp_store = FILE');
    database.exec('VACUUM');
    database.pragma('wal_checkpoint(TRUNCATE)');
    return { before, after: size() };
  } finally {
    database.close();
  }
}
