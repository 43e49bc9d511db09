// An address is put on the suppression list by what became of a message.
import { newId } from '../../runtime/ids.js';
import type { Change } from '../../store/plan.js';
import type { Claim } from '../../store/queue.js';

/** The row, its trail entry, and the contact's status (live mail only: nothing in test changes live). */
export function addSuppression(claim: Claim, reason: 'bounce' | 'complaint', at: number): Change[] {
  const changes: Change[] = [
    {
      kind: 'insert',
      into: 'suppressions',
      conflict: 'ignore',
      row: {
        id: newId('sup', at),
        environment_id: claim.environmentId,
        sub_tenant_key: claim.subTenantId ?? '',
        email: claim.toEmail,
        email_key: claim.toKey,
        reason,
        message_public_id: claim.publicId,
        created_at: at,
      },
    },
    {
      kind: 'append',
      event: {
        environmentId: claim.environmentId,
        workspaceNumber: claim.workspaceNumber,
        messageId: claim.messageId,
        subjectId: claim.publicId,
        event: 'suppressed',
        actor: 'system',
        occurredAt: at,
        detail: { metadata: { reason, added: true } },
      },
    },
  ];
  if (claim.mode === 'live') {
    changes.push({
      kind: 'update',
      table: 'contacts',
      set: { status: reason === 'bounce' ? 'bounced' : 'complained', updated_at: at },
      where: {
        workspace_id: claim.workspaceId,
        email_key: claim.toKey,
        sub_tenant_id: claim.subTenantId,
        status: 'active',
      },
    });
  }
  return changes;
}
