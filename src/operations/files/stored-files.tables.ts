// Files of an installation whose rows are on a server; empty in a SQLite file, beside which they are in the data folder.
import { blob, instant, int, table, text } from '../../database/columns.js';

export const storedFiles = table('stored_files', {
  /** As in the data folder: transfers, archive, tls. And challenges, which only a server has. */
  folder: text(),
  name: text(),
  /** From 0. All but the last are of one size. */
  part: int(),
  octets: blob(),
  updated_at: instant(),
});
