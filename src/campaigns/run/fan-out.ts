// Creates messages from the audience snapshot in batches. While one batch is committed, the next one is rendered.
import type { CampaignContext } from '../context.js';
import { Refusal, isUnavailable } from '../../contract/refusal.js';
import type { CampaignInEnvironment } from '../campaigns.store.js';
import { createFacts, type SenderSide } from '../../messages/accept/facts.js';
import { remainingQuota } from '../../messages/accept/quota-check.js';
import { isStale, planBatch, SlowTemplate, type Batch, type BatchTerms } from './batch.js';
import { requireSenders } from '../prepare/readiness.js';
import { openCopyRenderer, unrenderedMessage } from '../prepare/recipient-copy.js';
import { RecipientRace } from '../recipient-changes.store.js';

/** Batches per turn, so that campaigns alternate. */
const BATCHES_PER_TURN = 20;

/**
 * `more`: recipients remain. `done`: no recipient is waiting. `busy`: retry later. `slow`: retry later, because a template may be
 * too slow. `no_quota`: the quota is used up, so the rest continue to wait. `problem`: the campaign cannot continue for any
 * recipient.
 */
type Turn =
  | { kind: 'more' | 'done' | 'busy' }
  | { kind: 'slow' | 'no_quota' | 'problem'; code: string; message: string };

/** A problem of the whole campaign, rather than of one recipient. */
const STOPS: readonly string[] = [
  'tenant_suspended',
  'sub_tenant_not_found',
  'postal_address_required',
  'sender_required',
  'sender_not_verified',
  'template_not_found',
];
/** The problem that a campaign shows while it waits for quota. */
const QUOTA_EXCEEDED = 'quota_exceeded';

/** One step of a campaign with an audience snapshot. */
export async function fanOut(
  context: CampaignContext,
  campaign: CampaignInEnvironment,
  signal: AbortSignal,
): Promise<Turn> {
  try {
    const scope = { ...campaign.place, subTenantId: campaign.sub_tenant_id };
    const side = await createFacts(context.store).senderSide(scope);
    const { plan } = side.organization;
    const found = await remainingQuota(context, scope, { plan, type: campaign.type, now: context.clock() });
    const remaining = found ?? { left: Infinity, message: '' };
    const noQuota: Turn = { kind: 'no_quota', code: QUOTA_EXCEEDED, message: remaining.message };
    if (remaining.left === 0 && waitsForQuota(campaign)) return noQuota;
    const terms = await readTerms(context, campaign, side);
    return (await makeBatches(context, terms, remaining.left, signal)) ?? noQuota;
  } catch (error) {
    if (error instanceof SlowTemplate) return { kind: 'slow', code: error.code, message: error.message };
    if (!(error instanceof Refusal)) throw error;
    if (isUnavailable(error)) return { kind: 'busy' };
    if (STOPS.includes(error.code)) return { kind: 'problem', code: error.code, message: error.message };
    throw error;
  }
}

/** Returns whether the campaign already waits for quota. Recipients who need no copy have then been recorded. */
function waitsForQuota({ problem }: Pick<CampaignInEnvironment, 'problem'>): boolean {
  return problem !== null && (JSON.parse(problem) as { code: string }).code === QUOTA_EXCEEDED;
}

async function readTerms(
  context: CampaignContext,
  campaign: CampaignInEnvironment,
  side: SenderSide,
): Promise<BatchTerms> {
  const scope = { ...campaign.place, subTenantId: campaign.sub_tenant_id };
  const senders = requireSenders(campaign, side, scope);
  const renderCopy = await openCopyRenderer(context, scope, campaign);
  const unrendered = await unrenderedMessage(context.store, scope, campaign);
  return { scope, campaign, side, senders, renderCopy, unrendered };
}

/** `remaining` is the number of copies that may be created. Returns null if no recipient of the next batch can get one. */
async function makeBatches(
  context: CampaignContext,
  terms: BatchTerms,
  remaining: number,
  signal: AbortSignal,
): Promise<Turn | null> {
  const { id } = terms.campaign;
  let after = 0;
  let left = remaining;
  const next = async (): Promise<Batch | null> => {
    const waiting = await context.store.campaigns.waiting(id, after, context.config.campaignBatch);
    if (waiting.length === 0) return null;
    after = waiting.at(-1)?.recipient.contact_number ?? after;
    const planned = await planBatch(context, terms, waiting, left);
    left -= planned.created;
    return planned;
  };
  let batch = await next();
  for (let count = 0; batch !== null; count++) {
    if (batch.recorded === 0) return count > 0 ? { kind: 'more' } : null;
    const isLast = count + 1 >= BATCHES_PER_TURN || batch.unserved > 0 || signal.aborted;
    // A failure is handled when the result is awaited, after the commit.
    const following = isLast ? null : resultOf(next());
    const committed = await resultOf(commit(context, batch));
    const followed = await following;
    if (!committed.ok) {
      // Others have used the quota. The next turn reads the rest.
      if (committed.error instanceof Refusal && committed.error.code === QUOTA_EXCEEDED)
        return { kind: 'more' };
      throw committed.error;
    }
    if (!committed.value || followed === null) return { kind: 'more' };
    if (!followed.ok) throw followed.error;
    batch = followed.value;
  }
  return { kind: 'done' };
}

/** Returns false if the campaign or a recipient has changed in the meantime. The caller reads again. */
async function commit({ store, wakeUps }: CampaignContext, { plan }: Batch): Promise<boolean> {
  try {
    const { queueIds } = await store.commit(plan);
    if (queueIds.length > 0) wakeUps.queue([...new Set(queueIds)]);
    wakeUps.events();
    return true;
  } catch (error) {
    if (isStale(error) || error instanceof RecipientRace) return false;
    throw error;
  }
}

type Result<T> = { ok: true; value: T } | { ok: false; error: unknown };

function resultOf<T>(promise: Promise<T>): Promise<Result<T>> {
  return promise.then(
    (value) => ({ ok: true, value }),
    (error: unknown) => ({ ok: false, error }),
  );
}
