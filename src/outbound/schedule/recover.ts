// Leases whose worker is gone. With the dot intent set the peer may have the message: that is the doubtful case;
// without it the message certainly did not leave.
import { randomInt } from 'node:crypto';
import type { Via } from '../outcome/attempt.rules.js';
import type { Clock } from '../../lib/runtime/clock.js';
import type { Log } from '../../lib/runtime/log.js';
import type { OutboundStores } from '../stores.js';
import { backToQueue, outcomePlan, type OutcomeSettings } from '../outcome/outcome-plan.js';
import type { Change, Committed } from '../../database/change.js';

const BATCH = 500;
/** Recovered mail is spread over this time, so that a restart is no storm. */
const SPREAD_MS = 1_000;

export interface RecoverDeps {
  store: Pick<OutboundStores, 'queue' | 'commit'>;
  clock: Clock;
  log: Log;
  settings: OutcomeSettings;
  /** Of leases, how the names of those begin whose end this program looks after; null: all. */
  ownerPrefix: string | null;
  /** By the name of the source that the attempt before had. */
  viaOf: (source: string | null) => Via;
  onCommitted: (committed: Committed) => void;
}

/** Returns leases that ended before `deadline` (epoch ms; at start the end of time, since none can be held). Counts them. */
export async function recoverLeases(
  deps: RecoverDeps,
  deadline: number,
): Promise<{ returned: number; doubtful: number }> {
  const { store, clock, settings, ownerPrefix: owner } = deps;
  let returned = 0;
  let doubtful = 0;
  for (;;) {
    const stale = await store.queue.staleLeases({ before: deadline, limit: BATCH, owner });
    const now = clock();
    const plan = stale.flatMap(({ dotIntentAt, ...claim }): Change[] => {
      if (dotIntentAt === null || claim.mode === 'test') {
        returned += 1;
        return [backToQueue(claim, { dueAt: now + randomInt(SPREAD_MS), holdReason: claim.heldFor })];
      }
      doubtful += 1;
      const result = {
        kind: 'ambiguous',
        error: 'Mailkeel stopped after sending the message and before the server replied.',
        peer: null,
      } as const;
      const outcome = {
        messageId: claim.messageId,
        at: now,
        handedAt: dotIntentAt,
        datedAt: null,
        signedAt: null,
        sizeBytes: null,
        via: deps.viaOf(claim.source),
        source: claim.source ?? '',
        pathId: 0,
        sessionId: null,
        conversation: null,
        times: null,
        result,
      };
      const facts = {
        claim,
        outcome,
        failure: null,
        otherSource: null,
        note: null,
        startedAt: null,
        jitter: 0,
        earlierBounces: [],
      };
      return outcomePlan(facts, settings);
    });
    if (plan.length > 0) deps.onCommitted(await store.commit(plan));
    if (stale.length < BATCH) break;
  }
  if (returned + doubtful > 0) deps.log.warn({ returned, doubtful }, 'stale leases released');
  return { returned, doubtful };
}
