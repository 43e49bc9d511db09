import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import {
  driftMove,
  type DriftFacts,
  type DriftMove,
  type KeyRecordState,
} from '../../src/domains/dns-drift.rules.js';

const HOUR = 3_600_000;
const NOW = 100 * HOUR;
const GRACE = 6 * HOUR;

const facts = (wish: Partial<DriftFacts>): DriftFacts => ({
  status: 'verified',
  driftingSince: null,
  recordState: 'right',
  now: NOW,
  graceMs: GRACE,
  ...wish,
});

const begin = { kind: 'drift', graceEndsAt: NOW + GRACE } as const;
const suspendSince = (driftingSince: number) => ({ kind: 'suspend', driftingSince }) as const;
const recovered = (from: 'drifting' | 'suspended', driftingSince: number | null) =>
  ({ kind: 'recover', from, driftingSince }) as const;

it.each<[string, Partial<DriftFacts>, DriftMove | null]>([
  ['right, as before', {}, null],
  ['gone', { recordState: 'missing' }, begin],
  ['another key', { recordState: 'wrong' }, begin],
  ['nobody could say', { recordState: 'unknown' }, null],

  ['gone for a moment', { driftingSince: NOW, recordState: 'missing' }, null],
  [
    'gone, one ms before the end of the grace',
    { driftingSince: NOW - GRACE + 1, recordState: 'missing' },
    null,
  ],
  [
    'gone, at the end of the grace',
    { driftingSince: NOW - GRACE, recordState: 'missing' },
    suspendSince(NOW - GRACE),
  ],
  [
    'wrong, long after the end of it',
    { driftingSince: NOW - 9 * GRACE, recordState: 'wrong' },
    suspendSince(NOW - 9 * GRACE),
  ],
  ['nobody could say after the end of it', { driftingSince: NOW - 9 * GRACE, recordState: 'unknown' }, null],
  ['right again within it', { driftingSince: NOW - HOUR }, recovered('drifting', NOW - HOUR)],
  [
    'right again after it, before anybody looked',
    { driftingSince: NOW - 9 * GRACE },
    recovered('drifting', NOW - 9 * GRACE),
  ],

  ['suspended, gone', { status: 'suspended', driftingSince: 1, recordState: 'missing' }, null],
  ['suspended, nobody could say', { status: 'suspended', driftingSince: 1, recordState: 'unknown' }, null],
  ['suspended, right again', { status: 'suspended', driftingSince: 1 }, recovered('suspended', 1)],
  ['suspended for a reason of before, right', { status: 'suspended' }, recovered('suspended', null)],

  ['not verified yet, gone', { status: 'pending_verification', recordState: 'missing' }, null],
  ['given up, gone', { status: 'failed', recordState: 'missing' }, null],
])('%s', (_name, wish, move) => {
  expect(driftMove(facts(wish))).toEqual(move);
});

const recordState = fc.constantFrom<KeyRecordState>('right', 'missing', 'wrong', 'unknown');
const looks = fc.array(fc.record({ afterMs: fc.integer({ min: 1, max: 5 * HOUR }), recordState }), {
  maxLength: 60,
});

/** Applies a series of lookups as a sweep does; returns the moves with the time of each. */
function walk(series: { afterMs: number; recordState: KeyRecordState }[]) {
  let [now, status, driftingSince] = [0, 'verified' as 'verified' | 'suspended', null as number | null];
  return series.map((look) => {
    now += look.afterMs;
    const move = driftMove({ status, driftingSince, recordState: look.recordState, now, graceMs: GRACE });
    if (move?.kind === 'drift') driftingSince = now;
    if (move?.kind === 'suspend') status = 'suspended';
    if (move?.kind === 'recover') [status, driftingSince] = ['verified', null];
    return { ...look, now, move, status, driftingSince };
  });
}

test('failed look-ups in a series do not change its result', () => {
  fc.assert(
    fc.property(looks, (series) => {
      let skipped = 0;
      const answered = series.flatMap((look) => {
        const afterMs = skipped + look.afterMs;
        skipped = look.recordState === 'unknown' ? afterMs : 0;
        return look.recordState === 'unknown' ? [] : [{ ...look, afterMs }];
      });
      const moves = (walked: ReturnType<typeof walk>) =>
        walked.flatMap(({ now, move }) => (move ? [{ now, move }] : []));
      expect(moves(walk(series))).toEqual(moves(walk(answered)));
    }),
  );
});

test('a domain is suspended only after its record was missing for the whole grace period, and a correct record always ends that', () => {
  fc.assert(
    fc.property(looks, (series) => {
      const walked = walk(series);
      walked.forEach((look, i) => {
        if (look.recordState === 'right')
          expect(look).toMatchObject({ status: 'verified', driftingSince: null });
        if (look.move?.kind !== 'suspend') return;
        const began = walked.findLastIndex(({ move }, k) => k < i && move?.kind === 'drift');
        expect(look.now - (walked[began]?.now ?? look.now)).toBeGreaterThanOrEqual(GRACE);
        expect(walked.slice(began, i).some((other) => other.recordState === 'right')).toBe(false);
      });
    }),
  );
});
