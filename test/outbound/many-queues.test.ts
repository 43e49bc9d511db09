// Measures a deep queue over many queues next to a shallow one: messages claimed and finished per second, the longest stall of
// the event loop, and memory. The full size is a million messages in a hundred thousand queues. Prints figures, and asserts only
// what does not depend on the machine.
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { bootstrap } from '../../src/accounts/bootstrap.js';
import { createLog } from '../../src/lib/runtime/index.js';
import type { Admission, InFlight } from '../../src/outbound/schedule/admission.js';
import { Dispatch } from '../../src/outbound/schedule/dispatch.js';
import { WakeUp } from '../../src/outbound/schedule/wake-up.js';
import { Reservation } from '../../src/outbound/shape/limit.js';
import { createStore } from '../../src/app/store.js';
import { fillQueue } from '../support/fill-queue.js';
import { openMigratedFile, temporaryFolder } from '../support/open-engines.js';
import { sized } from '../support/run-size.js';
import { waitFor } from '../support/wait.js';
import type { Change } from '../../src/database/change.js';
import { update } from '../../src/database/rows.js';
import { queue } from '../../src/messages/queue.tables.js';

const SIZES = sized({
  small: { shallow: 300, deep: 3_000, queues: 1_000, measured: 1_000 },
  full: { shallow: 1_000, deep: 1_000_000, queues: 100_000, measured: 40_000 },
});
const SETTINGS = { queueClaimBatch: 200, mtaInFlight: 2_000, queueLeaseMs: 600_000, queuePollMs: 1_000 };
const MAX_PER_TURN = 20;
const WAIT_MS = 600_000;
const MEGABYTE = 2 ** 20;

/** No limits, because the queue is measured. */
const UNLIMITED: Admission = {
  check: ({ domain: group }) => ({ kind: 'open', capacity: MAX_PER_TURN, group }),
  reserve: (_queue, group, count) => new Reservation(group, [], count),
};

let folder: ReturnType<typeof temporaryFolder>;

beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

interface Figures {
  perSecond: number;
  startMs: number;
  /** Stalls of the event loop: during the first read of the queues, and later. */
  startStallMs: number;
  longestStallMs: number;
  residentMb: number;
  /** Queues that messages were claimed from. */
  queuesSeen: number;
}

/** Claims and ends messages for a while. Each goes back to the end of its queue, so that the depth stays. */
async function run(depth: number, queues: number): Promise<Figures> {
  const file = join(folder.path, `${depth}.db`);
  const laid = await openMigratedFile(file);
  const first = createStore(laid.engine, { maxGroup: 200 });
  const { workspaceId } = await bootstrap(first, { clock: () => Date.now() });
  const { environmentId } = await first.accounts.environmentOf(workspaceId, 'live');
  await first.drain();
  await laid.close();
  fillQueue(file, { depth, queues, environmentId, now: Date.now() });
  const opened = await openMigratedFile(file);
  const store = createStore(opened.engine, { maxGroup: 200 });
  const log = createLog('fatal');
  const seen = new Set<number>();
  let count = 0;
  const dispatch = new Dispatch(
    {
      ...{ store, log, config: SETTINGS, wakeUp: new WakeUp() },
      ...{ clock: () => Date.now(), owner: 'test' },
    },
    UNLIMITED,
  );

  async function putBack(entries: readonly InFlight[]): Promise<void> {
    await store.commit(
      entries.map(({ claim: { messageId } }): Change =>
        update(queue, {
          set: { lease_until: null, lease_owner: null, due_at: Date.now() },
          where: { message_id: messageId },
        }),
      ),
    );
    for (const entry of entries) dispatch.end(entry, true);
    dispatch.notify([...new Set(entries.map(({ claim }) => claim.queueId))]);
    count += entries.length;
  }
  const work: Promise<void>[] = [];
  const live = {
    deliver(entries: readonly InFlight[]): void {
      for (const { claim } of entries) seen.add(claim.queueId);
      work.push(putBack(entries));
    },
  };
  const stalls = monitorEventLoopDelay({ resolution: 1 });
  stalls.enable();
  const startedAt = performance.now();
  await dispatch.start({ live, sandbox: live });
  const startMs = performance.now() - startedAt;
  const startStallMs = stalls.max / 1e6;
  stalls.reset();
  const [from, since] = [count, performance.now()];
  await waitFor('so many were claimed', () => count - from >= SIZES.measured, Boolean, WAIT_MS);
  const perSecond = ((count - from) / (performance.now() - since)) * 1_000;
  stalls.disable();
  const residentMb = process.memoryUsage().rss / MEGABYTE;
  await dispatch.stop();
  await Promise.all(work);
  await store.drain();
  await opened.close();
  return {
    perSecond,
    startMs,
    startStallMs,
    longestStallMs: stalls.max / 1e6,
    residentMb,
    queuesSeen: seen.size,
  };
}

it('serves deep and shallow queues in turn', async () => {
  // The same number of messages per queue, so a claim takes as many steps.
  const shallow = await run(SIZES.shallow, SIZES.queues / (SIZES.deep / SIZES.shallow));
  const deep = await run(SIZES.deep, SIZES.queues);
  for (const [depth, figures] of [
    [SIZES.shallow, shallow],
    [SIZES.deep, deep],
  ] as const) {
    console.log(
      `${depth} waiting: ${figures.perSecond.toFixed(0)} claimed and ended a second, started in ${figures.startMs.toFixed(0)} ms, ` +
        `longest stall ${figures.startStallMs.toFixed(0)} ms then and ${figures.longestStallMs.toFixed(0)} ms later, ${figures.residentMb.toFixed(0)} MB resident, ${figures.queuesSeen} queues`,
    );
  }
  // Each turn takes its whole queue. Bulk mail, in every other queue, waits for work that never ends in this test.
  const turns = SIZES.measured / (SIZES.deep / SIZES.queues);
  expect(deep.queuesSeen).toBeGreaterThanOrEqual(0.9 * Math.min(SIZES.queues / 2, turns));
});
