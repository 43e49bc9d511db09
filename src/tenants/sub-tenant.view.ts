// A sub-tenant as /v1 shows it: the object, its authentication and its trail.
import type { TenantTrailEvent } from '../contract/names.js';
import type {
  DnsRecordWire,
  SubTenantAuditWire,
  SubTenantAuthenticationWire,
  SubTenantWire,
} from './sub-tenant.schema.js';
import { mainKey, rotatingKey } from '../domains/keys/dkim-lifecycle.rules.js';
import { keyText } from '../domains/keys/dkim-publication.rules.js';
import { ownNamesOf } from '../domains/own-names.rules.js';
import { detailOf, type StoredEvent } from '../events/events.store.js';
import type { DkimKey, SubTenant } from './tenants.store.js';
import { adviceFor } from '../domains/dns-advice.js';
import {
  driftOf,
  expectedRecords,
  hostOfKey,
  ownerOfTenant,
  readResults,
  withResults,
  type DomainOwner,
  type DomainSettings,
  type RecordWithResult,
} from '../domains/domain-records.js';
import { presentStanding } from './reputation/reputation.view.js';
import { iso, isoOrNull } from '../contract/time.js';

/** The domain's records with what the last check found. */
export function recordsOf(
  owner: DomainOwner,
  row: { dns_results: string | null },
  keys: readonly DkimKey[],
  settings: DomainSettings,
): RecordWithResult[] {
  return withResults(expectedRecords(owner, keys, settings), readResults(row.dns_results));
}

export function presentDnsRecord(record: RecordWithResult): DnsRecordWire {
  const { purpose, type, host, value, required, status, found } = record;
  const priority = record.type === 'MX' ? { priority: record.priority } : {};
  return { purpose, type, host, value, ...priority, required, status, found };
}

export function presentDrift(
  row: Pick<SubTenant, 'drifting_since' | 'taken_over_at'>,
  keys: readonly DkimKey[],
  records: readonly RecordWithResult[],
) {
  const { drifting, failing_since, detail } = driftOf(row, keys, records);
  return { drifting, failing_since: isoOrNull(failing_since), detail };
}

function presentDkim(row: SubTenant, keys: readonly DkimKey[]): SubTenantWire['dkim'] {
  const main = mainKey(keys);
  if (!main) return null;
  const next = rotatingKey(keys);
  const isSeen = next?.state === 'published';
  return {
    selector: main.selector,
    algorithm: main.algorithm,
    mode: row.dkim_mode,
    rotation: next && {
      state: isSeen ? 'published' : 'pending',
      started_at: iso(next.created_at),
      selector: next.selector,
      waiting_for: isSeen ? 'settling' : 'dns_record',
    },
  };
}

function presentKey(key: DkimKey): SubTenantAuthenticationWire['keys'][number] {
  return {
    selector: key.selector,
    algorithm: key.algorithm,
    state: key.state,
    host: hostOfKey(key),
    value: keyText(key),
    published_at: isoOrNull(key.published_at),
    activated_at: isoOrNull(key.activated_at),
    retiring_at: isoOrNull(key.retiring_at),
    revoked_at: isoOrNull(key.revoked_at),
    created_at: iso(key.created_at),
  };
}

function presentOwnNames(row: SubTenant) {
  const { returnPath, inbound, tracking } = ownNamesOf(row);
  return { return_path_domain: returnPath, inbound_domain: inbound, tracking_domain: tracking };
}

/** What a sub-tenant is shown by. */
export type SubTenantSettings = DomainSettings & {
  reputationWindowMs: number;
  /** Without a slash at its end. */
  publicUrl: string;
};

export function presentSubTenant(
  row: SubTenant,
  keys: readonly DkimKey[],
  { settings, branding }: { settings: SubTenantSettings; branding: SubTenantWire['branding'] },
): SubTenantWire {
  const records = recordsOf(ownerOfTenant(row), row, keys, settings);
  return {
    id: row.id,
    object: 'sub_tenant',
    name: row.name,
    external_id: row.external_id,
    sending_domain: row.sending_domain,
    ...presentOwnNames(row),
    status: row.status,
    throttle_per_hour: row.throttle_per_hour,
    reputation: presentStanding(row, settings),
    dns: presentDrift(row, keys, records),
    dkim: presentDkim(row, keys),
    dns_records: records.map(presentDnsRecord),
    branding,
    verified_at: isoOrNull(row.verified_at),
    last_checked_at: isoOrNull(row.last_checked_at),
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  };
}

export function presentAuthentication(
  row: SubTenant,
  keys: readonly DkimKey[],
  settings: DomainSettings,
): SubTenantAuthenticationWire {
  const records = recordsOf(ownerOfTenant(row), row, keys, settings);
  const zone = row.dkim_mode === 'zone' ? (settings.dnsZone ?? null) : null;
  return {
    object: 'sub_tenant_authentication',
    sub_tenant_id: row.id,
    sending_domain: row.sending_domain,
    status: row.status,
    dns: presentDrift(row, keys, records),
    ...presentDomainFacts(row, keys, records, zone),
  };
}

/** What the authentication of a sub-tenant and of a sender have in common; `zone` where its keys stand in ours. */
export function presentDomainFacts(
  row: { last_checked_at: number | null },
  keys: readonly DkimKey[],
  records: readonly RecordWithResult[],
  zone: string | null,
) {
  return {
    keys: keys.map(presentKey),
    records: records.map((record) => ({ ...presentDnsRecord(record), advice: adviceFor(record, zone) })),
    last_checked_at: isoOrNull(row.last_checked_at),
  };
}

/** `newestFirst` as the store reads a subject's trail. */
export function presentTenantAudit(row: SubTenant, newestFirst: readonly StoredEvent[]): SubTenantAuditWire {
  const trail = newestFirst.map((event) => ({
    // Only these are about a sub-tenant.
    event: event.event as TenantTrailEvent,
    actor: event.actor,
    timestamp: iso(event.occurred_at),
    metadata: detailOf(event).metadata ?? {},
  }));
  return { sub_tenant_id: row.id, status: row.status, trail: trail.reverse() };
}
