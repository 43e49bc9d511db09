import { expect, it } from 'vitest';
import { Refusal } from '../../src/contract/refusal.js';
import { OutcomeUnknown } from '../../src/database/committer.js';
import { createLog } from '../../src/lib/runtime/index.js';
import { Dispatch, type DispatchContext } from '../../src/outbound/schedule/dispatch.js';
import { newClaim } from '../support/new-claim.js';
import type { InFlight } from '../../src/outbound/schedule/admission.js';
import { Reservation, type Hold } from '../../src/outbound/shape/limit.js';
import { WakeUp } from '../../src/outbound/schedule/wake-up.js';
import { openAdmission } from '../support/open-admission.js';
import { waitFor } from '../support/wait.js';

const queue1 = {
  queueId: 1,
  environmentId: 1,
  mode: 'live',
  side: null,
  subTenantKey: '',
  domain: 'there.test',
  rank: 1,
} as const;

const nowhere = { deliver: () => undefined };
const into = (handed: InFlight[]) => ({
  live: { deliver: (entries: readonly InFlight[]) => void handed.push(...entries) },
  sandbox: nowhere,
});

it('keeps the lease of a message that was claimed again before its previous claim ended', async () => {
  const handed: InFlight[] = [];
  const kept: (readonly number[])[] = [];
  const queue: DispatchContext['store']['queue'] = {
    queues: () => Promise.resolve([]),
    waitingQueues: () => Promise.resolve([{ ...queue1, dueAt: 0 }]),
    claim: ({ picks }) =>
      Promise.resolve({
        claims: picks.length > 0 && handed.length < 2 ? [newClaim(7)] : [],
        queues: [{ queueId: 1, dueAt: handed.length < 1 ? 0 : null }],
        tats: new Map(),
      }),
    moveLeases: (ids) => {
      kept.push(ids);
      return Promise.resolve();
    },
    endClaim: () => Promise.resolve(),
    releaseThrottle: () => Promise.resolve(null),
  };
  const dispatch = new Dispatch(
    {
      store: { queue },
      clock: () => 1_000,
      log: createLog('fatal'),
      owner: 'here',
      config: { queueClaimBatch: 10, mtaInFlight: 10, queueLeaseMs: 1_000, queuePollMs: 30_000 },
      wakeUp: new WakeUp(),
    },
    openAdmission(10),
  );
  await dispatch.start(into(handed));
  await waitFor('it is claimed twice', () => handed.length === 2);
  const [former, later] = handed;
  if (!former || !later) throw new Error('nothing was claimed');
  dispatch.end(former, true);
  await dispatch.extendLeases();
  dispatch.end(later, true);
  await dispatch.extendLeases();
  await dispatch.stop();
  expect(kept).toEqual([[7], []]);
});

it('ends the leases of lost messages as soon as the store is available', async () => {
  const tries: unknown[][] = [];
  const queue: DispatchContext['store']['queue'] = {
    queues: () => Promise.resolve([]),
    waitingQueues: () => Promise.resolve([]),
    claim: () => Promise.resolve({ claims: [], queues: [], tats: new Map() }),
    moveLeases: (ids, owner, until) => {
      tries.push([ids, owner, until]);
      return tries.length < 2 ? Promise.reject(new Refusal('unavailable')) : Promise.resolve();
    },
    endClaim: () => Promise.resolve(),
    releaseThrottle: () => Promise.resolve(null),
  };
  const dispatch = new Dispatch(
    {
      store: { queue },
      clock: () => 1_000,
      log: createLog('fatal'),
      owner: 'here',
      config: { queueClaimBatch: 10, mtaInFlight: 10, queueLeaseMs: 1_000, queuePollMs: 30_000 },
      wakeUp: new WakeUp(),
    },
    openAdmission(10),
  );
  await dispatch.start(into([]));
  const reservation = new Reservation('there.test', [], 1);
  dispatch.lose([{ claim: newClaim(7), reservation, track: null }], true);
  await waitFor('it is tried again', () => tries.length === 2);
  expect(tries[1]).toEqual([[7], 'here', 0]);
  await dispatch.stop();
});

