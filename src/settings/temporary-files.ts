// Sets the folder of SQLite's temporary files, which it uses for sorts and copies.

/** Must be called before SQLite writes its first temporary file, because SQLite reads the folder once. */
export function keepTemporaryFilesIn(folder: string): void {
  process.env['SQLITE_TMPDIR'] ??= folder;
}
