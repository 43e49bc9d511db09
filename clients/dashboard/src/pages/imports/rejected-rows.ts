// The report of rows that an import refused, as the API writes it: CSV with line, problem and row.

export interface RejectedRow {
  line: string;
  problem: string;
  row: string;
}

export function rejectedRows(report: string, most: number): RejectedRow[] {
  return rowsOf(report, most + 1)
    .slice(1)
    .map(([line = '', problem = '', row = '']) => ({ line, problem, row }));
}

/** Returns the first rows of CSV. Quoted cells may contain commas, line breaks and doubled quotes. */
function rowsOf(text: string, most: number): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  const endRow = () => {
    rows.push([...row, cell]);
    row = [];
    cell = '';
  };
  for (let at = 0; at < text.length && rows.length < most; at += 1) {
    const letter = text.charAt(at);
    if (isQuoted) {
      if (letter !== '"') cell += letter;
      else if (text.charAt(at + 1) === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (letter === '"' && cell === '') isQuoted = true;
    else if (letter === ',') {
      row.push(cell);
      cell = '';
    } else if (letter === '\n') endRow();
    else if (letter !== '\r') cell += letter;
  }
  if (rows.length < most && (cell !== '' || row.length > 0)) endRow();
  return rows;
}
