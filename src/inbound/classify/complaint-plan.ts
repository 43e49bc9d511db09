// A complaint becomes rows: the message's status, its trail, and the address that is not to be written to again.
import type { FeedbackReport } from '../../lib/dsn/feedback-report.js';
import { statusesThatMayBecome } from '../../messages/state.rules.js';
import type { SignedLinkTarget } from '../../messages/messages.store.js';
import type { Change } from '../../store/plan.js';
import { addSuppression, recipientOf } from '../../suppressions/suppression-plan.store.js';
import { trailEntry } from '../../events/audit-trail-entry.store.js';

/** Of the first complaint about the message. */
export function planComplaint(
  target: SignedLinkTarget,
  report: FeedbackReport,
  facts: { reporter: string | null; at: number },
): Change[] {
  const { at, reporter } = facts;
  const recipient = recipientOf(target);
  const metadata = {
    feedback_type: report.type,
    reporter,
    user_agent: report.userAgent,
    source_ip: report.sourceIp,
  };
  return [
    {
      kind: 'advance',
      messageId: recipient.messageId,
      to: 'complained',
      from: statusesThatMayBecome('complained'),
      set: { updated_at: at },
    },
    trailEntry(recipient, { event: 'complained', actor: 'provider', at, detail: { metadata } }),
    ...addSuppression(recipient, 'complaint', at),
  ];
}
