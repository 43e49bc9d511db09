// Contract of metrics that are read from rows.
import { queue as queueTable } from '../../../src/messages/queue.tables.js';
import { describe, expect, it } from 'vitest';
import { type Bench, accept, NOW, newWorld } from './builders.js';
import { update } from '../../../src/database/rows.js';

export function figuresContract(given: () => Bench): void {
  describe('figures for the metrics', () => {
    const queueFigures = async (mode: string, now: number) => {
      const { queue } = await given().store.figures(now);
      return queue.filter((row) => row.mode === mode);
    };

    it('count the queue by mode, rank and state, with the oldest of each', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const now = NOW + 1_000;
      const before = await queueFigures('live', now);
      const [, held = 0] = await accept(store, live, [
        { dueAt: NOW - 5_000 },
        { dueAt: NOW - 4_000 },
        { dueAt: NOW + 60_000 },
      ]);
      const setting = { set: { hold_reason: 'signing: no key' }, where: { message_id: held } };
      await store.commit([update(queueTable, { ...setting })]);
      const counted = (rows: typeof before, state: string): number =>
        rows.filter((row) => row.state === state).reduce((sum, { messages }) => sum + messages, 0);
      const after = await queueFigures('live', now);
      const more = (state: string) => counted(after, state) - counted(before, state);
      expect([more('due'), more('held'), more('later'), more('in_flight')]).toEqual([1, 1, 1, 0]);
      for (const row of after) {
        expect([typeof row.rank, typeof row.messages, typeof row.oldestDueAt]).toEqual([
          'number',
          'number',
          'number',
        ]);
      }
    });

    it('are numbers for all the rest, on an empty store too', async () => {
      const figures = await given().store.figures(NOW);
      expect(figures.inDoubt).toBeGreaterThanOrEqual(0);
      expect(figures.isOutboundHeld).toBe(false);
      expect(figures.inboundWaiting).toBeGreaterThanOrEqual(0);
      expect(figures.inboundParked).toBeGreaterThanOrEqual(0);
      expect(figures.webhooks.pending).toBeGreaterThanOrEqual(0);
      if (figures.backups !== null) expect(figures.backups.hasFailed).toBe(false);
      expect(figures.consumerLag[0]?.consumer).toBe('webhooks');
      for (const { count } of [...figures.tenants, ...figures.dkimKeys]) expect(count).toBeGreaterThan(0);
    });
  });
}
