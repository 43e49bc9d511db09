// Bounces of domains without DNS records, which are checked again before their addresses are suppressed.
import type { Engine } from '../../database/engine/engine.js';
import { rowsAs } from '../../database/sql.js';
import type { SuppressedRecipient } from '../../suppressions/suppression-plan.store.js';

/** A bounced message whose recipient's domain is checked again. */
export interface AddressRecheck extends SuppressedRecipient {
  domain: string;
  /** Epoch ms at which the message was accepted. */
  createdAt: number;
}

const DUE = `SELECT r.message_id AS "messageId", r.domain, m.public_id AS "publicId", m.environment_id AS "environmentId",
    m.sub_tenant_id AS "subTenantId", m.to_email AS "toEmail", m.to_key AS "toKey", m.created_at AS "createdAt",
    e.mode, w.id AS "workspaceId", w.number AS "workspaceNumber"
  FROM address_rechecks r JOIN messages m ON m.id = r.message_id JOIN environments e ON e.id = m.environment_id
    JOIN workspaces w ON w.id = e.workspace_id
  WHERE r.due_at <= ? ORDER BY r.due_at, r.message_id LIMIT ?`;

export type AddressRecheckStore = ReturnType<typeof createAddressRecheckStore>;

export function createAddressRecheckStore(engine: Engine) {
  return {
    /** Reads due re-checks of all workspaces, oldest first. */
    async due(now: number, limit: number): Promise<AddressRecheck[]> {
      return rowsAs<AddressRecheck>(engine.rows(DUE, [now, limit]));
    },
  };
}
