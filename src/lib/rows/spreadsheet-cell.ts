// Text for a CSV file that a person may open in a spreadsheet, which would run a cell that begins like a formula. One that splits
// at semicolons sees cells begin in the middle of ours, too: behind a semicolon, and at a new line.

/** Where an apostrophe goes. Escaped beginnings too, so that reading takes away exactly what writing put there. */
const BEGINNING = /^(?='*[=+\-@\t\r\n＝＋－＠])|(?<=[;\r\n])(?=["']*[=+\-@＝＋－＠])/g;
const ESCAPED = /^'(?='*[=+\-@\t\r\n＝＋－＠])|(?<=[;\r\n])'(?=["']*[=+\-@＝＋－＠])/g;

/** The text, with an apostrophe before each place where a spreadsheet would take it for a formula. */
export function spreadsheetCell(text: string): string {
  return text.replace(BEGINNING, "'");
}

/** The text that `spreadsheetCell` made a cell of; other text as it is. */
export function spreadsheetText(cell: string): string {
  return cell.replace(ESCAPED, '');
}
