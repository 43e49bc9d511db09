// Contract of the event chain.
import { describe, expect, it } from 'vitest';
import { checkChains } from '../../../src/events/chain-check.store.js';
import { POSITIONS_PER_WORKSPACE } from '../../../src/events/chains.store.js';
import type { Scope } from '../../../src/database/scope.js';
import { createStore } from '../../../src/app/store.js';
import { type Bench, accept, eventOf, newMessage, newWorld } from './builders.js';
import { appendEvent } from '../../../src/events/append.store.js';
import { acceptMessage } from '../../../src/messages/accept/accept.store.js';

export function chainContract(given: () => Bench): void {
  const reportOf = async (scope: Scope) => {
    const reports = await checkChains(given().store, 7);
    return reports.find((report) => report.workspaceId === scope.workspaceId);
  };
  const position = (scope: Scope, seq: number) => scope.workspaceNumber * POSITIONS_PER_WORKSPACE + seq;

  /** Changes the table behind the triggers, which is never allowed. */
  async function tamper(statement: string): Promise<void> {
    const { opened } = given();
    const isSqlite = opened.engine.name === 'sqlite';
    const triggers = isSqlite
      ? await opened.raw("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'events'")
      : [];
    if (isSqlite) for (const { name } of triggers) await opened.raw(`DROP TRIGGER ${String(name)}`);
    else await opened.raw('ALTER TABLE events DISABLE TRIGGER USER');
    await opened.raw(statement);
    if (isSqlite) for (const { sql } of triggers) await opened.raw(String(sql));
    else await opened.raw('ALTER TABLE events ENABLE TRIGGER USER');
  }

  /** Ten entries over both environments, with details. */
  async function worldWithEvents(): Promise<Scope> {
    const { store } = given();
    const { live, test } = await newWorld(store);
    for (let i = 0; i < 5; i++) {
      for (const scope of [live, test]) {
        const event = {
          ...eventOf(scope, `tnt_${i}`, 'tenant_warned', { metadata: { i } }),
          messageId: null,
        };
        await store.commit([appendEvent({ event })]);
      }
    }
    return live;
  }

  describe('the event chain', () => {
    it('holds over both environments and after many simultaneous commits', async () => {
      const { store } = given();
      const { live, test } = await newWorld(store);
      const other = await newWorld(store);
      await Promise.all(
        Array.from({ length: 120 }, (_, i) => {
          const scope = [live, test, other.live][i % 3] ?? live;
          const message = newMessage(scope);
          const second = eventOf(scope, message.row.public_id, 'suppressed', { ip: '192.0.2.1' });
          return store.commit([
            acceptMessage({ message: { ...message, events: [...message.events, second] } }),
          ]);
        }),
      );
      expect(await reportOf(live)).toMatchObject({ entries: 160, broken: null });
      expect(await reportOf(other.live)).toMatchObject({ entries: 80, broken: null });
      expect(await store.events.chainHead(live.workspaceNumber)).toMatchObject({ seq: 160 });
    });

    it('holds when several nodes write to it, and keeps one of each attachment and lane', async () => {
      const { opened, store } = given();
      const { live } = await newWorld(store);
      const nodes = [1, 2, 3].map(() => createStore(opened.engine, { maxGroup: 5 }));
      const attachments = [{ filename: 'a', bytes: Buffer.from('shared') }];
      const message = () => newMessage(live, { attachments, domain: 'nodes.example' });
      const results = await Promise.all(
        nodes.flatMap((node) =>
          Array.from({ length: 20 }, () => node.commit([acceptMessage({ message: message() })])),
        ),
      );
      expect(new Set(results.flatMap((result) => result.queueIds)).size).toBe(1);
      const found = await store.messages.deliverables(results.flatMap((result) => result.messageIds));
      expect(new Set([...found.values()].map((one) => one.attachments[0]?.blobId)).size).toBe(1);
      expect(await reportOf(live)).toMatchObject({ entries: 60, broken: null });
    });

    it('keeps the order in which a plan names its events', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const [messageId = 0] = await accept(store, live, [{}]);
      const names = ['sending', 'sent', 'delivered'] as const;
      await store.commit(
        names.map((name) => appendEvent({ event: { ...eventOf(live, 'msg_1', name), messageId } })),
      );
      const trail = await store.events.auditTrailOfMessage(messageId);
      expect(trail.map((entry) => entry.event)).toEqual(['queued', ...names]);
    });

    it('still holds when a detail and its salt were erased', async () => {
      const live = await worldWithEvents();
      await given().opened.raw(
        `UPDATE events SET detail = NULL, salt = NULL WHERE position = ${position(live, 4)}`,
      );
      expect(await reportOf(live)).toMatchObject({ entries: 10, broken: null });
    });

    it.each([
      ['a changed detail', `UPDATE events SET detail = '{"metadata":{"i":9}}' WHERE position = $4`, 4],
      ['a changed time', `UPDATE events SET occurred_at = occurred_at + 1 WHERE position = $6`, 6],
      ['a changed subject', `UPDATE events SET subject_id = 'tnt_z' WHERE position = $2`, 2],
      ['a deleted entry', 'DELETE FROM events WHERE position = $5', 5],
      ['a deleted first entry', 'DELETE FROM events WHERE position = $1', 1],
      ['deleted last entries', 'DELETE FROM events WHERE position >= $9 AND position <= $10', 9],
    ])('shows %s', async (_, statement, seq) => {
      const live = await worldWithEvents();
      await tamper(statement.replace(/\$(\d+)/g, (__, n: string) => String(position(live, Number(n)))));
      expect(await reportOf(live)).toMatchObject({
        entries: seq - 1,
        broken: { seq, position: position(live, seq) },
      });
    });

    it.each([
      'DELETE FROM events WHERE position = $',
      'UPDATE events SET hash = detail_digest WHERE position = $',
      "UPDATE events SET event = 'delivered' WHERE position = $",
      "UPDATE events SET subject_id = 'msg_z' WHERE position = $",
      'UPDATE events SET occurred_at = 1 WHERE position = $',
      "UPDATE events SET actor = 'user' WHERE position = $",
      'UPDATE events SET environment_id = 1 WHERE position = $',
      'UPDATE events SET message_id = 1 WHERE position = $',
      'UPDATE events SET position = 1 WHERE position = $',
      `UPDATE events SET detail = '{}' WHERE position = $`,
    ])('refuses %s', async (statement) => {
      const live = await worldWithEvents();
      await expect(given().opened.raw(statement.replace('$', String(position(live, 3))))).rejects.toThrow(
        'append-only',
      );
      expect(await reportOf(live)).toMatchObject({ entries: 10, broken: null });
    });
  });
}
