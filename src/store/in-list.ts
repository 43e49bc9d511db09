// Lists in hand-written statements: padded to a power of two, so that few statement texts serve every length.
import type { Value } from './engine/engine.js';

export interface InList {
  /** `?, ?, …` for `IN (…)`. */
  marks: string;
  values: Value[];
}

const marksOf = new Map<number, string>();

/** Repeats the last value up to the next power of two; `values` must not be empty. */
export function inList(values: readonly Value[]): InList {
  let size = 1;
  while (size < values.length) size *= 2;
  let marks = marksOf.get(size);
  if (marks === undefined) marksOf.set(size, (marks = Array.from({ length: size }, () => '?').join(', ')));
  const last = values.at(-1) ?? null;
  return { marks, values: [...values, ...Array.from({ length: size - values.length }, () => last)] };
}
