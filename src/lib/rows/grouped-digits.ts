/**
 * A whole number as English writes it: 12,345. `toLocaleString` writes the same and loads the tables of all languages with its first
 * use, 8 MB of memory.
 */
export function groupedDigits(whole: number): string {
  return String(whole).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
