import { expect, it } from 'vitest';
import { createLog } from '../../src/lib/runtime/log.js';
import type { Claim } from '../../src/outbound/schedule/queue.store.js';
import { createDispatch, type DispatchDeps } from '../../src/outbound/schedule/dispatch.js';
import { newClaim } from '../support/new-claim.js';
import { openGate } from '../support/open-gate.js';
import { waitUntil } from '../support/wait-until.js';

const lane = {
  queueId: 1,
  environmentId: 1,
  mode: 'live',
  subTenantKey: '',
  domain: 'there.test',
  rank: 1,
} as const;

it('keeps the lease of a message that was claimed again before its former claim was released', async () => {
  const handed: Claim[] = [];
  const kept: (readonly number[])[] = [];
  const queue: DispatchDeps['store']['queue'] = {
    lanes: () => Promise.resolve([{ ...lane, dueAt: 0 }]),
    claim: ({ picks }) =>
      Promise.resolve({
        claims: picks.length > 0 && handed.length < 2 ? [newClaim(7)] : [],
        lanes: [{ queueId: 1, dueAt: handed.length < 1 ? 0 : null }],
      }),
    moveLeases: (ids) => {
      kept.push(ids);
      return Promise.resolve();
    },
  };
  const dispatch = createDispatch({
    store: { queue },
    clock: () => 1_000,
    log: createLog('fatal'),
    owner: 'here',
    settings: { claimBatch: 10, maxInFlight: 10, leaseMs: 1_000, lookMs: 30_000 },
    gate: openGate(10),
    live: (claims) => handed.push(...claims),
    sandbox: () => undefined,
  });
  await dispatch.start();
  await waitUntil('it is claimed twice', () => handed.length === 2);
  const [former, later] = handed;
  if (!former || !later) throw new Error('nothing was claimed');
  dispatch.release(former);
  await dispatch.keepLeases();
  dispatch.release(later);
  await dispatch.keepLeases();
  await dispatch.stop();
  expect(kept).toEqual([[7], []]);
});

/** A lane that never runs dry. */
function endless(rank: number, limits: number[]): DispatchDeps['store']['queue'] {
  let lastId = 0;
  return {
    lanes: () => Promise.resolve([{ ...lane, rank, dueAt: 0 }]),
    claim({ picks }) {
      const claims = picks.flatMap(({ limit }) =>
        Array.from({ length: limit }, () => ({ ...newClaim((lastId += 1)), rank })),
      );
      limits.push(...picks.map(({ limit }) => limit));
      return Promise.resolve({ claims, lanes: picks.map(({ queueId }) => ({ queueId, dueAt: 0 })) });
    },
    moveLeases: () => Promise.resolve(),
  };
}

function dispatchOf(queue: DispatchDeps['store']['queue'], maxInFlight: number, perDomain: number) {
  const time = { now: 1_000 };
  const handed: Claim[] = [];
  const dispatch = createDispatch({
    store: { queue },
    clock: () => time.now,
    log: createLog('fatal'),
    owner: 'here',
    settings: { claimBatch: 10, maxInFlight, leaseMs: 1_000, lookMs: 30_000 },
    gate: openGate(perDomain),
    live: (claims) => handed.push(...claims),
    sandbox: () => undefined,
  });
  return { dispatch, handed, time };
}

it('claims whole messages also where the share of bulk mail is none', async () => {
  const limits: number[] = [];
  const { dispatch, handed } = dispatchOf(endless(4, limits), 11, 100);
  await dispatch.start();
  await waitUntil('bulk mail has its share', () => handed.length >= 8);
  const [first] = handed;
  if (first) dispatch.release(first);
  await waitUntil('what was settled is followed', () => handed.length >= 9);
  await dispatch.stop();
  expect(limits).toEqual([8, 1]);
});

it('does not wait for more room until a clock that was set back is where it was', async () => {
  const { dispatch, handed, time } = dispatchOf(endless(1, []), 12, 100);
  await dispatch.start();
  await waitUntil('little room is left', () => handed.length === 10);
  time.now -= 3_600_000;
  await waitUntil('the rest is claimed', () => handed.length === 12);
  await dispatch.stop();
});
