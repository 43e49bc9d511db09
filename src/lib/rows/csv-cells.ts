// Reads and writes the cells of a CSV row (RFC 4180).

/** Splits a row into cells and trims unquoted ones. Quotes must match, which `splitCsv` ensures. */
export function csvCells(row: string, delimiters: string): string[] {
  if (!row.includes('"') && delimiters.length === 1) return row.split(delimiters).map((cell) => cell.trim());
  const cells: string[] = [];
  let start = 0;
  for (;;) {
    let at = start;
    while (row[at] === ' ') at++;
    if (row[at] === '"') {
      const cell = quotedCell(row, at + 1);
      cells.push(cell.text);
      at = cellEnd(row, cell.after, delimiters);
    } else {
      at = cellEnd(row, at, delimiters);
      cells.push(row.slice(start, at).trim());
    }
    if (at >= row.length) return cells;
    start = at + 1;
  }
}

function cellEnd(row: string, from: number, delimiters: string): number {
  let at = from;
  while (at < row.length && !delimiters.includes(row.charAt(at))) at++;
  return at;
}

function quotedCell(row: string, from: number): { text: string; after: number } {
  let text = '';
  let at = from;
  for (;;) {
    const quote = row.indexOf('"', at);
    if (quote < 0) return { text: text + row.slice(at), after: row.length };
    text += row.slice(at, quote);
    if (row[quote + 1] !== '"') return { text, after: quote + 1 };
    text += '"';
    at = quote + 2;
  }
}

/** Characters that some reader takes for the end of a cell, and blanks that one may trim. */
const NEEDS_QUOTES = /[",;\t\r\n]|^\s|\s$/;

function quoted(cell: string): string {
  return NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** Writes a row without its line end. */
export function csvRow(cells: readonly string[]): string {
  return cells.map(quoted).join(',');
}

/** Writes rows as in RFC 4180, each ended by CRLF. */
export function csvLines(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => `${csvRow(cells)}\r\n`).join('');
}
