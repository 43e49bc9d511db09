// Queues a TLS report in the appliance's own workspace, in one commit with the note that it was.
import { createHash } from 'node:crypto';
import type { TlsReportMail } from '../../lib/tls/tls-report.rules.js';
import type { Clock } from '../../lib/runtime/clock.js';
import { newId } from '../../lib/runtime/ids.js';
import type { OperationStores } from '../stores.js';
import type { WakeUps } from '../../events/wake-ups.js';
import { planMessages } from '../../messages/accept/plan-message.js';
import { Refusal } from '../../contract/refusal.js';
import type { SystemMail } from '../../accounts/system-mail.js';
import { systemDraft } from '../../messages/system-mail/system-mail.js';
import { systemEnvironment } from '../../messages/system-mail/system-workspace.js';
import type { Change } from '../../database/change.js';

export interface SubmitReportDeps {
  store: Pick<OperationStores, 'accounts' | 'commit'>;
  systemMail: Pick<SystemMail, 'problem'>;
  clock: Clock;
  wakeUps: WakeUps;
}

export type SubmitReport = (mail: TlsReportMail, how: { lifeMs: number; recorded: Change }) => Promise<void>;

/** Refuses `conflict` while the appliance can't sign mail of its own. */
export function createSubmitReport(deps: SubmitReportDeps): SubmitReport {
  return async (mail, { lifeMs, recorded }) => {
    const problem = await deps.systemMail.problem('the report');
    if (problem !== null) throw new Refusal('conflict', problem);
    const now = deps.clock();
    const environment = await systemEnvironment(deps.store, now);
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
        // RFC 8460 section 3: it goes whatever is wrong with the receiver's TLS, since that is what it tells of.
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
    const committed = await deps.store.commit([...plan, recorded]);
    deps.wakeUps.queue(committed.queueIds);
    deps.wakeUps.events();
  };
}
