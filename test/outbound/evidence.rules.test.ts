// Tests whether a message of a restored backup has been sent since the copy.
import { describe, expect, it } from 'vitest';
import { gapLine } from '../../src/operations/telemetry/delivery-line.rules.js';
import { createRecipientHash } from '../../src/outbound/outcome/recipient-hash.rules.js';
import { judgeHeld, readEvidenceLine, type Evidence } from '../../src/outbound/outcome/evidence.rules.js';

const ID = 'msg_01kdyak3se4w5amvgkazjzkvb7';
const TIME = '2026-03-01T09:00:00.000Z';
const AT = Date.parse(TIME);

describe('a line', () => {
  it.each([
    ['of the delivery log', { time: TIME, message_id: ID, result: 'delivered' }, 'left'],
    ['of an attempt', { time: TIME, event: 'attempt', message_id: ID, outcome: 'delivered' }, 'left'],
    ['with a time in ms', { time: AT, message_id: ID, result: 'failed' }, 'left'],
    [
      'of an end without an attempt',
      { time: TIME, event: 'ended', message_id: ID, outcome: 'canceled' },
      'left',
    ],
    ['of an end by its lifetime', { time: TIME, event: 'ended', message_id: ID, outcome: 'expired' }, 'left'],
    ['that was put off', { time: TIME, message_id: ID, result: 'deferred' }, 'stayed'],
    ['of the feed', { id: 'evt_1', event: 'message.bounced', occurred_at: TIME, data: { id: ID } }, 'left'],
    ['of a webhook', { event: 'message.delivered', occurred_at: TIME, data: { id: ID } }, 'left'],
  ])('%s', (_, line, outcome) => {
    expect(readEvidenceLine(JSON.stringify(line))).toMatchObject({ messageId: ID, at: AT, outcome });
  });

  it.each([
    [
      'a copy of a campaign',
      { campaign_id: 'cmp_1', recipient_hash: 'h' },
      { campaignId: 'cmp_1', recipientHash: 'h' },
    ],
    ['other mail', { campaign_id: null, recipient_hash: null }, 'no_campaign'],
    ['an older program', {}, null],
  ])('of an attempt identifies its recipient: %s', (_, fields, attempt) => {
    const line = { time: TIME, event: 'attempt', message_id: ID, outcome: 'delivered', ...fields };
    expect(readEvidenceLine(JSON.stringify(line))).toMatchObject({ attempt, isAttempt: true });
  });

  it('identifies a recipient by a hash of campaign and address', () => {
    const hashOf = createRecipientHash(Buffer.alloc(32, 1));
    expect(hashOf('cmp_1', 'a@x.test')).toMatch(/^[\w-]{22}$/);
    expect(hashOf('cmp_1', 'a@x.test')).toBe(createRecipientHash(Buffer.alloc(32, 1))('cmp_1', 'a@x.test'));
    const others = [hashOf('cmp_2', 'a@x.test'), hashOf('cmp_1', 'b@x.test')];
    expect(others).not.toContain(hashOf('cmp_1', 'a@x.test'));
    expect(createRecipientHash(Buffer.alloc(32, 2))('cmp_1', 'a@x.test')).not.toBe(
      hashOf('cmp_1', 'a@x.test'),
    );
  });

  it('reports lost lines', () => {
    expect(readEvidenceLine(gapLine(3, AT))).toEqual({ kind: 'gap', at: AT });
  });

  it.each(['', 'no JSON', '[]', '{"message_id":"1","result":"delivered"}', `{"message_id":"${ID}"}`, 'null'])(
    'without information on a message is ignored: %s',
    (line) => {
      expect(readEvidenceLine(line)).toBeNull();
    },
  );
});

describe('a held message', () => {
  const NOTHING: Evidence = {
    outcomes: new Map(),
    hasGap: false,
    loggedSince: null,
    loggedUntil: null,
    seenUntil: null,
  };
  const says = (outcome: 'left' | 'stayed'): Evidence => ({
    ...NOTHING,
    outcomes: new Map([[ID, { outcome, word: outcome, nextAt: null }]]),
  });
  /** A log that extends from the copy to long after the message's next attempt, or to just before it. */
  const putOff = (nextAt: number | null, loggedUntil: number): Evidence => ({
    ...NOTHING,
    ...{ loggedSince: 1_000, loggedUntil },
    outcomes: new Map([[ID, { outcome: 'stayed', word: 'deferred', nextAt }]]),
  });
  const mail = { publicId: ID, firstDueAt: 900, wasInDoubt: false };
  it.each([
    ['that a log says was delivered', mail, says('left'), 'left'],
    ['that was put off, and not tried again while the log went on', mail, putOff(1_500, 100_000), 'stayed'],
    ['that was put off until after the restore', mail, putOff(2_001, 1_500), 'stayed'],
    ['that was to be tried again when the log ended', mail, putOff(1_500, 1_600), 'unknown'],
    ['that was put off until nobody knows when', mail, putOff(null, 100_000), 'unknown'],
    ['that a consumer says was put off', mail, says('stayed'), 'unknown'],
    [
      'that a consumer says was put off, before a seen event',
      mail,
      { ...says('stayed'), seenUntil: 900 },
      'may_have_left',
    ],
    ['that was put off, after one in doubt', { ...mail, wasInDoubt: true }, says('stayed'), 'may_have_left'],
    [
      'that a whole log does not name',
      mail,
      { ...NOTHING, loggedSince: 1_000, loggedUntil: 100_000 },
      'stayed',
    ],
    [
      'that a log with a gap does not name',
      mail,
      { ...NOTHING, hasGap: true, loggedSince: 1_000, loggedUntil: 100_000 },
      'unknown',
    ],
    ['that a log with a gap says was put off', mail, { ...says('stayed'), hasGap: true }, 'unknown'],
    ['that a log with a gap says was delivered', mail, { ...says('left'), hasGap: true }, 'left'],
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
