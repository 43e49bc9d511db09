// Reads DKIM keys that are old enough for the next step of their life cycle, with the facts that the step needs.
import type { Engine } from '../../database/engine/engine.js';
import { rowsAs } from '../../database/sql.js';
import type { Selectable } from 'kysely';
import { PLATFORM_OWNER } from '../domains.store.js';
import type { SubTenantTable } from '../../tenants/tenants.tables.js';

/** An owner with a signing RSA key and no successor yet. */
export interface AgedKey {
  key_id: string;
  owner_id: string;
  domain: string;
  activated_at: number;
  /** `null` for owners other than sub-tenants, like the two fields below. */
  dkim_mode: Selectable<SubTenantTable>['dkim_mode'] | null;
  environment_id: number | null;
  workspace_number: number | null;
}

const DUE_OWNERS = `SELECT DISTINCT owner_id FROM dkim_keys WHERE state = 'retiring'
    AND (retiring_at <= ? OR revoke_at <= ?)
  UNION SELECT DISTINCT owner_id FROM dkim_keys WHERE state = 'revoked' AND revoked_at <= ? LIMIT ?`;

// Domains that are not verified or that drift are skipped. Without a zone, aliases have no target.
const AGED = `SELECT k.id AS key_id, k.owner_id, k.domain, k.activated_at, t.dkim_mode, e.id AS environment_id,
    w.number AS workspace_number
  FROM dkim_keys k
  LEFT JOIN sub_tenants t ON t.id = k.owner_id AND t.deleted_at IS NULL AND t.status = 'verified'
    AND t.drifting_since IS NULL AND (t.dkim_mode = 'txt' OR 1 = ? + 0)
  LEFT JOIN senders s ON s.id = k.owner_id AND s.deleted_at IS NULL AND s.status = 'verified'
    AND s.drifting_since IS NULL
  LEFT JOIN workspaces w ON w.id = t.workspace_id
  LEFT JOIN environments e ON e.workspace_id = w.id AND e.mode = 'live'
  WHERE k.state = 'active' AND k.algorithm = 'rsa-sha256' AND k.activated_at <= ?
    AND (k.activated_at > ? OR (k.activated_at = ? AND k.id > ?))
    AND (t.id IS NOT NULL OR s.id IS NOT NULL OR k.owner_id = '${PLATFORM_OWNER}')
    AND NOT EXISTS (SELECT 1 FROM dkim_keys n WHERE n.owner_id = k.owner_id AND n.domain = k.domain
      AND n.algorithm = k.algorithm AND n.state IN ('pending', 'published'))
  ORDER BY k.activated_at, k.id LIMIT ?`;

export function createKeyRotationStore(engine: Engine) {
  return {
    /** Returns owners of keys that stopped signing, or were revoked, before these times. */
    async ownersOfEndingKeys(due: {
      now: number;
      retiredBefore: number;
      revokedBefore: number;
      limit: number;
    }): Promise<string[]> {
      const values = [due.retiredBefore, due.now, due.revokedBefore, due.limit];
      const rows = await rowsAs<Pick<AgedKey, 'owner_id'>>(engine.rows(DUE_OWNERS, values));
      return rows.map(({ owner_id }) => owner_id);
    },

    /** Returns keys that began to sign before `before`, oldest first, after the given one. */
    async agedKeys(page: {
      before: number;
      withAliases: boolean;
      after: Pick<AgedKey, 'activated_at' | 'key_id'> | null;
      limit: number;
    }): Promise<AgedKey[]> {
      const { activated_at: at, key_id: id } = page.after ?? { activated_at: -1, key_id: '' };
      const values = [page.withAliases ? 1 : 0, page.before, at, at, id, page.limit];
      return rowsAs<AgedKey>(engine.rows(AGED, values));
    },
  };
}
