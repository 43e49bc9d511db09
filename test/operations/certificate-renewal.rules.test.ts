// Tests when certificates are renewed, and how often a failing authority is asked.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  areSameNames,
  isTryDue,
  nextTryAt,
  renewalAt,
  renewalReason,
  type RenewalInput,
} from '../../src/operations/certificates/certificate-renewal.rules.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('renewal', () => {
  it.each([
    ['90 days, 30 before the end', 90 * DAY, 30 * DAY, 60 * DAY],
    ['90 days, 10 before the end', 90 * DAY, 10 * DAY, 80 * DAY],
    ['45 days: no more than a third', 45 * DAY, 30 * DAY, 30 * DAY],
    ['6 days: no more than a third', 6 * DAY, 30 * DAY, 4 * DAY],
    ['0 is a third', 90 * DAY, 0, 60 * DAY],
    ['an hour', HOUR, 30 * DAY, 40 * MINUTE],
  ])('with a lifetime of %s', (_name, lifeMs, renewBeforeMs, expected) => {
    expect(renewalAt({ notBefore: 1000, notAfter: 1000 + lifeMs }, renewBeforeMs)).toBe(1000 + expected);
  });

  it('is always within the lifetime', () => {
    const life = fc.record({
      from: fc.nat(),
      lifeMs: fc.nat(10 * 365 * DAY),
      before: fc.nat(10 * 365 * DAY),
    });
    fc.assert(
      fc.property(life, ({ from, lifeMs, before }) => {
        const at = renewalAt({ notBefore: from, notAfter: from + lifeMs }, before);
        expect(at).toBeGreaterThanOrEqual(from + Math.floor((lifeMs * 2) / 3));
        expect(at).toBeLessThanOrEqual(from + lifeMs);
      }),
    );
  });

  const held = { names: ['a.example', 'b.example'], notBefore: 0, notAfter: 90 * DAY };
  const base: RenewalInput = {
    held,
    heldFrom: 'https://one.example/dir',
    from: 'https://one.example/dir',
    names: ['B.example', 'a.example'],
    renewBeforeMs: 30 * DAY,
    now: 10 * DAY,
  };
  it.each<[string, Partial<RenewalInput>, string | null]>([
    ['all is well', {}, null],
    ['there is none', { held: null }, 'first'],
    ['a name came', { names: ['a.example', 'b.example', 'c.example'] }, 'names'],
    ['a name went', { names: ['a.example'] }, 'names'],
    ['the authority changed', { from: 'https://two.example/dir' }, 'authority'],
    ['where it came from is not known', { heldFrom: null }, null],
    ['a moment before its time', { now: 60 * DAY - 1 }, null],
    ['at its time', { now: 60 * DAY }, 'end'],
    ['it has ended', { now: 100 * DAY }, 'end'],
  ])('is due if %s', (_name, change, expected) => {
    expect(renewalReason({ ...base, ...change })).toBe(expected);
  });

  it.each<[string[], string[], boolean]>([
    [['a', 'b'], ['b', 'A', 'a'], true],
    [['a'], ['a', 'b'], false],
    [[], [], true],
    [['a'], [], false],
  ])('treats %j and %j as the same names: %s', (some, others, expected) => {
    expect(areSameNames(some, others)).toBe(expected);
  });
});

describe('the next try', () => {
  it.each([
    [1, 0, null, MINUTE],
    [2, 0, null, 3 * MINUTE],
    [3, 0, null, 9 * MINUTE],
    [4, 0, null, 27 * MINUTE],
    [5, 0, null, 81 * MINUTE],
    [6, 0, null, 243 * MINUTE],
    [7, 0, null, 10 * HOUR],
    [1, 0.5, null, 66_000],
    [1000, 0, null, 10 * HOUR],
    [1, 0, 3 * HOUR, 3 * HOUR],
    [4, 0, MINUTE, 27 * MINUTE],
    [1, 0, 400 * DAY, 7 * DAY],
  ])(
    'after %i failures, jitter %f and a requested wait of %s ms follows in %i ms',
    (failures, jitter, askedWaitMs, expected) => {
      expect(nextTryAt({ failures, now: 5000, jitter, askedWaitMs })).toBe(5000 + expected);
    },
  );

  it('follows within a minute to half a day, with five tries in the first hour', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        fc.nat(1e6),
        (jitter, failures) => {
          const waitMs = nextTryAt({ failures, now: 0, jitter, askedWaitMs: null });
          expect(waitMs).toBeGreaterThanOrEqual(MINUTE);
          expect(waitMs).toBeLessThanOrEqual(12 * HOUR);
        },
      ),
    );
    let now = 0;
    let tries = 0;
    for (; now < HOUR; tries++) now = nextTryAt({ failures: tries + 1, now, jitter: 0, askedWaitMs: null });
    expect(tries).toBe(5);
  });

  it.each([
    [1000, 999, false],
    [1000, 1000, true],
    [0, 5, true],
    [8 * DAY, 0, true],
    [7 * DAY, 0, false],
  ])('at %i is due at %i: %s', (tryAt, now, expected) => {
    expect(isTryDue(tryAt, now)).toBe(expected);
  });
});
