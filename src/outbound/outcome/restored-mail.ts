// Reviews and releases mail that is on hold after a restore. Messages that may have been sent end in doubt, the others are sent.
// Meanwhile the server may run, because it claims no live mail. An interrupted release can be repeated.
import type { OutboundContext } from '../context.js';
import { auditInsert } from '../../accounts/audit/audit.store.js';
import { Refusal } from '../../contract/refusal.js';
import { type RestoreRow, restores } from '../../backups/backups.tables.js';
import { hasSendersEnd } from '../schedule/expire.js';
import type { Claim, LeasedClaim } from '../schedule/queue.store.js';
import type { Lifetimes } from '../../messages/lifetime.rules.js';
import { type Evidence, judgeHeld, type Verdict } from './evidence.rules.js';
import { mayHaveLeft } from './outcome-plan.js';
import type { Change } from '../../database/change.js';
import { update } from '../../database/rows.js';
import type { OutboundStores } from '../stores.js';
import { queue } from '../../messages/queue.tables.js';

const BATCH = 500;
const NO_EVIDENCE: Evidence = {
  outcomes: new Map(),
  loggedSince: null,
  loggedUntil: null,
  hasGap: false,
  seenUntil: null,
};
/** Time (ms) after the release for messages that would have expired while they were on hold. */
const EXTENSION_MS = 3_600_000;

type RestoredContext = Pick<OutboundContext, 'clock'> & {
  store: Pick<OutboundStores, 'backups' | 'queue' | 'accounts' | 'commit'>;
  config: Lifetimes;
};

export interface ReviewedMail {
  id: string;
  toEmail: string;
  dueAt: number;
  verdict: Verdict;
  reason: string;
}

interface Review {
  hold: RestoreRow;
  counts: Record<Verdict, number>;
}

interface ReleaseChoice<Before> {
  evidence: Evidence;
  /** Message ids that must not be sent again. */
  except: ReadonlySet<string>;
  /** Handling of messages without evidence: send them, leave them in doubt, or refuse the release. */
  unknown: 'send' | 'leave' | 'refuse';
  /** Called after all messages are handled and before the hold ends. */
  beforeEnd: () => Promise<Before>;
}

/** Judges every message on hold and counts the verdicts. Refuses with `conflict` if there is no hold. */
export async function reviewHeld(
  context: RestoredContext,
  evidence: Evidence,
  see: (mail: ReviewedMail) => void,
): Promise<Review> {
  const hold = await heldSince(context);
  const counts = { left: 0, may_have_left: 0, stayed: 0, unknown: 0 };
  for await (const batch of heldMail(context, hold)) {
    for (const claim of batch) {
      const { verdict, reason } = judge(claim, evidence, hold);
      counts[verdict] += 1;
      see({ id: claim.publicId, toEmail: claim.toEmail, dueAt: claim.dueAt, verdict, reason });
    }
  }
  return { hold, counts };
}

interface Released {
  sent: number;
  inDoubt: number;
}

type Decision = Pick<ReleaseChoice<unknown>, 'evidence' | 'except' | 'unknown'>;

/**
 * Releases all messages and ends the hold. Refuses with `conflict` if there is no hold, or if there is no evidence for some
 * messages and `unknown` is `refuse`.
 */
export async function releaseHeld<Before>(
  context: RestoredContext,
  choice: ReleaseChoice<Before>,
): Promise<Released & { before: Before }> {
  const { store, clock } = context;
  if (choice.unknown === 'refuse') await refuseUnknown(context, choice);
  const hold = await heldSince(context);
  const released = { sent: 0, inDoubt: 0 };
  for await (const batch of heldMail(context, hold)) {
    const at = clock();
    const plan = batch.flatMap((claim): Change[] => {
      const { isSent, reason } = decide(claim, choice, hold);
      released[isSent ? 'sent' : 'inDoubt'] += 1;
      if (!isSent) return endInDoubt(claim, reason, at);
      return extendLifetime(claim, context.config, at);
    });
    if (plan.length > 0) await store.commit(plan);
  }
  const before = await choice.beforeEnd();
  await endHold(context, hold, released);
  return { ...released, before };
}

