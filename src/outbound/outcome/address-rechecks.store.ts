// Bounces of domains without DNS records, which are checked again before their addresses are suppressed.
import type { Mode } from '../../contract/names.js';
import type { Engine } from '../../database/engine/engine.js';
import type { SuppressedRecipient } from '../../suppressions/suppression-plan.store.js';

/** A bounced message whose recipient's domain is checked again. */
export interface AddressRecheck extends SuppressedRecipient {
  domain: string;
  /** Epoch ms at which the message was accepted. */
  createdAt: number;
}

const DUE = `SELECT r.message_id, r.domain, m.public_id, m.environment_id, m.sub_tenant_id, m.to_email, m.to_key, m.created_at,
    e.mode, w.id AS workspace_id, w.number AS workspace_number
  FROM address_rechecks r JOIN messages m ON m.id = r.message_id JOIN environments e ON e.id = m.environment_id
    JOIN workspaces w ON w.id = e.workspace_id
  WHERE r.due_at <= ? ORDER BY r.due_at, r.message_id LIMIT ?`;

export type AddressRecheckStore = ReturnType<typeof createAddressRecheckStore>;

export function createAddressRecheckStore(engine: Engine) {
  return {
    /** Reads due re-checks of all workspaces, oldest first. */
    async due(now: number, limit: number): Promise<AddressRecheck[]> {
      const rows = await engine.rows(DUE, [now, limit]);
      return rows.map((row) => ({
        messageId: row['message_id'] as number,
        domain: row['domain'] as string,
        publicId: row['public_id'] as string,
        environmentId: row['environment_id'] as number,
        workspaceId: row['workspace_id'] as string,
        workspaceNumber: row['workspace_number'] as number,
        mode: row['mode'] as Mode,
        subTenantId: row['sub_tenant_id'] as string | null,
        toEmail: row['to_email'] as string,
        toKey: row['to_key'] as string,
        createdAt: row['created_at'] as number,
      }));
    },
  };
}
