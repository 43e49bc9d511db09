// Tests that event IDs identify their history: events that a restore has undone are recognized, even if their numbers were
// assigned again.
import { expect, it } from 'vitest';
import { createEventIds } from '../../src/contract/event-ids.js';

const KEY = Buffer.alloc(32, 7);
const START = 3 * 2 ** 36;
const event = (seq: number) => ({ occurredAt: 1_000 + seq, position: START + seq });
const before = createEventIds(KEY, []);
/** Restored from a copy with 10 events, and later again from one with 20. */
const FIRST = { workspaceNumber: 3, after: 10, epoch: 77 };
const SECOND = { workspaceNumber: 3, after: 20, epoch: 5 };
const after = createEventIds(KEY, [FIRST]);
const twice = createEventIds(KEY, [FIRST, SECOND]);

it('of a backup are unchanged', () => {
  expect(after.eventId(3, event(10))).toBe(before.eventId(3, event(10)));
  expect(after.eventPlace(3, before.eventId(3, event(10)))).toEqual({ ...event(10), lostAfter: null });
  expect(twice.eventPlace(3, after.eventId(3, event(20)))).toEqual({ ...event(20), lostAfter: null });
});

it('of a lost history show where the histories diverged', () => {
  expect(after.eventPlace(3, before.eventId(3, event(11)))?.lostAfter).toBe(START + 10);
  expect(after.eventId(3, event(11))).not.toBe(before.eventId(3, event(11)));
  expect(twice.eventPlace(3, before.eventId(3, event(15)))?.lostAfter).toBe(START + 10);
});

it('of a restore that was itself reverted are lost too', () => {
  const other = createEventIds(KEY, [{ workspaceNumber: 3, after: 12, epoch: 9 }]);
  expect(after.eventPlace(3, other.eventId(3, event(14)))?.lostAfter).toBe(START + 10);
});

it('are valid for one workspace', () => {
  expect(after.eventId(4, { occurredAt: 1, position: 4 * 2 ** 36 + 50 })).toBe(
    before.eventId(4, { occurredAt: 1, position: 4 * 2 ** 36 + 50 }),
  );
});

it('positions in cursors are too', () => {
  expect(after.readPlace(before.placeText(START + 11, 3), 3)).toEqual({
    position: START + 11,
    lostAfter: START + 10,
  });
  expect(after.readPlace(after.placeText(START + 11, 3), 3)).toEqual({
    position: START + 11,
    lostAfter: null,
  });
  expect(after.readPlace(String(START + 9), 3)).toEqual({ position: START + 9, lostAfter: null });
});

it('keep their format, because clients store them', () => {
  expect(before.eventId(3, { occurredAt: 1_700_000_000_000, position: START + 5 })).toBe(
    'evt_01hf7yat001t7kv234de3y02sx',
  );
});
