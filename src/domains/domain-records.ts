// The DNS records of a sending domain with the results of the last checks: merging, presentation, and a description of drift.
import { mainKey } from './keys/dkim-lifecycle.rules.js';
import { publishedRecords, type DkimMode, type PublishedDkimRecord } from './keys/dkim-publication.rules.js';
import {
  dnsRecordsFor,
  MONITORING_DMARC,
  type DkimRole,
  withoutUnnamed,
  type ExpectedRecord,
  type ServerName,
  type RecordJudgement,
  type UnnamedRecord,
} from './dns-records.rules.js';
import { withReportAddress } from './report-addresses.rules.js';
import { addressDomain } from '../lib/mime/index.js';
import { effectiveNames, type EffectiveNames } from './effective-names.rules.js';
import type { SubTenant } from '../tenants/tenants.store.js';
import type { DkimKey, Sender } from './domains.tables.js';

/** Number of foreign values that are stored and shown. */
const MAX_FOUND = 10;
const MAX_FOUND_CHARACTERS = 1_000;

/** Targets of the records of sending domains. */
export interface DomainSettings {
  /** Mailkeel's MX target. */
  hostname: string;
  /** Host of tracking links; `hostname` if absent. */
  trackingHost?: string;
  /** Returns the SPF mechanisms of Mailkeel's sources, which may be reloaded; `a:<hostname>` if absent. */
  spfMechanisms?: () => string;
  /** Delegated DNS zone with the targets of key aliases. */
  dnsZone?: string | null;
  /** DMARC record of the zone for the sub-tenants in it. */
  dnsDmarc?: string;
  /** Address for DMARC reports about sending domains. */
  dmarcReportAddress?: string;
}

export interface DomainOwner {
  /** `tnt_…`, `snd_…` or `platform` */
  id: string;
  domain: string;
  /** Default names below the domain if absent. */
  names?: EffectiveNames;
  /** Default: `txt`. */
  dkimMode?: DkimMode;
}

export interface RecordResult {
  status: RecordJudgement['status'];
  found: string[];
  /** Epoch ms since when a previously correct record is not. `null` otherwise. */
  failing_since: number | null;
  /** Why a correct record has no effect. */
  problem?: string;
  misplaced_at?: string;
}

/** Results by `recordKey`, stored as JSON in `dns_results`. */
export type DomainResults = Record<string, RecordResult>;

export type RecordWithResult =
  | (ExpectedRecord & RecordResult)
  | (UnnamedRecord & { status: 'host_unnamed'; found: string[]; failing_since: null });

interface Drift {
  drifting: boolean;
  failing_since: number | null;
  detail: string | null;
}

export function ownerOfTenant(
  row: Pick<
    SubTenant,
    'id' | 'sending_domain' | 'dkim_mode' | 'return_path_domain' | 'inbound_domain' | 'tracking_domain'
  >,
): DomainOwner {
  return { id: row.id, domain: row.sending_domain, names: effectiveNames(row), dkimMode: row.dkim_mode };
}

export function ownerOfSender(row: Pick<Sender, 'id' | 'identity'>): DomainOwner {
  return { id: row.id, domain: row.identity };
}

/** Returns the records that a domain publishes. Records that would contain a host without a public name have no value. */
export function domainRecords(
  owner: DomainOwner,
  keys: readonly DkimKey[],
  settings: DomainSettings,
): (ExpectedRecord | UnnamedRecord)[] {
  return withoutUnnamed(allRecords(owner, keys, settings), serverNames(settings));
}

/** Returns the records of a domain that can be published and looked up. */
export function expectedRecords(
  owner: DomainOwner,
  keys: readonly DkimKey[],
  settings: DomainSettings,
): ExpectedRecord[] {
  return domainRecords(owner, keys, settings).filter((record) => record.value !== null);
}

function serverNames({ hostname, trackingHost, dmarcReportAddress }: DomainSettings): ServerName[] {
  const reports = dmarcReportAddress === undefined ? null : addressDomain(dmarcReportAddress);
  return [
    { name: hostname, setting: 'MAILKEEL_HOSTNAME' },
    ...(trackingHost === undefined ? [] : [{ name: trackingHost, setting: 'MAILKEEL_PUBLIC_URL' } as const]),
    ...(reports === null ? [] : [{ name: reports, setting: 'MAILKEEL_BOUNCE_DOMAIN' } as const]),
  ];
}

