// The folder of SQLite's temporary files: sorts and copies on disk.

/** Call it before SQLite writes its first temporary file: SQLite reads the folder once. */
export function keepTemporaryFilesIn(folder: string): void {
  process.env['SQLITE_TMPDIR'] ??= folder;
}
