// Gives the addresses of a domain the status of the domain, unless their owner has confirmed them.
import { defineChange } from '../database/change.js';

const COVERS = (status: string): string => `(EXISTS (SELECT 1 FROM senders d
    WHERE d.workspace_id = senders.workspace_id AND COALESCE(d.sub_tenant_id, '') = COALESCE(senders.sub_tenant_id, '')
      AND d.kind = 'domain' AND d.status = '${status}' AND d.deleted_at IS NULL
      AND (senders.identity LIKE '%@' || d.identity OR senders.identity LIKE '%.' || d.identity))
  OR EXISTS (SELECT 1 FROM sub_tenants t
    WHERE t.id = senders.sub_tenant_id AND t.status = '${status}' AND t.deleted_at IS NULL
      AND (senders.identity LIKE '%@' || t.sending_domain OR senders.identity LIKE '%.' || t.sending_domain)))`;
const STATUS_BY_DOMAIN = `CASE WHEN ${COVERS('verified')} THEN 'verified' WHEN ${COVERS('suspended')} THEN 'suspended'
  ELSE 'pending_verification' END`;
const SETTLE = `UPDATE senders SET status = ${STATUS_BY_DOMAIN}, updated_at = ?
  WHERE workspace_id = ? AND COALESCE(sub_tenant_id, '') = ? AND kind = 'address' AND deleted_at IS NULL
    AND verified_at IS NOT NULL AND confirmed_at IS NULL AND status <> ${STATUS_BY_DOMAIN}`;

export interface ApplyDomainStatus {
  workspaceId: string;
  /** `null` for the workspace's own senders. */
  subTenantId: string | null;
  at: number;
}

/** Updates the addresses of an owner's domains. Follows every change of a domain's status. */
export const applyDomainStatus = defineChange<ApplyDomainStatus>(
  'settle-addresses',
  async ({ tx }, { workspaceId, subTenantId, at }) => {
    await tx.run(SETTLE, [at, workspaceId, subTenantId ?? '']);
  },
);
