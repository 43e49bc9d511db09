// Contract of the event archive: which rows are due, what a segment contains, and which rows may be deleted.
import { describe, expect, it } from 'vitest';
import { checkChains } from '../../../src/events/chain-check.store.js';
import { POSITIONS_PER_WORKSPACE } from '../../../src/events/chains.store.js';
import { SEGMENT_ENTRIES, segmentText } from '../../../src/events/archive/segment.rules.js';
import { deleteMessage, longChain, SIGNING_KEY } from '../../support/archive-world.js';
import type { Bench } from './builders.js';

const BEGINNING = { workspaceNumber: 0, segment: -1 };

export function archiveContract(given: () => Bench): void {
  describe('the archive of events', () => {
    it('takes whole stretches with events of deleted messages, and lets only their rows go', async () => {
      const { store, opened } = given();
      const { live, messages } = await longChain(store, 10);
      const start = live.workspaceNumber * POSITIONS_PER_WORKSPACE;
      const rows = async (): Promise<number> =>
        Number(
          (
            await opened.raw(
              `SELECT COUNT(*) AS n FROM events WHERE position BETWEEN ${start} AND ${start + 99_999}`,
            )
          )[0]?.['n'],
        );
      const ofWorkspace = async () =>
        (await store.archive.due(BEGINNING, 100)).filter(
          (due) => due.workspaceNumber === live.workspaceNumber,
        );
      expect(await ofWorkspace()).toEqual([]);
      await deleteMessage(store, opened.engine, messages[0]);
      const due = await ofWorkspace();
      // The third stretch is not whole yet.
      expect(due).toEqual(
        [0, 1].map((segment) => ({
          ...{
            workspaceNumber: live.workspaceNumber,
            workspaceId: live.workspaceId,
            segment,
            isWritten: false,
          },
        })),
      );
      const remove = `DELETE FROM events WHERE position = ${start + 1}`;
      await expect(opened.raw(remove)).rejects.toThrow('events is append-only');
      const texts = new Map<string, string>();
      for (const one of due) {
        const { previous, entries } = await store.archive.entries(one);
        const { text, head } = segmentText(entries, {
          workspaceId: live.workspaceId,
          previous,
          key: SIGNING_KEY,
        });
        const file = `file-${one.segment}`;
        texts.set(file, text);
        const row = {
          ...{ first_position: start + head.first_seq, last_position: start + head.last_seq, file },
          ...{ last_hash: Buffer.from(head.last_hash, 'hex'), size_bytes: 1, sha256: 'x', created_at: 5 },
        };
        await store.archive.record(row);
        await store.archive.record({ ...row, file: 'another' });
        let freed = 0;
        for (let count = 100; count === 100; freed += count) count = await store.archive.free(one, 100);
        expect(freed).toBe(SEGMENT_ENTRIES / 2);
        // The next one builds on the last hash, whose row may be deleted.
      }
      expect(await ofWorkspace()).toEqual([]);
      expect(await rows()).toBe(SEGMENT_ENTRIES + 10);
      const last = `DELETE FROM events WHERE position = ${start + 2 * SEGMENT_ENTRIES + 1}`;
      await expect(opened.raw(last)).rejects.toThrow('events is append-only');
      const archive = {
        read: (file: string) => Promise.resolve(texts.get(file) ?? null),
        keys: [SIGNING_KEY],
      };
      const report = async (with_ = archive) =>
        (await checkChains(store, 500, with_)).find(({ workspaceId }) => workspaceId === live.workspaceId);
      expect(await report()).toMatchObject({ broken: null, entries: 2 * SEGMENT_ENTRIES + 10 });
      expect((await report({ ...archive, read: () => Promise.resolve(null) }))?.broken).toMatchObject({
        seq: 1,
        reason: 'the archive file file-0: it is missing or damaged',
      });

      await deleteMessage(store, opened.engine, messages[1]);
      const again = await ofWorkspace();
      expect(again.map(({ isWritten }) => isWritten)).toEqual([true, true]);
      for (const one of again) expect(await store.archive.free(one, 10_000)).toBe(SEGMENT_ENTRIES / 2);
      expect(await rows()).toBe(10);
      expect(await report()).toMatchObject({ broken: null, entries: 2 * SEGMENT_ENTRIES + 10 });
    });
  });
}
