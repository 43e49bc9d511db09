import { expect, it } from 'vitest';
import { createLog } from '../../src/runtime/log.js';
import type { Claim } from '../../src/store/queue.js';
import { createDispatch, type DispatchDeps } from '../../src/work/queue/dispatch.js';
import { newClaim } from '../support/new-claim.js';
import { openGate } from '../support/open-gate.js';
import { waitUntil } from '../support/wait-until.js';

it('keeps the lease of a message that was claimed again before its former claim was released', async () => {
  const handed: Claim[] = [];
  const kept: (readonly number[])[] = [];
  const lane = {
    laneId: 1,
    environmentId: 1,
    mode: 'live',
    subTenantKey: '',
    domain: 'there.test',
    rank: 1,
  } as const;
  const queue: DispatchDeps['store']['queue'] = {
    lanes: () => Promise.resolve([{ ...lane, dueAt: 0 }]),
    claim: ({ picks }) =>
      Promise.resolve({
        claims: picks.length > 0 && handed.length < 2 ? [newClaim(7)] : [],
        lanes: [{ laneId: 1, dueAt: handed.length < 1 ? 0 : null }],
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
