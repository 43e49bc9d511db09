// Purges queued mail on request, by canceling it or bouncing it with a reason. A message is leased first, so that no worker
// takes it; after a crash it returns to its queue.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Actor } from '../../contract/names.js';
import { auditTrailEntry } from '../../events/audit-trail-entry.store.js';
import { statusesThatMayBecome } from '../../messages/state.rules.js';
import type { Scope } from '../../database/scope.js';
import type { OutboundContext } from '../context.js';
import { giveUp } from '../outcome/give-up.js';
import { dequeueInDoubt } from '../outcome/outcome-plan.js';
import { endWhileHeld } from '../outcome/restored-mail.js';
import type { RestoreRow } from '../../backups/backups.tables.js';
import type { PurgeFilter } from './purge.store.js';
import type { Claim } from './queue.store.js';
import type { Change } from '../../database/change.js';
import { advanceMessage, dequeueMessage } from '../../messages/message-changes.store.js';

/** Messages of one commit. */
const BATCH = 200;
const LEASE_MS = 60_000;
const BUDGET_MS = 20_000;
const SAMPLES = 10;

type PurgeContext = Pick<OutboundContext, 'store' | 'wakeUps' | 'clock'>;

interface PurgeRequest {
  action: 'cancel' | 'bounce';
  isDryRun: boolean;
  /** Shown to senders of bounced mail and in the trail. */
  reason: string;
  domain?: string;
  filter: PurgeFilter;
  actor: Actor;
  /** Time (ms) after which the rest is left to the next request. Default: 20 s. */
  budgetMs?: number;
}

interface Purged {
  /** Matching messages among those examined. */
  matched: number;
  canceled: number;
  bounced: number;
  /** Messages that may have arrived already. They leave the queue neither canceled nor bounced. */
  inDoubt: number;
  /** Public IDs of the first matching messages. */
  sample: string[];
  /** Whether time ran out. Repeat the request to continue. */
  hasMore: boolean;
}

interface PurgeRun {
  request: PurgeRequest;
  /** A restore that awaits its release. */
  hold: RestoreRow | null;
  purged: Purged;
}

/** Goes through the queues of the scope, in order of due time. */
export async function purge(context: PurgeContext, scope: Scope, request: PurgeRequest): Promise<Purged> {
  const { store, clock } = context;
  const purged: Purged = { matched: 0, canceled: 0, bounced: 0, inDoubt: 0, sample: [], hasMore: false };
  const end = clock() + (request.budgetMs ?? BUDGET_MS);
  const hold = await store.backups.hold();
  for (const queueId of await store.queueView.queueIds(scope, request.domain)) {
    for await (const found of store.purge.matching(queueId, request.filter)) {
      if (clock() >= end) return { ...purged, hasMore: true };
      purged.sample.push(...found.slice(0, SAMPLES - purged.sample.length).map(({ publicId }) => publicId));
      if (request.isDryRun) purged.matched += found.length;
      else
        await takeOut(
          context,
          found.map(({ id }) => id),
          { request, hold, purged },
        );
      await nextTurn();
    }
  }
  return purged;
}

async function takeOut(
  { store, clock, wakeUps }: PurgeContext,
  ids: readonly number[],
  { request, hold, purged }: PurgeRun,
): Promise<void> {
  for (let done = 0; done < ids.length; done += BATCH) {
    const now = clock();
    const claims = await store.queue.claimWaiting({
      messageIds: ids.slice(done, done + BATCH),
      leaseUntil: now + LEASE_MS,
      owner: `purge/${process.pid}`,
    });
    purged.matched += claims.length;
    const plan = claims.flatMap((claim) => {
      const inDoubt =
        claim.ambiguousAttempts > 0 ? dequeueInDoubt(claim, now) : endWhileHeld(claim, hold, now);
      if (inDoubt !== null) {
        purged.inDoubt += 1;
        return inDoubt;
      }
      if (request.action === 'cancel') {
        purged.canceled += 1;
        return canceled(claim, request, now);
      }
      purged.bounced += 1;
      return bounced(claim, request, now);
    });
    if (plan.length === 0) continue;
    await store.commit(plan);
    wakeUps.events();
  }
}

function canceled(claim: Claim, { reason, actor }: PurgeRequest, at: number): Change[] {
  const { messageId } = claim;
  const from = statusesThatMayBecome('canceled');
  return [
    advanceMessage({ messageId, to: 'canceled', from, set: { updated_at: at } }),
    auditTrailEntry(claim, { event: 'canceled', actor, at, detail: { metadata: { purged: true, reason } } }),
    dequeueMessage({ messageId }),
  ];
}

function bounced(claim: Claim, { reason, actor }: PurgeRequest, at: number): Change[] {
  const message = `Removed from the queue on request: ${reason}`;
  const reply = { text: message, code: null, enhanced: null, host: null };
  return giveUp(claim, { at, actor, message, reply, metadata: { purged: true } });
}
