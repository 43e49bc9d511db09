// Octets of mail as it came by SMTP, by their row ids.
import type { Engine } from '../store/engine/engine.js';
import { inList } from '../store/in-list.js';

export async function readRaws(engine: Engine, ids: readonly number[]): Promise<Map<number, Uint8Array>> {
  if (ids.length === 0) return new Map();
  const { marks, values } = inList([...new Set(ids)]);
  const rows = await engine.rows(`SELECT id, content FROM raws WHERE id IN (${marks})`, values);
  return new Map(rows.map((row) => [row['id'] as number, row['content'] as Uint8Array]));
}
