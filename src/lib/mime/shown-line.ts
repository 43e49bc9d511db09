// Text of received mail as it is stored to be shown on one line: a subject, a name, the name of a file.

/**
 * White space becomes blanks, control characters and marks that turn the direction of text go. At most `limit` characters,
 * without half of one at the cut.
 */
export function shownLine(text: string, limit = Infinity): string {
  const line = text
    .replace(/[\t\r\n\u2028\u2029]+/g, ' ')
    .replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim();
  const kept = line.length <= limit ? line : line.slice(0, limit).replace(/[\ud800-\udbff]$/, '');
  return kept.toWellFormed();
}
