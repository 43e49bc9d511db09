// The report of rows that an import refused, as the API writes it: CSV with line, problem and row.
import { rowsOf } from './csv-head.js';

export interface RejectedRow {
  line: string;
  problem: string;
  row: string;
}

export function rejectedRows(report: string, most: number): RejectedRow[] {
  return rowsOf(report, ',', most + 1)
    .slice(1)
    .map(([line = '', problem = '', row = '']) => ({ line, problem, row }));
}
