// Describes how a template's HTML was filled, with marks for the values while a common outline is made once.

/** Values of a filled HTML whose template fills every placeholder exactly once. */
export type Filling = {
  /** Identifies the template; the same for every recipient. */
  key: string;
  /** In the order of the placeholders; `shown` as in the HTML. */
  values: readonly { raw: string; shown: string }[];
  /** Returns the HTML with a mark for each value, as made by `valueMark`. */
  marked: () => string;
};

export const MARK_START = 'PhM4rk';
export const MARK = /PhM4rk(\d{5})k/;

/** Returns the mark of a placeholder in the outline, a word that no mail contains by chance. */
export function valueMark(index: number): string {
  return `${MARK_START}${String(index).padStart(5, '0')}k`;
}
