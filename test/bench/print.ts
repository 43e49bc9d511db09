// How figures are printed: the median of the runs, with the range when there were several.

/** Figures by label; the unit is in the label. */
export type Figures = Record<string, number>;

const LABEL_WIDTH = 58;

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

export function printFigures(title: string, runs: readonly Figures[]): void {
  say(`\n${title}`);
  for (const label of Object.keys(runs[0] ?? {})) {
    const sorted = runs.map((run) => run[label] ?? NaN).sort((a, b) => a - b);
    const middle = sorted[Math.floor(sorted.length / 2)] ?? NaN;
    const range = sorted.length > 1 ? `  (${show(sorted[0])}–${show(sorted.at(-1))})` : '';
    say(`  ${label.padEnd(LABEL_WIDTH)}${show(middle).padStart(9)}${range}`);
  }
}

function show(value = NaN): string {
  if (Number.isInteger(value) || Math.abs(value) >= 100) return Math.round(value).toLocaleString('en');
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2);
}
