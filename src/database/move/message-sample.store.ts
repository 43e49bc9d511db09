import type { Engine } from '../engine/engine.js';
import { rowsAs } from '../sql.js';

/** Returns up to `count` public ids, spread evenly over all messages. */
export async function sampleOfMessages(engine: Engine, count: number): Promise<string[]> {
  const [span] = await rowsAs<{ first: number | null; last: number | null }>(
    engine.rows('SELECT MIN(id) AS first, MAX(id) AS last FROM messages', []),
  );
  const first = span?.first ?? 0;
  const last = span?.last ?? 0;
  const found = new Set<string>();
  for (let n = 0; n < count; n += 1) {
    const from = first + Math.floor(((last - first) * n) / Math.max(1, count - 1));
    const [row] = await rowsAs<{ public_id: string }>(
      engine.rows('SELECT public_id FROM messages WHERE id >= ? ORDER BY id LIMIT 1', [from]),
    );
    if (row !== undefined) found.add(row.public_id);
  }
  return [...found];
}
