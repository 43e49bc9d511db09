import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BOUNCE_CATEGORIES } from '../../src/contract/names.js';
import {
  askedWaitMs,
  decideRetry,
  retryHintMs,
  type RetryDecision,
  type RetryInput,
} from '../../src/outbound/schedule/retry-schedule.rules.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const SCHEDULE = [MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR];

/** In the middle of the spread: nothing is added or subtracted. */
const INPUT: RetryInput = {
  category: 'network',
  code: 451,
  step: 0,
  scheduleMs: SCHEDULE,
  blockedAttempts: 0,
  blockedRetryMs: 2 * HOUR,
  blockedRetries: 3,
  greylistMs: [5 * MINUTE, 10 * MINUTE],
  replyText: '',
  firstDueAt: 0,
  expiresAt: 48 * HOUR,
  now: 0,
  jitter: 0.5,
};
const retryAfter = (ms: number, step: number): RetryDecision => ({ kind: 'retry', at: ms, step });

describe('decideRetry', () => {
  it.each<[string, Partial<RetryInput>, RetryDecision]>([
    // the schedule
    ['the first retry', {}, retryAfter(MINUTE, 1)],
    ['the second', { step: 1 }, retryAfter(5 * MINUTE, 2)],
    ['the third', { step: 2 }, retryAfter(15 * MINUTE, 3)],
    ['the seventh', { step: 6 }, retryAfter(4 * HOUR, 7)],
    ['the twelfth: the last wait repeats', { step: 11 }, retryAfter(4 * HOUR, 12)],
    ['the shortest spread', { step: 1, jitter: 0 }, retryAfter(4 * MINUTE, 2)],
    ['no reply at all', { code: null }, retryAfter(MINUTE, 1)],
    ['no schedule', { scheduleMs: [] }, retryAfter(HOUR, 1)],

    // greylisting
    ['greylisting waits longer than the schedule', { category: 'greylist' }, retryAfter(7.5 * MINUTE, 1)],
    ['at least five minutes', { category: 'greylist', jitter: 0 }, retryAfter(5 * MINUTE, 1)],
    ['and never less than the schedule', { category: 'greylist', step: 3 }, retryAfter(30 * MINUTE, 4)],
    [
      'and what it asks for, where it says so',
      { category: 'greylist', replyText: 'Greylisted, try again in 120 seconds', jitter: 0 },
      retryAfter(2 * MINUTE, 1),
    ],

    // hints
    ['a hint', { replyText: 'try again in 10 minutes' }, retryAfter(11 * MINUTE, 1)],
    ['a hint, never sooner', { replyText: 'try again in 10 minutes', jitter: 0 }, retryAfter(10 * MINUTE, 1)],
    [
      'a hint below the schedule',
      { replyText: 'try again in 10 minutes', step: 5, jitter: 0 },
      retryAfter(10 * MINUTE, 6),
    ],
    [
      'a hint at the end of the schedule does not shorten it',
      { replyText: 'try again in 10 minutes', step: 7 },
      retryAfter(4 * HOUR, 8),
    ],

    // a full mailbox: a day
    ['a full mailbox', { category: 'quota', code: 552, now: 20 * HOUR }, retryAfter(20 * HOUR + MINUTE, 1)],
    [
      'a full mailbox has its last attempt after a day',
      { category: 'quota', now: 23 * HOUR, step: 6 },
      retryAfter(24 * HOUR, 7),
    ],
    ['a mailbox that was full for a day', { category: 'quota', now: 24 * HOUR }, { kind: 'expired' }],
    [
      'a day from when it was due',
      { category: 'quota', now: 24 * HOUR, firstDueAt: HOUR },
      retryAfter(24 * HOUR + MINUTE, 1),
    ],
    [
      'a full mailbox and a shorter life',
      { category: 'quota', now: HOUR, expiresAt: HOUR },
      { kind: 'expired' },
    ],

    // the end
    ['the end has an attempt of its own', { now: 47 * HOUR, step: 8 }, retryAfter(48 * HOUR, 9)],
    ['after the end', { now: 48 * HOUR, step: 9 }, { kind: 'expired' }],
    [
      'an end that a hint passes',
      { now: 47 * HOUR, replyText: 'retry in 4 hours' },
      retryAfter(48 * HOUR, 1),
    ],

    // a permanent refusal of Mailkeel's address
    [
      'a block, the first time',
      { category: 'spam_block', code: 554, blockedAttempts: 1, jitter: 0 },
      retryAfter(2 * HOUR, 0),
    ],
    [
      'a block, the third time, the schedule unused',
      { category: 'spam_block', code: 550, blockedAttempts: 3, step: 2 },
      retryAfter(132 * MINUTE, 2),
    ],
    [
      'a block, the fourth time',
      { category: 'spam_block', code: 550, blockedAttempts: 4 },
      { kind: 'give_up' },
    ],
    [
      'a block, when none is waited for',
      { category: 'spam_block', code: 550, blockedAttempts: 1, blockedRetries: 0 },
      { kind: 'give_up' },
    ],
    [
      'a block at the end of the lifetime',
      { category: 'spam_block', code: 550, blockedAttempts: 2, now: 48 * HOUR },
      { kind: 'give_up' },
    ],
    [
      'a temporary block keeps to the schedule',
      { category: 'spam_block', code: 421, blockedAttempts: 9, step: 1 },
      retryAfter(5 * MINUTE, 2),
    ],
    ['earlier blocks do not end another matter', { blockedAttempts: 9 }, retryAfter(MINUTE, 1)],
  ])('%s', (_, given, expected) => {
    expect(decideRetry({ ...INPUT, ...given })).toEqual(expected);
  });

  it('is never sooner than 48 seconds or after the end, and terminates', () => {
    const given = fc.record({
      category: fc.constantFrom(...BOUNCE_CATEGORIES),
      code: fc.option(fc.integer({ min: 400, max: 599 })),
      step: fc.nat(60),
      blockedAttempts: fc.nat(9),
      now: fc.integer({ min: 0, max: 60 * HOUR }),
      jitter: fc.double({ min: 0, max: 0.999, noNaN: true }),
      replyText: fc.oneof(
        fc.string(),
        fc.constantFrom('retry in 1 s', 'wait 99999 hours', 'back in 00:00:00'),
      ),
    });
    fc.assert(
      fc.property(given, (some) => {
        const decision = decideRetry({ ...INPUT, ...some });
        if (some.now >= INPUT.expiresAt) expect(decision.kind).not.toBe('retry');
        if (decision.kind !== 'retry') return;
        expect(decision.at).toBeLessThanOrEqual(INPUT.expiresAt);
        expect(decision.at).toBeGreaterThan(some.now);
        if (decision.at < Math.min(INPUT.expiresAt, 24 * HOUR)) {
          expect(decision.at - some.now).toBeGreaterThanOrEqual(48 * SECOND);
        }
      }),
    );
  });

  it('gives a deferred message of 48 hours between 15 and 22 attempts, whatever the peer requests', () => {
    for (const [replyText, most] of [
      ['451 4.3.0 not now', 22],
      ['try again in 60 seconds', 24],
    ] as const) {
      for (const jitter of [0, 0.5, 0.999]) {
        let [now, step, attempts] = [0, 0, 1];
        for (; attempts < 1000; attempts++) {
          const decision = decideRetry({ ...INPUT, now, step, jitter, replyText });
          if (decision.kind !== 'retry') break;
          ({ at: now, step } = decision);
        }
        expect(now).toBe(INPUT.expiresAt);
        expect(attempts).toBeGreaterThanOrEqual(15);
        expect(attempts).toBeLessThanOrEqual(most);
      }
    }
  });
});

