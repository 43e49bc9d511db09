// Values of other vendors, in a form that can be stored.

/** Removes NUL characters and lone surrogates, which no database can store. */
export function plainValue(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

/** Cuts a text to the length of a field. */
export function cut(text: string, characters: number): string {
  return plainValue(text).slice(0, characters).toWellFormed();
}

/** `null` for an empty text. */
export function filled(text: string | null | undefined): string | null {
  return text === null || text === undefined || text === '' ? null : plainValue(text);
}
