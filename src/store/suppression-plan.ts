// The changes by which an address comes onto the suppression list because of what became of a message.
import { newId } from '../runtime/ids.js';
import type { Mode } from '../contract/names.js';
import type { Change } from './plan.js';

/** The message, and whom it was for; a queue claim has all of this. */
export interface SuppressedRecipient {
  messageId: number;
  publicId: string;
  environmentId: number;
  workspaceId: string;
  workspaceNumber: number;
  mode: Mode;
  subTenantId: string | null;
  toEmail: string;
  toKey: string;
}

/** The row, its trail entry, and the contact's status (live mail only: nothing in test changes live). */
export function addSuppression(
  recipient: SuppressedRecipient,
  reason: 'bounce' | 'complaint',
  at: number,
): Change[] {
  const { messageId, publicId, environmentId, workspaceId, workspaceNumber, subTenantId } = recipient;
  const changes: Change[] = [
    {
      kind: 'insert',
      into: 'suppressions',
      conflict: 'ignore',
      row: {
        id: newId('sup', at),
        environment_id: environmentId,
        sub_tenant_key: subTenantId ?? '',
        email: recipient.toEmail,
        email_key: recipient.toKey,
        reason,
        message_public_id: publicId,
        created_at: at,
      },
    },
    {
      kind: 'append',
      event: {
        environmentId,
        workspaceNumber,
        messageId,
        subjectId: publicId,
        event: 'suppressed',
        actor: 'system',
        occurredAt: at,
        detail: { metadata: { reason, added: true } },
      },
    },
  ];
  if (recipient.mode === 'live') {
    changes.push({
      kind: 'update',
      table: 'contacts',
      set: { status: reason === 'bounce' ? 'bounced' : 'complained', updated_at: at },
      where: {
        workspace_id: workspaceId,
        email_key: recipient.toKey,
        sub_tenant_id: subTenantId,
        status: 'active',
      },
    });
  }
  return changes;
}
