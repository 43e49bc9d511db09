// Contract of delivery reports: one per action, due in order, and handled once.
import { describe, expect, it } from 'vitest';
import { Refusal } from '../../../src/contract/refusal.js';
import { setReport } from '../../../src/relay/delivery-reports/delivery-reports.store.js';
import { type Bench, accept, newMessage, newWorld, NOW, onlyId } from './builders.js';
import { type ReportDue, makeReportDue, acceptMessage } from '../../../src/messages/accept/accept.store.js';

const HOUR = 3_600_000;
const DSN = '{"sender":"robot@example.org"}';

export function deliveryReportContract(given: () => Bench): void {
  describe('delivery reports', () => {
    const due = (messageId: number, action: ReportDue['action'], at = NOW) =>
      makeReportDue({ messageId, action, at, detail: '{}' });

    it('are due in order, each action of a message once, with what its submitter asked for', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const [waiting = 0, gone = 0] = await accept(store, live, [{ row: { dsn: DSN } }, { queued: false }]);
      await store.commit([
        due(waiting, 'delayed', NOW + 2),
        due(waiting, 'failed', NOW + 1),
        due(gone, 'failed'),
      ]);
      await store.commit([due(waiting, 'failed', NOW - 1)]);
      const found = (await store.deliveryReports.due(NOW + 2, 10)).filter(({ message_id: id }) =>
        [waiting, gone].includes(id),
      );
      const retryUntil = NOW + 48 * HOUR;
      expect(found).toEqual([
        {
          message_id: gone,
          action: 'failed',
          detail: '{}',
          attempts: 0,
          due_at: NOW,
          dsn: null,
          retry_until: null,
        },
        {
          message_id: waiting,
          action: 'failed',
          detail: '{}',
          attempts: 0,
          due_at: NOW + 1,
          dsn: DSN,
          retry_until: retryUntil,
        },
        {
          message_id: waiting,
          action: 'delayed',
          detail: '{}',
          attempts: 0,
          due_at: NOW + 2,
          dsn: DSN,
          retry_until: retryUntil,
        },
      ]);
      expect(await store.deliveryReports.due(NOW + 2, 1)).toHaveLength(1);
      for (const row of found) await store.commit([setReport(row, { due_at: null })]);
    });

    it('come with a message that is suppressed immediately, and are handled once', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const message = newMessage(live, { queued: false, row: { dsn: DSN } });
      const reports = [{ action: 'failed', at: NOW, detail: '{}' }] as const;
      const id = onlyId(await store.commit([acceptMessage({ message: { ...message, reports } })]));
      const [row] = (await store.deliveryReports.due(NOW, 10)).filter(({ message_id }) => message_id === id);
      if (!row) throw new Error('no report is due');
      await store.commit([setReport(row, { due_at: NOW + 5, attempts: 1 })]);
      await expect(store.commit([setReport(row, { due_at: null })])).rejects.toThrow(Refusal);
      const [later] = await store.deliveryReports.due(NOW + 5, 10);
      expect(later).toMatchObject({ message_id: id, attempts: 1 });
      await store.commit([setReport({ ...row, due_at: NOW + 5 }, { due_at: null })]);
      expect(await store.deliveryReports.due(NOW + 5, 10)).toEqual([]);
    });
  });
}
