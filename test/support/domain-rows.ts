// Inserts verified sub-tenants and senders with signing keys, for tests that bypass the API.
import type { Insertable } from 'kysely';
import type { Change } from '../../src/database/change.js';
import { insert } from '../../src/database/rows.js';
import { type SenderTable, dkimKeys } from '../../src/domains/domains.tables.js';
import { dkimRecordValue } from '../../src/lib/dkim/index.js';
import { newId } from '../../src/lib/runtime/index.js';
import { dkimKeyContext, generateDkimKey, sealSecret } from '../../src/lib/secrets/index.js';
import type { SubTenantTable } from '../../src/tenants/tenants.tables.js';

type SubTenantRow = Insertable<SubTenantTable>;
type SenderRow = Insertable<SenderTable>;

export function subTenantRow(
  workspaceId: string,
  now: number,
  fields: Partial<SubTenantRow> = {},
): SubTenantRow {
  return {
    ...checkedRow(workspaceId, now),
    id: newId('tnt', now),
    name: 'Tenant',
    external_id: null,
    sending_domain: 'tenant.example',
    ...fields,
  };
}

export function senderRow(workspaceId: string, now: number, fields: Partial<SenderRow> = {}): SenderRow {
  return {
    ...checkedRow(workspaceId, now),
    id: newId('snd', now),
    sub_tenant_id: null,
    kind: 'address',
    identity: 'news@other.example',
    name: null,
    is_default: 0,
    confirmation_hash: null,
    confirmation_expires_at: null,
    ...fields,
  };
}

function checkedRow(workspaceId: string, now: number) {
  return {
    workspace_id: workspaceId,
    status: 'verified' as const,
    verified_at: now,
    last_checked_at: now,
    return_path_ok: 0 as const,
    inbound_ok: 0 as const,
    tracking_ok: 0 as const,
    dns_results: null,
    created_at: now,
    updated_at: now,
    deleted_at: null,
  };
}

/** An active key of a sub-tenant or sender, with its DNS record. */
export async function signingKey(
  {
    ownerId,
    domain,
    algorithm,
  }: { ownerId: string; domain: string; algorithm: 'rsa-sha256' | 'ed25519-sha256' },
  masterKey: Buffer,
  now: number,
): Promise<{ change: Change; host: string; record: string }> {
  const { privateKeyDer, publicKey } = await generateDkimKey(algorithm);
  const id = newId('key', now);
  const record = dkimRecordValue(publicKey, algorithm);
  const row = {
    id,
    owner_id: ownerId,
    domain,
    selector: 's1',
    algorithm,
    private_key_sealed: sealSecret(masterKey, privateKeyDer, dkimKeyContext(id)),
    record_value: record,
    state: 'active' as const,
    created_at: now,
  };
  return { change: insert(dkimKeys, { row }), host: `s1._domainkey.${domain}`, record };
}
