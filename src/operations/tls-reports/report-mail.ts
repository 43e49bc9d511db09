// Queues the mail of a TLS report in the server's own workspace.
import { createHash } from 'node:crypto';
import type { TlsReportMail } from '../../lib/tls-policy/index.js';
import { newId } from '../../lib/runtime/index.js';
import type { OperationContext } from '../context.js';
import type { OperationStores } from '../stores.js';
import { planMessages } from '../../messages/accept/plan-message.js';
import { Refusal } from '../../contract/refusal.js';
import { systemDraft } from '../../messages/system-mail/system-mail.js';
import { systemEnvironment } from '../../messages/system-mail/system-workspace.js';
import type { Change } from '../../database/change.js';

type ReportMailContext = Pick<OperationContext, 'systemMail' | 'clock' | 'wakeUps'> & {
  store: Pick<OperationStores, 'accounts' | 'commit' | 'commitAlone'>;
};

/**
 * Queues the mail, signed by its From domain and exempt from the receiver's TLS policy, in one commit with `recorded`. Refuses
 * with `conflict` while the server can't sign its own mail.
 */
export async function submitReport(
  { store, systemMail, clock, wakeUps }: ReportMailContext,
  mail: TlsReportMail,
  { lifeMs, recorded }: { lifeMs: number; recorded: Change },
): Promise<void> {
  const problem = await systemMail.problem('the report');
  if (problem !== null) throw new Refusal('conflict', problem);
  const now = clock();
  const environment = await systemEnvironment(store, now);
  const { filename, contentType, content } = mail.attachment;
  const sha256 = createHash('sha256').update(content).digest('hex');
  const { plan } = planMessages(
    systemDraft({
      publicId: newId('msg', now),
      to: mail.to,
      priority: 'low',
      from: { email: mail.from, name: null },
      subject: mail.subject,
      text: mail.text,
      headers: mail.headers,
      attachments: [{ filename, contentType, cid: null, sha256, content }],
      // RFC 8460 section 3: the report is sent despite problems with the receiver's TLS, because it is about them.
      tlsTerms: 'waived',
    }),
    {
      scope: { ...environment, subTenantId: null },
      actor: 'system',
      now,
      idempotency: null,
      lifetimes: { queueLifetimeMs: lifeMs, marketingQueueLifetimeMs: lifeMs },
    },
  );
  const committed = await store.commit([...plan, recorded]);
  wakeUps.queue(committed.queueIds);
  wakeUps.events();
}