describe('retryHintMs', () => {
  it.each([
    ['try again in 300 seconds', 5 * MINUTE],
    ['Please try again in 5 minutes', 5 * MINUTE],
    ['Greylisted for 5 minutes', 5 * MINUTE],
    ['please wait at least 15 min.', 15 * MINUTE],
    ['minimum 300 seconds', 5 * MINUTE],
    ['in about 10 minutes', 10 * MINUTE],
    ['wait another 90 more seconds', 90 * SECOND],
    ['retry in the next 20 minutes', 20 * MINUTE],
    ['retry after 120s', 2 * MINUTE],
    ['Retry-After: 600', 10 * MINUTE],
    ['retry after 300', 5 * MINUTE],
    ['come back in 2 hours', 2 * HOUR],
    ['come back in 2 hrs', 2 * HOUR],
    ['try again in an hour', HOUR],
    ['try again in a minute', MINUTE],
    ['please come back in 00:04:59', 299 * SECOND],
    ['try again in 2 seconds', MINUTE],
    ['wait 90 hours', 4 * HOUR],
    ['wait 999999 h', 4 * HOUR],
    ['try again later', null],
    ['listed for 3 reasons', null],
    ['listed for 3 months', null],
    ['retry after 2026-01-02', null],
    ['mailbox full', null],
    ['', null],
  ])('%s', (text, expected) => {
    expect(retryHintMs(text)).toBe(expected);
  });
});

describe('the wait that a refusal requests', () => {
  const settings = { greylistRetryMs: 300_000, blockedRetryMs: 7_200_000 };
  it.each([
    ['greylist', 451, 'Greylisted, come back later', 300_000],
    ['greylist', 451, 'Greylisted, try again in 10 minutes', 600_000],
    ['spam_block', 554, 'blocked using a list', 7_200_000],
    ['network', null, 'connect ECONNREFUSED', 0],
    ['quota', 452, 'mailbox full', 0],
  ])('%s %s %s', (category, code, reply, expected) => {
    expect(askedWaitMs({ category, code, reply }, settings)).toBe(expected);
  });
});