/**
 * Returns the changes that end a message in doubt if it is removed from the queue during the hold and may have been sent
 * before the restore. Returns `null` if it was not sent, or if there is no hold.
 */
export function endWhileHeld(claim: Claim, hold: RestoreRow | null, at: number): Change[] | null {
  if (hold === null || claim.mode !== 'live' || claim.messageId > hold.last_message_id) return null;
  const { verdict, reason } = judge({ ...claim, dotIntentAt: null }, NO_EVIDENCE, hold);
  return verdict === 'stayed' ? null : endInDoubt(claim, reason, at);
}

function endInDoubt(claim: Claim, reason: string, at: number): Change[] {
  const via = claim.provider === 'smarthost' ? 'smarthost' : 'mta';
  return mayHaveLeft(claim, `Restored from a backup: ${reason}.`, { at, via });
}

async function refuseUnknown(context: RestoredContext, choice: Decision): Promise<void> {
  let unknown = 0;
  await reviewHeld(context, choice.evidence, ({ id, verdict }) => {
    if (verdict === 'unknown' && !choice.except.has(id)) unknown += 1;
  });
  if (unknown === 0) return;
  const message =
    `It is unknown whether ${unknown} messages were sent. Pass a delivery log that covers the time since the backup, ` +
    'or use --all to send them or --none to mark them as in doubt.';
  throw new Refusal('conflict', message);
}

function decide(
  claim: LeasedClaim,
  { evidence, except, unknown }: Decision,
  hold: RestoreRow,
): { isSent: boolean; reason: string } {
  if (except.has(claim.publicId))
    return { isSent: false, reason: 'the operator reported that it may have been sent' };
  const { verdict, reason } = judge(claim, evidence, hold);
  return { isSent: verdict === 'stayed' || (verdict === 'unknown' && unknown === 'send'), reason };
}

function judge(claim: LeasedClaim, evidence: Evidence, hold: RestoreRow) {
  const { publicId, scheduledAt, createdAt, dotIntentAt, ambiguousAttempts } = claim;
  const mail = {
    publicId,
    firstDueAt: scheduledAt ?? createdAt,
    wasInDoubt: dotIntentAt !== null || ambiguousAttempts > 0,
  };
  return judgeHeld(mail, evidence, { copiedAt: hold.copied_at, restoredAt: hold.restored_at });
}

async function heldSince({ store }: RestoredContext): Promise<RestoreRow> {
  const hold = await store.backups.hold();
  if (hold === null)
    throw new Refusal('conflict', 'No mail is on hold because no restore is awaiting release.');
  return hold;
}

async function* heldMail({ store }: RestoredContext, hold: RestoreRow): AsyncGenerator<LeasedClaim[]> {
  let after = 0;
  for (;;) {
    const batch = await store.queue.liveMail({ after, upTo: hold.last_message_id, limit: BATCH });
    if (batch.length === 0) return;
    yield batch;
    after = batch.at(-1)?.messageId ?? after;
  }
}

/** Extends the lifetime of a message that expired on hold, unless its sender set the expiry. */
function extendLifetime(claim: Claim, lifetimes: Lifetimes, at: number): Change[] {
  if (claim.expiresAt >= at + EXTENSION_MS || hasSendersEnd(claim, lifetimes)) return [];
  const { messageId: message_id } = claim;
  return [update(queue, { set: { expires_at: at + EXTENSION_MS }, where: { message_id } })];
}

async function endHold(
  { store, clock }: RestoredContext,
  { epoch }: RestoreRow,
  { sent, inDoubt }: Released,
): Promise<void> {
  const at = clock();
  const organization = await store.accounts.firstOrganization();
  const entry = { at, workspaceId: null, detail: { sent, in_doubt: inDoubt } };
  const actor = { kind: 'operator', id: null } as const;
  await store.commit([
    update(restores, { set: { released_at: at }, where: { epoch } }),
    ...(organization === null
      ? []
      : [auditInsert({ ...entry, organizationId: organization.id, actor, action: 'restore.release' })]),
  ]);
}
