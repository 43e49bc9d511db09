// Filling of a template's html, with marks in place of the values while a common result is made of it once.

/** Values of a filled html, when every placeholder of its template is filled exactly once. */
export type Filling = {
  /** Of the template: the same for every recipient. */
  key: string;
  /** In the order of the placeholders; `shown` as the html has it. */
  values: readonly { raw: string; shown: string }[];
  /** The html with a mark in the place of each value, as `markOf` makes them. */
  marked: () => string;
};

export const MARK_START = 'PhM4rk';
export const MARK = /PhM4rk(\d{5})k/;

/** Stands for the value of a placeholder while the outline is made: a word that no mail has by chance. */
export function markOf(index: number): string {
  return `${MARK_START}${String(index).padStart(5, '0')}k`;
}
