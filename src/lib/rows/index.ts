export { isEmailName, plainWord } from './column-names.js';
export { csvCells, csvLines, csvRow } from './csv-cells.js';
export { groupedDigits } from './grouped-digits.js';
export {
  openRowFile,
  readRow,
  type RowContent,
  type RowFile,
  type RowFormat,
  type RowLimits,
  splitRows,
  streamRows,
} from './row-file.js';
export type { RawRow, RowPlace } from './row.js';
export { spreadsheetCell } from './spreadsheet-cell.js';
export { findCharset, markedEncoding, markedOctets, rowText } from './text-octets.js';
