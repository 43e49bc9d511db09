// Plans the rows of a delivery report: audit trail entry, status of the message, suppression of the address.
import { bounceReason } from '../../outbound/outcome/bounce-class.rules.js';
import type { ErrorDetail, TrailEvent } from '../../contract/names.js';
import type { BounceReport } from '../../lib/dsn/index.js';
import type { BounceClassification } from './bounce-report.rules.js';
import { statusesThatMayBecome } from '../../messages/state.rules.js';
import { repeatSuppresses } from '../../suppressions/suppression.rules.js';
import type { SignedLinkTarget } from '../../messages/messages.store.js';
import { reportChanges } from '../../messages/relayed/due-reports.js';
import { addSuppression, messageRecipient } from '../../suppressions/suppression-plan.store.js';
import { auditTrailEntry } from '../../events/audit-trail-entry.store.js';
import type { Change } from '../../database/change.js';
import { advanceMessage, dequeueMessage } from '../../messages/message-changes.store.js';

interface BounceFacts {
  target: SignedLinkTarget;
  report: BounceReport;
  bounce: BounceClassification;
  /** When the report was received. */
  at: number;
  /** Earlier events of the message. A result that the SMTP session or another report has already given changes nothing. */
  happened: readonly TrailEvent[];
  /** Earlier bounces of the address, because some categories suppress only after repeated bounces. */
  earlierBounces: readonly { category: string; at: number }[];
}

interface BouncePlan {
  outcome: 'bounced' | 'delayed' | 'delivered' | 'relayed' | 'duplicate' | 'unclear';
  changes: Change[];
}

/** Includes the delivery report for the submitter of a relayed message, if requested. */
export function planBounce(facts: BounceFacts): BouncePlan {
  const { outcome, changes } = planOutcome(facts);
  const { id: messageId, dsn } = facts.target.message;
  const success = facts.bounce.outcome;
  const reported =
    success === 'delivered' || success === 'relayed' || success === 'expanded' ? success : null;
  // A success may be in the audit trail already.
  const handedOver = reported === null ? null : { occurredAt: facts.at, metadata: replyFields(facts) };
  const reports = reportChanges({ messageId, dsn }, changes, { reported, handedOver });
  return { outcome, changes: [...changes, ...reports] };
}

function planOutcome(facts: BounceFacts): BouncePlan {
  const { bounce, happened } = facts;
  switch (bounce.outcome) {
    case 'bounced':
      return happened.includes('bounced')
        ? { outcome: 'duplicate', changes: lateSuppression(facts) }
        : { outcome: 'bounced', changes: bounced(facts) };
    case 'delayed':
      return { outcome: 'delayed', changes: [append(facts, 'deferred', { delayed: true })] };
    case 'delivered':
    case 'expanded':
      return happened.includes('delivered')
        ? { outcome: 'duplicate', changes: [] }
        : { outcome: 'delivered', changes: delivered(facts) };
    case 'relayed':
      // The next system sends no such reports, so the message stays `sent`.
      return { outcome: 'relayed', changes: [] };
    case 'unclear':
      return { outcome: 'unclear', changes: [] };
  }
}

function bounced(facts: BounceFacts): Change[] {
  const { target, bounce, at } = facts;
  const { message } = target;
  const error: ErrorDetail = {
    type: bounce.type ?? 'soft',
    category: bounce.category ?? 'unknown',
    code: bounce.code,
    enhanced_code: bounce.enhanced,
    message: bounce.message,
    remote_host: bounce.remoteHost,
    occurred_at: new Date(at).toISOString(),
  };
  const from = statusesThatMayBecome('bounced');
  // A recipient who has opened the message has a working mailbox, so a forwarded copy bounced.
  const isNews = from.includes(message.status);
  const set = isNews ? { error: JSON.stringify(error), updated_at: at } : { updated_at: at };
  return [
    advanceMessage({ messageId: message.id, to: 'bounced', from, set }),
    append(facts, 'bounced', {
      type: bounce.type,
      reason: bounceReason(bounce.category ?? 'unknown'),
    }),
    dequeueMessage({ messageId: message.id }),
    ...(isNews && suppresses(facts) ? addSuppression(messageRecipient(target), 'bounce', at, error) : []),
  ];
}

/** Suppresses the address if a repeated bounce is the first proof that the address is at fault. */
function lateSuppression({ target, bounce, happened, at }: BounceFacts): Change[] {
  const isNews = target.message.status === 'bounced' && !happened.includes('suppressed');
  const reply = { code: bounce.code, enhanced_code: bounce.enhanced, message: bounce.message };
  return bounce.suppress === 'now' && isNews
    ? addSuppression(messageRecipient(target), 'bounce', at, reply)
    : [];
}

function suppresses({ bounce, earlierBounces, at }: BounceFacts): boolean {
  const category = bounce.category ?? 'unknown';
  const earlier = earlierBounces.filter((past) => past.category === category).map((past) => past.at);
  return (
    bounce.suppress === 'now' ||
    (bounce.suppress === 'repeated' && repeatSuppresses({ category, earlier, now: at }))
  );
}

function delivered(facts: BounceFacts): Change[] {
  const { message } = facts.target;
  return [
    advanceMessage({
      messageId: message.id,
      to: 'delivered',
      from: statusesThatMayBecome('delivered'),
      set: { updated_at: facts.at },
    }),
    append(facts, 'delivered', {}),
    // A message whose connection was lost at the final dot may be waiting for a retry.
    dequeueMessage({ messageId: message.id }),
  ];
}

function append(facts: BounceFacts, event: TrailEvent, metadata: Record<string, unknown>): Change {
  const { target, report, bounce, at } = facts;
  const said = {
    by_mail: true,
    category: bounce.category,
    ...replyFields(facts),
    reporting_mta: report.reportingMta,
    format: report.format,
    ...metadata,
  };
  return auditTrailEntry(messageRecipient(target), {
    event,
    actor: 'provider',
    at,
    detail: { metadata: said },
  });
}

function replyFields({ bounce }: BounceFacts): Record<string, unknown> {
  const { code, enhanced, message, remoteHost } = bounce;
  return { code, enhanced_code: enhanced, reply: message, remote_host: remoteHost };
}