function allRecords(
  owner: DomainOwner,
  keys: readonly DkimKey[],
  settings: DomainSettings,
): ExpectedRecord[] {
  const { domain, names } = owner;
  const { hostname, trackingHost, spfMechanisms, dnsDmarc, dmarcReportAddress } = settings;
  return dnsRecordsFor({
    domain,
    ...(names ? { names } : {}),
    dkim: dkimRecords(owner, keys, settings).map((record) => {
      const { type, host, value, required } = record;
      return { type, host, value, required, ...keyRole(record, keys) };
    }),
    hostname,
    ...(trackingHost === undefined ? {} : { trackingHost }),
    ...(spfMechanisms === undefined ? {} : { spfMechanisms: spfMechanisms() }),
    ...dmarcSetting(owner.dkimMode === 'zone' ? dnsDmarc : undefined, dmarcReportAddress),
  });
}

/** An existing record may request reports elsewhere or not at all, so every valid policy is correct. */
function dmarcSetting(written: string | undefined, address: string | undefined): { dmarc?: string } {
  const dmarc = written ?? (address === undefined ? undefined : MONITORING_DMARC);
  if (dmarc === undefined) return {};
  return { dmarc: address === undefined ? dmarc : withReportAddress(dmarc, address) };
}

export function dkimRecords(
  { id, domain, dkimMode = 'txt' }: DomainOwner,
  keys: readonly DkimKey[],
  { dnsZone = null }: DomainSettings,
): PublishedDkimRecord[] {
  const aliases = dnsZone === null ? null : { zone: dnsZone, tenantId: id };
  return publishedRecords(keys, { domain, mode: dkimMode, aliases });
}

function keyRole({ required, keyId }: PublishedDkimRecord, keys: readonly DkimKey[]): { role?: DkimRole } {
  if (required) return {};
  const key = keys.find(({ id }) => id === keyId);
  if (!key) return { role: 'spare' };
  if (key.state === 'retiring') return { role: 'former' };
  return { role: key.algorithm === 'rsa-sha256' ? 'next' : 'second' };
}

export function hostOfKey(key: Pick<DkimKey, 'selector' | 'domain'>): string {
  return `${key.selector}._domainkey.${key.domain}`;
}

export function recordKey(record: Pick<ExpectedRecord, 'purpose' | 'type' | 'host'>): string {
  return `${record.purpose} ${record.type} ${record.host}`;
}

export function readResults(json: string | null): DomainResults {
  return json === null ? {} : (JSON.parse(json) as DomainResults);
}

/** Merges the results of a check. A failed look-up (`pending`) keeps the previous result. */
export function mergeResults(
  previous: DomainResults,
  checked: readonly (ExpectedRecord & Omit<RecordResult, 'failing_since'>)[],
  now: number,
): DomainResults {
  const merged: DomainResults = {};
  for (const record of checked) {
    const key = recordKey(record);
    const before = previous[key];
    if (record.status === 'pending') {
      if (before) merged[key] = before;
      continue;
    }
    const failingSince = before?.status === 'ok' ? now : (before?.failing_since ?? null);
    merged[key] = {
      status: record.status,
      found: keptTexts(record.found),
      failing_since: record.status === 'ok' ? null : failingSince,
      ...(record.problem === undefined ? {} : { problem: record.problem }),
      ...(record.misplaced_at === undefined ? {} : { misplaced_at: record.misplaced_at }),
    };
  }
  return merged;
}

function keptTexts(found: readonly string[]): string[] {
  return found.slice(0, MAX_FOUND).map((text) => text.slice(0, MAX_FOUND_CHARACTERS));
}

/** Returns every record with its last result, which is `pending` before the first successful look-up. */
export function withResults(
  records: readonly (ExpectedRecord | UnnamedRecord)[],
  results: DomainResults,
): RecordWithResult[] {
  const unknown: RecordResult = { status: 'pending', found: [], failing_since: null };
  return records.map((record) =>
    record.value === null
      ? { ...record, status: 'host_unnamed', found: [], failing_since: null }
      : { ...record, ...(results[recordKey(record)] ?? unknown) },
  );
}

/** Describes a domain's drift: the record and since when, or that another workspace has claimed the domain. */
export function describeDrift(
  row: Pick<SubTenant, 'drifting_since' | 'taken_over_at'>,
  keys: readonly DkimKey[],
  records: readonly RecordWithResult[],
): Drift {
  if (row.taken_over_at !== null) {
    const at = new Date(row.taken_over_at).toISOString();
    const detail = `Another workspace verified ownership of the domain at ${at}. Verify the domain again to get new DNS records.`;
    return { drifting: false, failing_since: null, detail };
  }
  const since = row.drifting_since;
  if (since === null) return { drifting: false, failing_since: null, detail: null };
  const signing = mainKey(keys);
  const host = signing ? hostOfKey(signing) : null;
  const record = records.find((each) => each.purpose === 'dkim' && each.host === host);
  const what = record?.status === 'missing' ? 'is missing' : 'does not match the signing key';
  const detail = host === null ? 'No DKIM key is signing mail.' : `The DKIM record at ${host} ${what}.`;
  return { drifting: true, failing_since: since, detail };
}
