// A sub-tenant as /v1 shows it: the object, its authentication and its trail.
import type { TenantTrailEvent } from '../../../contract/names.js';
import type {
  DnsRecordWire,
  SubTenantAuditWire,
  SubTenantAuthenticationWire,
  SubTenantWire,
} from '../../../contract/sub-tenant.js';
import { detailOf, type StoredEvent } from '../../../store/events.js';
import type { DkimKey, SubTenant } from '../../../store/tenants.js';
import { adviceFor } from '../../../work/tenants/dns-advice.js';
import {
  driftOf,
  expectedRecords,
  readResults,
  usableKeys,
  withResults,
  type DomainSettings,
  type RecordWithResult,
} from '../../../work/tenants/domain-records.js';
import { iso, isoOrNull } from './time.js';

/** The domain's records with what the last check found. */
export function recordsOf(
  domain: string,
  row: { dns_results: string | null },
  keys: readonly DkimKey[],
  settings: DomainSettings,
): RecordWithResult[] {
  return withResults(expectedRecords(domain, keys, settings), readResults(row.dns_results));
}

export function presentDnsRecord(record: RecordWithResult): DnsRecordWire {
  const { purpose, type, host, value, required, status, found } = record;
  const priority = record.type === 'MX' ? { priority: record.priority } : {};
  return { purpose, type, host, value, ...priority, required, status, found };
}

function presentDrift(records: readonly RecordWithResult[]) {
  const { drifting, failing_since, detail } = driftOf(records);
  return { drifting, failing_since: isoOrNull(failing_since), detail };
}

export function presentSubTenant(
  row: SubTenant,
  keys: readonly DkimKey[],
  settings: DomainSettings,
): SubTenantWire {
  const records = recordsOf(row.sending_domain, row, keys, settings);
  const main = usableKeys(keys)[0];
  return {
    id: row.id,
    object: 'sub_tenant',
    name: row.name,
    external_id: row.external_id,
    sending_domain: row.sending_domain,
    status: row.status,
    throttle_per_hour: row.throttle_per_hour,
    reputation: null,
    dns: presentDrift(records),
    dkim: main ? { selector: main.selector, algorithm: main.algorithm, rotation: null } : null,
    dns_records: records.map(presentDnsRecord),
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
  const records = recordsOf(row.sending_domain, row, keys, settings);
  return {
    object: 'sub_tenant_authentication',
    sub_tenant_id: row.id,
    sending_domain: row.sending_domain,
    status: row.status,
    dns: presentDrift(records),
    keys: keys.map((key) => ({
      selector: key.selector,
      algorithm: key.algorithm,
      state: key.state,
      created_at: iso(key.created_at),
    })),
    records: records.map((record) => ({ ...presentDnsRecord(record), advice: adviceFor(record) })),
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
