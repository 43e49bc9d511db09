// Sub-tenants as /v1 shows them, with their authentication and audit trail.
import type { TenantTrailEvent } from '../../contract/names.js';
import { wireOf } from '../../contract/codec.js';
import {
  domainAuthenticationFields,
  subTenant,
  subTenantAuthentication,
  type DnsRecordWire,
  type SubTenantAuditWire,
  type SubTenantAuthenticationWire,
  type SubTenantWire,
} from './sub-tenant.schema.js';
import { mainKey, rotatingKey } from '../keys/dkim-lifecycle.rules.js';
import { keyText } from '../keys/dkim-publication.rules.js';
import { effectiveNames } from '../effective-names.rules.js';
import { readDetail } from '../../events/events.store.js';
import type { SubTenant } from '../../tenants/tenants.store.js';
import { adviceFor } from '../dns-advice.js';
import {
  describeDrift,
  domainRecords,
  hostOfKey,
  ownerOfTenant,
  readResults,
  withResults,
  type DomainOwner,
  type DomainSettings,
  type RecordWithResult,
} from '../domain-records.js';
import { reputationRates } from '../../tenants/reputation-rates.rules.js';
import { iso, isoOrNull } from '../../contract/time.js';
import type { DomainStores } from '../stores.js';
import { presentBranding } from '../../accounts/branding/branding.view.js';
import type { StoredEvent } from '../../events/events.tables.js';
import type { DkimKey } from '../domains.tables.js';

const DAY_MS = 86_400_000;
const NOTHING_COUNTED = { sent: 0, delivered: 0, bounced: 0, complained: 0 };

interface Showing {
  store: Pick<DomainStores, 'domains' | 'brandings'>;
  settings: SubTenantSettings;
}

/** Shows sub-tenants in the given order, with their keys and branding. */
export async function showSubTenants(
  { store, settings }: Showing,
  tenants: readonly SubTenant[],
): Promise<SubTenantWire[]> {
  const ids = tenants.map(({ id }) => id);
  const [keys, brandings] = await Promise.all([store.domains.dkimKeys(ids), store.brandings.brandings(ids)]);
  return tenants.map((tenant) => {
    const own = keys.filter(({ owner_id }) => owner_id === tenant.id);
    return presentSubTenant(tenant, own, {
      settings,
      branding: presentBranding(brandings.get(tenant.id), settings.publicUrl),
    });
  });
}

export async function showSubTenant(showing: Showing, tenant: SubTenant): Promise<SubTenantWire> {
  const [shown] = await showSubTenants(showing, [tenant]);
  if (!shown) throw new Error('A sub-tenant was not shown.');
  return shown;
}

/** Returns the domain's records with the results of the last check. */
export function recordsWithResults(
  owner: DomainOwner,
  row: { dns_results: string | null },
  keys: readonly DkimKey[],
  settings: DomainSettings,
): RecordWithResult[] {
  return withResults(domainRecords(owner, keys, settings), readResults(row.dns_results));
}

export function presentDnsRecord(record: RecordWithResult): DnsRecordWire {
  const { purpose, type, host, value, required, status, found } = record;
  const priority = record.value !== null && record.type === 'MX' ? { priority: record.priority } : {};
  const missing_setting = record.value === null ? record.missing_setting : null;
  return { purpose, type, host, value, ...priority, required, status, found, missing_setting };
}

