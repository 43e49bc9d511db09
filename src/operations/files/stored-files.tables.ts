// Table of an installation's files on a database server. Empty in a SQLite file, beside which they are in the data folder.
import { blob, instant, int, table, text } from '../../database/columns.js';

export const storedFiles = table('stored_files', {
  /** `transfers`, `archive` and `tls` as in the data folder, and `challenges`. */
  folder: text(),
  name: text(),
  /** Counted from 0. All parts but the last have the same size. */
  part: int(),
  octets: blob(),
  updated_at: instant(),
});
