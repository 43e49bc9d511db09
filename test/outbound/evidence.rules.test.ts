// Whether a message of a restored backup has left since the copy.
import { describe, expect, it } from 'vitest';
import { judgeHeld, readEvidenceLine, type Evidence } from '../../src/outbound/outcome/evidence.rules.js';

const ID = 'msg_01kdyak3se4w5amvgkazjzkvb7';
const TIME = '2026-03-01T09:00:00.000Z';
const AT = Date.parse(TIME);

describe('a line', () => {
  it.each([
    ['of the delivery log', { time: TIME, message_id: ID, result: 'delivered' }, 'left'],
    ['of an attempt', { time: TIME, event: 'attempt', message_id: ID, outcome: 'delivered' }, 'left'],
    ['with a time in ms', { time: AT, message_id: ID, result: 'failed' }, 'left'],
    ['that was put off', { time: TIME, message_id: ID, result: 'deferred' }, 'stayed'],
    ['of the feed', { id: 'evt_1', event: 'message.bounced', occurred_at: TIME, data: { id: ID } }, 'left'],
    ['of a webhook', { event: 'message.delivered', occurred_at: TIME, data: { id: ID } }, 'left'],
  ])('%s', (_, line, outcome) => {
    expect(readEvidenceLine(JSON.stringify(line))).toMatchObject({ messageId: ID, at: AT, outcome });
  });

  it.each(['', 'no JSON', '[]', '{"message_id":"1","result":"delivered"}', `{"message_id":"${ID}"}`, 'null'])(
    'that says nothing about a message: %s',
    (line) => {
      expect(readEvidenceLine(line)).toBeNull();
    },
  );
});

describe('a held message', () => {
  const NOTHING: Evidence = { outcomes: new Map(), loggedSince: null, loggedUntil: null, seenUntil: null };
  const says = (outcome: 'left' | 'stayed'): Evidence => ({
    ...NOTHING,
    outcomes: new Map([[ID, { outcome, word: outcome }]]),
  });
  const mail = { publicId: ID, firstDueAt: 900, wasInDoubt: false };
  it.each([
    ['that a log says was delivered', mail, says('left'), 'left'],
    ['that a log says was put off', mail, says('stayed'), 'stayed'],
    ['that was put off, after one in doubt', { ...mail, wasInDoubt: true }, says('stayed'), 'may_have_left'],
    [
      'that a whole log does not name',
      mail,
      { ...NOTHING, loggedSince: 1_000, loggedUntil: 100_000 },
      'stayed',
    ],
    [
      'that was due when the log ended',
      mail,
      { ...NOTHING, loggedSince: 1_000, loggedUntil: 5_800 },
      'unknown',
    ],
    [
      'that a late log does not name',
      mail,
      { ...NOTHING, loggedSince: 1_001, loggedUntil: 100_000 },
      'unknown',
    ],
    ['that was due before a seen event', mail, { ...NOTHING, seenUntil: 900 }, 'may_have_left'],
    ['that was due after the last seen event', mail, { ...NOTHING, seenUntil: 899 }, 'unknown'],
    ['that was not due before the restore', { ...mail, firstDueAt: 2_001 }, NOTHING, 'stayed'],
    ['of which nothing is known', mail, NOTHING, 'unknown'],
  ] as const)('%s', (_, held, evidence, verdict) => {
    expect(judgeHeld(held, evidence, { copiedAt: 1_000, restoredAt: 2_000 }).verdict).toBe(verdict);
  });
});
