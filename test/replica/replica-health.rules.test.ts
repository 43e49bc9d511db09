// Tests the state of a replica in the health check, in alerts and in metrics.
import { describe, expect, it } from 'vitest';
import { replicaProblems } from '../../src/alerts/incidents.rules.js';
import { judgeReplica } from '../../src/operations/preflight/preflight-replica.rules.js';
import { type ReplicaFacts, replicaLagMs } from '../../src/replica/replica-health.rules.js';

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const MINUTE = 60_000;
const GOOD: ReplicaFacts = {
  ...({
    storage: 's3://mail/replica',
    isOnSameDisk: false,
    waits: false,
    phase: 'replicating',
    generation: 2,
  } as const),
  ...{
    storedAt: NOW,
    waitingSince: null,
    waitingBytes: 0,
    storedBytes: 1,
    away: null,
    base: { at: NOW, bytes: 1 },
  },
};
const away = (since: number) => ({ ...GOOD, away: { since, reason: 'no route to host' } });
const behind = (since: number) => ({ ...GOOD, waitingSince: since, waitingBytes: 3_000_000 });
const COPYING: ReplicaFacts = { ...GOOD, phase: 'copying', base: null };

describe('the check of a replica', () => {
  it.each([
    ['one in order', GOOD, 'pass', 'up to date; last full copy 2026-01-02T03:04:05.000Z'],
    ['one that was away shortly', away(NOW - MINUTE + 1), 'pass', undefined],
    [
      'one that is away',
      away(NOW - MINUTE),
      'warn',
      'has not responded since 2026-01-02T03:03:05.000Z: no route to host',
    ],
    ['one that is away while mail waits for it', { ...away(NOW - MINUTE), waits: true }, 'fail', undefined],
    ['one that is a minute behind', behind(NOW - MINUTE), 'pass', undefined],
    ['one that is further behind', behind(NOW - MINUTE - 1), 'warn', '60 seconds behind; 3 MiB waiting'],
    [
      'one on the disk of the database',
      { ...GOOD, isOnSameDisk: true },
      'warn',
      'on the same disk as the database',
    ],
    ['one without a full copy', COPYING, 'warn', 'the full copy is not complete yet'],
  ] as const)('%s', (_, facts, status, observed) => {
    const [result] = judgeReplica(facts, NOW);
    expect(result).toMatchObject({ name: 'replica', subject: 's3://mail/replica', status });
    if (observed !== undefined) expect(result?.observed).toBe(observed);
    expect(result?.remedy === null).toBe(status === 'pass');
  });

  it('has no result without a replica', () => {
    expect(judgeReplica(null, NOW)).toEqual([]);
  });
});

describe('the alert about a replica', () => {
  const at = (startedAt: number) => ({ path: '/ws_1/live/health', startedAt, now: NOW });

  it.each([
    ['is silent about one in order', GOOD, 0, []],
    ['says that it does not respond', away(NOW - MINUTE), 0, [['away', false]]],
    ['is urgent if mail waits for it', { ...away(0), waits: true }, 0, [['away', true]]],
    ['says that it is behind', behind(0), 0, [['behind', false]]],
    ['leaves it time for the first copy', COPYING, NOW - 15 * MINUTE + 1, []],
    ['says that it has no copy', COPYING, NOW - 15 * MINUTE, [['incomplete', false]]],
  ] as const)('%s', (_, facts, startedAt, expected) => {
    const found = replicaProblems(facts, at(startedAt));
    expect(found.map(({ subject, isUrgent }) => [subject, isUrgent])).toEqual(expected);
    for (const { alert, organization_id: organization } of found) {
      expect([alert, organization]).toEqual(['replica_failed', null]);
    }
  });
});

it('the lag is the age of the oldest change that waits, and never negative', () => {
  expect(replicaLagMs({ waitingSince: null }, NOW)).toBe(0);
  expect(replicaLagMs({ waitingSince: NOW - 1_500 }, NOW)).toBe(1_500);
  expect(replicaLagMs({ waitingSince: NOW + 5 }, NOW)).toBe(0);
});
