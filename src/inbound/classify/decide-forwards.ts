// Decides to which addresses a received message is forwarded.
import type { Change } from '../../database/change.js';
import { isForwardable } from '../../messages/inboxes/forwarded-form.rules.js';
import { refusalToForward } from '../../messages/inboxes/forward-trace.js';
import type { NotForwarded } from '../../messages/inboxes/forwards.tables.js';
import type { MailAuthentication } from '../../lib/authentication/index.js';
import type { ParsedMail } from '../../lib/mime/index.js';
import { blockingRow } from '../../suppressions/suppression.rules.js';
import type { InboundContext } from '../context.js';
import type { InboundMail } from '../inbound.tables.js';
import type { Place } from './place-reply.js';
import type { ForwardDecision } from './forward-plan.js';

interface ArrivedMail {
  mail: InboundMail;
  raw: Uint8Array;
  parsed: ParsedMail;
  authentication: MailAuthentication | null;
  /** The plan of the organization has no sends left. */
  isOverQuota: boolean;
}

/**
 * Returns a decision for each address that the inbox forwards to, and the changes that check the quota. Their commit is refused
 * with `quota_exceeded`; decide again with `isOverQuota` then.
 */
export async function decideForwards(
  { store, quota, clock }: Pick<InboundContext, 'store' | 'quota' | 'clock'>,
  { scope, inboxId }: Place,
  arrived: ArrivedMail,
): Promise<{ decisions: ForwardDecision[]; checks: Change[] }> {
  const forwards = inboxId === null ? [] : await store.forwards.activeForwards(inboxId);
  if (forwards.length === 0) return { decisions: [], checks: [] };
  const general = refusalOf(arrived);
  const keys = forwards.map(({ address_key: key }) => key);
  const suppressions = await store.suppressions.suppressionsOf(scope, keys);
  const { plan, unsubscribe_blocks: unsubscribeBlocks } = await store.accounts.organization(scope);
  const question = {
    ...({ type: 'transactional', subTenantId: scope.subTenantId, unsubscribeBlocks } as const),
    isAskedFor: true,
  };
  const decisions = forwards.map((forward): ForwardDecision => {
    const rows = suppressions.filter(({ email_key: key }) => key === forward.address_key);
    const isBlocked = blockingRow(rows, question) !== null;
    return { forward, refusal: general ?? (isBlocked ? 'suppressed' : null) };
  });
  const sends = decisions.filter(({ refusal }) => refusal === null).length;
  return { decisions, checks: quota.changes(scope, plan, { type: 'transactional', sends }, clock()) };
}

function refusalOf({ mail, raw, parsed, authentication, isOverQuota }: ArrivedMail): NotForwarded | null {
  const { fields, from } = parsed;
  const refusal = refusalToForward({ fields, hasFrom: from !== null, authentication, address: mail.rcpt_to });
  if (refusal !== null) return refusal;
  if (!isForwardable(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength))) return 'malformed';
  return isOverQuota ? 'quota' : null;
}
