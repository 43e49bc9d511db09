// Reads the depth of the queue, as the metrics count it.
import type { Store } from '../../src/app/store.js';

export async function queueDepth(
  store: Pick<Store, 'figures'>,
): Promise<{ waiting: number; leased: number }> {
  const { queue } = await store.figures(0);
  const depth = { waiting: 0, leased: 0 };
  for (const { state, messages } of queue) depth[state === 'in_flight' ? 'leased' : 'waiting'] += messages;
  return depth;
}
