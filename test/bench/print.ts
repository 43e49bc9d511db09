// Prints figures: the median of the runs, with the range if there were several.
import type { RsaRates } from './rsa-rate.js';

/** Figures by label; the unit is in the label. */
export type Figures = Record<string, number>;

const LABEL_WIDTH = 58;

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Prints and returns the medians. Rates are also shown in RSA-2048 signatures of one core. */
export function printFigures(title: string, runs: readonly Figures[], unit: RsaRates): Figures {
  say(`\n${title}`);
  const medians: Figures = {};
  for (const label of Object.keys(runs[0] ?? {})) {
    const sorted = runs.map((run) => run[label] ?? NaN).sort((a, b) => a - b);
    const middle = sorted[Math.floor(sorted.length / 2)] ?? NaN;
    medians[label] = middle;
    const range = sorted.length > 1 ? `  (${show(sorted[0])}–${show(sorted.at(-1))})` : '';
    const inUnits = label.includes('per second')
      ? `  = ${show(middle / unit.asItIs)} RSA, ${show(middle / unit.scalar)} scalar RSA`
      : '';
    say(`  ${label.padEnd(LABEL_WIDTH)}${show(middle).padStart(9)}${range}${inUnits}`);
  }
  return medians;
}

function show(value = NaN): string {
  if (Number.isInteger(value) || Math.abs(value) >= 100) return Math.round(value).toLocaleString('en');
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2);
}
