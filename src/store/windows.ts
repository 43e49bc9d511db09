// Lists whose rows are checked one by one: in windows of so many candidates, so that one statement is short, and up to a
// limit, so that one request is. The page then comes short, or empty, and has a next one.

/** Candidates of the first window: much matches, mostly; of the others (about 10 ms in SQLite); and of one page. */
export const WINDOWS = { first: 1_000, next: 4_000, page: 50_000 };
export type Windows = typeof WINDOWS;

export interface WindowedList<Row> {
  limit: number;
  /** The key that the page before ended with. */
  after: string | null;
  keyOf: (row: Row) => string;
  /** The key of the last of the next `count` candidates beyond a key; null where there are fewer. */
  endOf: (after: string | null, count: number) => Promise<string | null>;
  /** Rows that match, in their order, beyond `after`, up to and with `end`, or all where it is null. */
  rowsOf: (window: { after: string | null; end: string | null; limit: number }) => Promise<Row[]>;
}

export async function pageInWindows<Row>(
  { limit, after: start, keyOf, endOf, rowsOf }: WindowedList<Row>,
  windows: Windows = WINDOWS,
): Promise<{ rows: Row[]; next: string | null }> {
  const rows: Row[] = [];
  let after = start;
  for (let looked = 0; looked < windows.page;) {
    const count = looked === 0 ? windows.first : windows.next;
    const end = await endOf(after, count);
    rows.push(...(await rowsOf({ after, end, limit: limit + 1 - rows.length })));
    if (rows.length > limit) {
      const last = rows[limit - 1];
      return { rows: rows.slice(0, limit), next: last === undefined ? null : keyOf(last) };
    }
    if (end === null) return { rows, next: null };
    after = end;
    looked += count;
  }
  return { rows, next: after };
}

/** Of two times that both bound a list from below, the one that holds. */
export function latest(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.max(one, other);
}

export function earliest(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}