export function presentDrift(
  row: Pick<SubTenant, 'drifting_since' | 'taken_over_at'>,
  keys: readonly DkimKey[],
  records: readonly RecordWithResult[],
) {
  const { drifting, failing_since, detail } = describeDrift(row, keys, records);
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

const presentKey = wireOf(domainAuthenticationFields.keys.items).from<DkimKey>({
  host: (key) => hostOfKey(key),
  value: (key) => keyText(key),
});

/** Settings for the view of a sub-tenant. */
export type SubTenantSettings = DomainSettings & {
  reputationWindowMs: number;
  /** Without a trailing slash. */
  publicUrl: string;
};

/** A requested pause is not a reputation state. */
function reputationState({ reputation }: SubTenant): SubTenantWire['reputation']['state'] {
  if (reputation === null) return 'ok';
  return reputation.paused_at !== null && reputation.pause_cause !== 'requested'
    ? 'paused'
    : reputation.state;
}

export function presentReputationState(
  tenant: SubTenant,
  { reputationWindowMs }: Pick<SubTenantSettings, 'reputationWindowMs'>,
): SubTenantWire['reputation'] {
  const { reputation } = tenant;
  const { complaint, bounce } = reputationRates(reputation ?? NOTHING_COUNTED);
  return {
    state: reputationState(tenant),
    complaint_rate: complaint,
    bounce_rate: bounce,
    delivered: reputation?.delivered ?? 0,
    window_days: reputationWindowMs / DAY_MS,
    changed_at: isoOrNull(reputation?.changed_at ?? null),
  };
}

/** The keys of a domain, and its records with the results of the last check. */
export interface DomainFacts {
  keys: readonly DkimKey[];
  records: readonly RecordWithResult[];
  /** The delegated zone of its keys; null without one. */
  zone: string | null;
}

interface SubTenantFacts extends DomainFacts {
  settings: SubTenantSettings;
  branding: SubTenantWire['branding'];
}

const dns = (row: SubTenant, { keys, records }: DomainFacts) => presentDrift(row, keys, records);

const presentRow = wireOf(subTenant).from<SubTenant, SubTenantFacts>({
  return_path_domain: (row) => effectiveNames(row).returnPath,
  inbound_domain: (row) => effectiveNames(row).inbound,
  tracking_domain: (row) => effectiveNames(row).tracking,
  reputation: (row, { settings }) => presentReputationState(row, settings),
  dns,
  dkim: (row, { keys }) => presentDkim(row, keys),
  dns_records: (_row, { records }) => records.map(presentDnsRecord),
  branding: (_row, { branding }) => branding,
});

function presentSubTenant(
  row: SubTenant,
  keys: readonly DkimKey[],
  { settings, branding }: Pick<SubTenantFacts, 'settings' | 'branding'>,
): SubTenantWire {
  const records = recordsWithResults(ownerOfTenant(row), row, keys, settings);
  return presentRow(row, { keys, records, zone: null, settings, branding });
}

/** Fields that the authentication of a sub-tenant and of a sender share. */
export const domainFacts = {
  keys: (_row: object, { keys }: DomainFacts) => keys.map((key) => presentKey(key)),
  records: (_row: object, { records, zone }: DomainFacts) =>
    records.map((record) => ({ ...presentDnsRecord(record), advice: adviceFor(record, zone) })),
};

const presentAuthenticationRow = wireOf(subTenantAuthentication).from<SubTenant, DomainFacts>({
  sub_tenant_id: 'id',
  dns,
  ...domainFacts,
});

export function presentAuthentication(
  row: SubTenant,
  keys: readonly DkimKey[],
  settings: DomainSettings,
): SubTenantAuthenticationWire {
  const records = recordsWithResults(ownerOfTenant(row), row, keys, settings);
  const zone = row.dkim_mode === 'zone' ? (settings.dnsZone ?? null) : null;
  return presentAuthenticationRow(row, { keys, records, zone });
}

export function presentTenantAudit(row: SubTenant, newestFirst: readonly StoredEvent[]): SubTenantAuditWire {
  const trail = newestFirst.map((event) => ({
    // Sub-tenant trails contain only these.
    event: event.event as TenantTrailEvent,
    actor: event.actor,
    timestamp: iso(event.occurred_at),
    metadata: readDetail(event).metadata ?? {},
  }));
  return { sub_tenant_id: row.id, status: row.status, trail: trail.reverse() };
}
