// Cleans text of received mail for display on one line: subjects, names, file names.

/**
 * Replaces white space with blanks, and removes control characters and bidirectional marks. Cuts at `limit`
 * characters without splitting a surrogate pair.
 */
export function shownLine(text: string, limit = Infinity): string {
  const line = text
    .replace(/[\t\r\n\u2028\u2029]+/g, ' ')
    .replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim();
  const kept = line.length <= limit ? line : line.slice(0, limit).replace(/[\ud800-\udbff]$/, '');
  return kept.toWellFormed();
}
