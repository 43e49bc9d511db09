// Builds the bytes of a mail line by line, and parses them.

/** Lines with CRLF, and one after the last. */
export function lines(...text: readonly string[]): string {
  return [...text, ''].join('\r\n');
}

/** Octets after the header. */
export function bodyOf(raw: Buffer): Buffer {
  return raw.subarray(raw.indexOf('\r\n\r\n') + 4);
}

/** The value of a field on one line; null if it is missing. */
export function fieldOf(raw: Buffer, name: string): string | null {
  const header = raw.toString('latin1', 0, raw.indexOf('\r\n\r\n') + 2);
  const found = new RegExp(`^${name}:[ \t]*(.*(?:\r\n[ \t].*)*)$`, 'im').exec(header);
  return found?.[1]?.replaceAll('\r\n', '') ?? null;
}