it('ends the leases of a claim whose commit is uncertain', async () => {
  const ended: unknown[] = [];
  const dispatch = new Dispatch(
    {
      store: {
        queue: {
          ...endless(1, []),
          claim: () => Promise.reject(new OutcomeUnknown('the connection was lost')),
          endClaim: (claim) => {
            ended.push(claim);
            return ended.length < 2 ? Promise.reject(new Refusal('unavailable')) : Promise.resolve();
          },
        },
      },
      clock: () => 1_000,
      log: createLog('fatal'),
      owner: 'here',
      config: { queueClaimBatch: 10, mtaInFlight: 10, queueLeaseMs: 1_000, queuePollMs: 30_000 },
      wakeUp: new WakeUp(),
    },
    openAdmission(10),
  );
  await dispatch.start(into([]));
  await waitFor('it is tried again', () => ended.length >= 2);
  expect(ended[1]).toEqual({ leaseUntil: 2_000, owner: 'here' });
  await dispatch.stop();
});

/** A queue that never runs dry. */
function endless(rank: number, limits: number[]): DispatchContext['store']['queue'] {
  let lastId = 0;
  return {
    queues: () => Promise.resolve([]),
    waitingQueues: () => Promise.resolve([{ ...queue1, rank, dueAt: 0 }]),
    claim({ picks }) {
      const claims = picks.flatMap(({ limit }) =>
        Array.from({ length: limit }, () => ({ ...newClaim((lastId += 1)), rank })),
      );
      limits.push(...picks.map(({ limit }) => limit));
      return Promise.resolve({
        claims,
        queues: picks.map(({ queueId }) => ({ queueId, dueAt: 0 })),
        tats: new Map(),
      });
    },
    moveLeases: () => Promise.resolve(),
    endClaim: () => Promise.resolve(),
    releaseThrottle: () => Promise.resolve(null),
  };
}

function dispatchOf(
  queue: DispatchContext['store']['queue'],
  maxInFlight: number,
  perDomain: number,
  admission = openAdmission(perDomain),
) {
  const time = { now: 1_000 };
  const handed: InFlight[] = [];
  const dispatch = new Dispatch(
    {
      store: { queue },
      clock: () => time.now,
      log: createLog('fatal'),
      owner: 'here',
      config: { queueClaimBatch: 10, mtaInFlight: maxInFlight, queueLeaseMs: 1_000, queuePollMs: 30_000 },
      wakeUp: new WakeUp(),
    },
    admission,
  );
  return { dispatch, handed, time };
}

it('claims whole messages even if the share of bulk mail is zero', async () => {
  const limits: number[] = [];
  const { dispatch, handed } = dispatchOf(endless(4, limits), 11, 100);
  await dispatch.start(into(handed));
  await waitFor('bulk mail has its share', () => handed.length >= 8);
  const [first] = handed;
  if (first) dispatch.end(first, true);
  await waitFor('what ended is followed', () => handed.length >= 9);
  await dispatch.stop();
  expect(limits).toEqual([8, 1]);
});

it('does not wait for a clock that was set back before it ends more leases', async () => {
  const { dispatch, handed, time } = dispatchOf(endless(1, []), 12, 100);
  await dispatch.start(into(handed));
  await waitFor('little is free', () => handed.length === 10);
  time.now -= 3_600_000;
  await waitFor('the rest is claimed', () => handed.length === 12);
  await dispatch.stop();
});

it('returns the reservation of a lost message, unless it may have been attempted', async () => {
  const released: boolean[] = [];
  const release: Hold = (count, isSent) => {
    for (let one = 0; one < count; one += 1) released.push(isSent);
    return false;
  };
  const { dispatch, handed } = dispatchOf(endless(1, []), 2, 100, {
    ...openAdmission(100),
    reserve: (_queue, group, count) => new Reservation(group, [release], count),
  });
  await dispatch.start(into(handed));
  await waitFor('two are claimed', () => handed.length === 2);
  await dispatch.stop();
  const [planned, begun] = handed;
  if (!planned || !begun) throw new Error('nothing was claimed');
  dispatch.lose([planned], false);
  dispatch.lose([begun], true);
  dispatch.lose([planned, begun], true);
  expect(released).toEqual([false, true]);
});
