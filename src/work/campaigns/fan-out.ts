// From the frozen audience to messages, batch by batch. While one batch is committed the copies of the next are made.
import { Refusal } from '../../contract/refusal.js';
import type { Log } from '../../runtime/log.js';
import { RecipientRace } from '../../store/apply-campaign.js';
import type { PlacedCampaign } from '../../store/campaigns.js';
import type { Store } from '../../store/store.js';
import type { Bells } from '../submission/accept.js';
import { createFacts } from '../submission/facts.js';
import type { Renderer } from '../submission/renderer.js';
import { isStale, planBatch, SlowTemplate, type Batch, type BatchDeps, type BatchTerms } from './batch.js';
import { sendersOf } from './readiness.js';
import { openCopies, unfilledMessage } from './recipient-copy.js';

/** Batches of one turn, before another campaign has its own. */
const BATCHES_PER_TURN = 20;

export interface FanOutDeps extends BatchDeps {
  store: Store;
  renderer: Renderer;
  log: Log;
  bells: Bells;
  batchSize: number;
}

/**
 * `more` waits; `done`: nobody waits any more; `busy`: try again later; `slow`: the same, but a template may be to blame;
 * `problem`: the campaign cannot go on as it is, for everybody.
 */
export type Turn =
  { kind: 'more' | 'done' | 'busy' } | { kind: 'slow' | 'problem'; code: string; message: string };

/** What keeps a campaign from going on, rather than one recipient from getting it. */
const STOPS: readonly string[] = [
  'tenant_suspended',
  'sub_tenant_not_found',
  'postal_address_required',
  'sender_required',
  'sender_not_verified',
  'template_not_found',
  'quota_exceeded',
];

/** One turn of a campaign whose audience is frozen. */
export async function fanOut(deps: FanOutDeps, campaign: PlacedCampaign, signal: AbortSignal): Promise<Turn> {
  try {
    const terms = await readTerms(deps, campaign);
    return await makeBatches(deps, terms, signal);
  } catch (error) {
    if (error instanceof SlowTemplate) return { kind: 'slow', code: error.code, message: error.message };
    if (!(error instanceof Refusal)) throw error;
    if (error.code === 'unavailable') return { kind: 'busy' };
    if (STOPS.includes(error.code)) return { kind: 'problem', code: error.code, message: error.message };
    throw error;
  }
}

async function readTerms(deps: FanOutDeps, campaign: PlacedCampaign): Promise<BatchTerms> {
  const scope = { ...campaign.place, subTenantId: campaign.sub_tenant_id };
  const side = await createFacts(deps.store).senderSide(scope);
  const senders = sendersOf(campaign, side, scope);
  const makeCopy = await openCopies(deps, scope, campaign);
  const unfilled = await unfilledMessage(deps.store, scope, campaign);
  return { scope, campaign, side, senders, makeCopy, unfilled };
}

async function makeBatches(deps: FanOutDeps, terms: BatchTerms, signal: AbortSignal): Promise<Turn> {
  const { id } = terms.campaign;
  const { batchSize } = deps;
  let after = 0;
  const next = async (): Promise<Batch | null> => {
    const waiting = await deps.store.campaigns.waiting(id, after, batchSize);
    if (waiting.length === 0) return null;
    after = waiting.at(-1)?.recipient.contact_number ?? after;
    return planBatch(deps, terms, waiting);
  };
  let batch = await next();
  for (let count = 0; batch !== null; count++) {
    const isLast = count + 1 >= BATCHES_PER_TURN || signal.aborted;
    // Its failure is seen when it is waited for, behind the commit.
    const following = isLast ? null : settled(next());
    const kept = await settled(commit(deps, batch));
    const followed = await following;
    if (!kept.ok) return commitAllowed(deps, terms, batch, kept.error);
    if (!kept.value || followed === null) return { kind: 'more' };
    if (!followed.ok) throw followed.error;
    batch = followed.value;
  }
  return { kind: 'done' };
}

/**
 * After a batch that was refused: where the sender's plan allows some of it, they are written to, and the next turn sees
 * what is left. Throws what it was refused with when that is nobody, or when it was refused for another reason.
 */
async function commitAllowed(
  deps: FanOutDeps,
  terms: BatchTerms,
  { recipients }: Batch,
  error: unknown,
): Promise<Turn> {
  const room = roomIn(error);
  if (room === null || room < 1 || room >= recipients.length) throw error;
  await commit(deps, await planBatch(deps, terms, recipients.slice(0, room)));
  return { kind: 'more' };
}

/** How many sends the plan allows besides those that are used; null when it refused for another reason. */
function roomIn(error: unknown): number | null {
  if (!(error instanceof Refusal) || error.code !== 'quota_exceeded') return null;
  const { limit, used } = error.details ?? {};
  return typeof limit === 'number' && typeof used === 'number' ? limit - used : 0;
}

/** False when the campaign or a recipient has moved on meanwhile: all is read anew. */
async function commit({ store, bells }: FanOutDeps, { plan }: Batch): Promise<boolean> {
  try {
    const { laneIds } = await store.commit(plan);
    if (laneIds.length > 0) bells.queue([...new Set(laneIds)]);
    bells.events();
    return true;
  } catch (error) {
    if (isStale(error) || error instanceof RecipientRace) return false;
    throw error;
  }
}

type Settled<T> = { ok: true; value: T } | { ok: false; error: unknown };

function settled<T>(promise: Promise<T>): Promise<Settled<T>> {
  return promise.then(
    (value) => ({ ok: true, value }),
    (error: unknown) => ({ ok: false, error }),
  );
}
