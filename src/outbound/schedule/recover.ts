// Returns the leases of workers that have died. If the intent to send the final dot was recorded, the message may have arrived and
// is in doubt. Otherwise it was not sent.
import { OWNER_SEPARATOR } from './queue.store.js';
import type { EngineContext } from '../context.js';
import { randomInt } from 'node:crypto';
import type { Via } from '../outcome/attempt.rules.js';
import { backToQueue, outcomePlan } from '../outcome/outcome-plan.js';
import type { Change } from '../../database/change.js';

const BATCH = 500;
/** Time (ms) over which recovered mail is spread. */
const SPREAD_MS = 1_000;

/** Returns leases that ended before `deadline` (epoch ms) to the queue, and counts them. At the start no lease is held. */
export async function recoverLeases(
  {
    store,
    node,
    rules,
    outcomes,
    onCommitted,
    clock,
    log,
  }: Pick<EngineContext, 'store' | 'node' | 'rules' | 'outcomes' | 'onCommitted' | 'clock' | 'log'>,
  deadline: number,
): Promise<{ returned: number; doubtful: number }> {
  // In a cluster each node recovers its own leases.
  const owner = node === null ? null : `${node.id}${OWNER_SEPARATOR}`;
  const { smarthosts } = rules.egress;
  const viaOf = (source: string | null): Via =>
    source !== null && smarthosts.has(source) ? 'smarthost' : 'mta';
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
        via: viaOf(claim.source),
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
        share: null,
        startedAt: null,
        jitter: 0,
        earlierBounces: [],
      };
      return outcomePlan(facts, outcomes);
    });
    if (plan.length > 0) onCommitted(await store.commit(plan));
    if (stale.length < BATCH) break;
  }
  if (returned + doubtful > 0) log.warn({ returned, doubtful }, 'stale leases released');
  return { returned, doubtful };
}
