// A sender as /v1 shows it.
import type { SenderAuthenticationWire, SenderWire } from './sender.schema.js';
import { domainOf } from '../../lib/mime/address.js';
import type { DkimKey, Sender } from '../../tenants/tenants.store.js';
import { ownerOfSender, type DomainSettings } from '../domain-records.js';
import {
  presentDnsRecord,
  presentDomainFacts,
  presentDrift,
  recordsOf,
} from '../../tenants/sub-tenant.view.js';
import { iso, isoOrNull } from '../../contract/time.js';

export function presentSender(row: Sender, keys: readonly DkimKey[], settings: DomainSettings): SenderWire {
  const isDomain = row.kind === 'domain';
  const isWaiting = row.confirmation_hash !== null;
  const records = isDomain ? recordsOf(ownerOfSender(row), row, keys, settings) : [];
  return {
    id: row.id,
    object: 'sender',
    kind: row.kind,
    email: isDomain ? null : row.identity,
    domain: isDomain ? row.identity : domainOf(row.identity),
    name: row.name,
    status: row.status,
    is_default: row.is_default === 1,
    sub_tenant_id: row.sub_tenant_id,
    dns: isDomain ? presentDrift(row, keys, records) : null,
    dns_records: records.map(presentDnsRecord),
    confirmation_expires_at: isWaiting ? isoOrNull(row.confirmation_expires_at) : null,
    verified_at: isoOrNull(row.verified_at),
    last_checked_at: isoOrNull(row.last_checked_at),
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  };
}

export function presentSenderAuthentication(
  row: Sender,
  keys: readonly DkimKey[],
  settings: DomainSettings,
): SenderAuthenticationWire {
  const isDomain = row.kind === 'domain';
  const records = isDomain ? recordsOf(ownerOfSender(row), row, keys, settings) : [];
  return {
    object: 'sender_authentication',
    sender_id: row.id,
    domain: isDomain ? row.identity : domainOf(row.identity),
    status: row.status,
    dns: isDomain ? presentDrift(row, keys, records) : null,
    ...presentDomainFacts(row, isDomain ? keys : [], records, null),
  };
}
