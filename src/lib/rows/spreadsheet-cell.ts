// Escapes CSV cells for spreadsheets, which run a cell that begins like a formula. Spreadsheets that split at
// semicolons also see cells begin after a semicolon or line break inside a cell.

/**
 * Places for an apostrophe. Escaped beginnings match too, so that reading removes exactly what writing added.
 */
const BEGINNING = /^(?='*[=+\-@\t\r\n＝＋－＠])|(?<=[;\r\n])(?=["']*[=+\-@＝＋－＠])/g;
const ESCAPED = /^'(?='*[=+\-@\t\r\n＝＋－＠])|(?<=[;\r\n])'(?=["']*[=+\-@＝＋－＠])/g;

/** Inserts an apostrophe before each place that a spreadsheet would take for a formula. */
export function spreadsheetCell(text: string): string {
  return text.replace(BEGINNING, "'");
}

/** Reverses `spreadsheetCell`; other text stays unchanged. */
export function spreadsheetText(cell: string): string {
  return cell.replace(ESCAPED, '');
}
