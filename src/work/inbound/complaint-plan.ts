// A complaint becomes rows: the message's status, its trail, and the address that is not to be written to again.
import type { FeedbackReport } from '../../mail/feedback-report.js';
import { statusesThatMayBecome } from '../../rules/message-state.js';
import type { SignedLinkTarget } from '../../store/messages.js';
import type { Change } from '../../store/plan.js';
import { addSuppression, recipientOf } from '../../store/suppression-plan.js';

/** Of the first complaint about the message. */
export function planComplaint(
  target: SignedLinkTarget,
  report: FeedbackReport,
  facts: { reporter: string | null; at: number },
): Change[] {
  const { message, scope } = target;
  const { at, reporter } = facts;
  return [
    {
      kind: 'advance',
      messageId: message.id,
      to: 'complained',
      from: statusesThatMayBecome('complained'),
      set: { updated_at: at },
    },
    {
      kind: 'append',
      event: {
        environmentId: scope.environmentId,
        workspaceNumber: scope.workspaceNumber,
        messageId: message.id,
        subjectId: message.public_id,
        event: 'complained',
        actor: 'provider',
        occurredAt: at,
        detail: {
          metadata: {
            feedback_type: report.type,
            reporter,
            user_agent: report.userAgent,
            source_ip: report.sourceIp,
          },
        },
      },
    },
    ...addSuppression(recipientOf(target), 'complaint', at),
  ];
}
