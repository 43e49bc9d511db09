// Where SQLite keeps what it sorts and copies on disk.

/** Counts when nothing was kept there yet: SQLite asks once. */
export function keepTemporaryFilesIn(folder: string): void {
  process.env['SQLITE_TMPDIR'] ??= folder;
}
