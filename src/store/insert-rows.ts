// Many rows by one statement: fewer steps into the engine than a statement for each.
import type { Tx, Value } from './engine/engine.js';

/** The most rows of one statement; halved until the rest fits, so that few statement texts serve every number. */
const MOST_ROWS = 64;

const texts = new Map<string, string>();

/** `head` is `INSERT INTO t (a, b)`; each row has a value for each of its columns, in their order. */
export async function insertRows(tx: Tx, head: string, rows: readonly (readonly Value[])[]): Promise<void> {
  let size = MOST_ROWS;
  for (let done = 0; done < rows.length; done += size) {
    while (size > rows.length - done) size /= 2;
    const set = rows.slice(done, done + size);
    await tx.run(textOf(head, set[0]?.length ?? 0, size), set.flat());
  }
}

function textOf(head: string, columns: number, rows: number): string {
  const key = `${rows} ${head}`;
  let text = texts.get(key);
  if (text === undefined) {
    const row = `(${Array.from({ length: columns }, () => '?').join(', ')})`;
    texts.set(key, (text = `${head} VALUES ${Array.from({ length: rows }, () => row).join(', ')}`));
  }
  return text;
}
