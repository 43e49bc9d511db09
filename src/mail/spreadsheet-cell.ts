// Text for a CSV file that a person may open in a spreadsheet, which would run a cell that begins like a formula.

/** Escaped ones too, so that reading takes away exactly what writing put there. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;

/** The text, with an apostrophe before it where a spreadsheet would take it for a formula. */
export function spreadsheetCell(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** The text that `spreadsheetCell` made a cell of; other text as it is. */
export function spreadsheetText(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}
