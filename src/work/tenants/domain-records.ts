// The DNS records of a sending domain with what the last checks found: merging, drift, presentation.
import { dnsRecordsFor, type DnsRecordStatus, type ExpectedRecord } from '../../rules/dns-records.js';
import type { DkimKey } from '../../store/tenants.js';

/** Where the records of sending domains lead. */
export interface DomainSettings {
  /** Our MX target. */
  hostname: string;
  /** Where tracking links lead; `hostname` when absent. */
  trackingHost?: string;
  /** The SPF mechanism that covers our sources; `a:<hostname>` when absent. */
  spfMechanism?: string;
}

export interface RecordResult {
  status: DnsRecordStatus;
  found: string[];
  /** Epoch ms since when a record that was right before is not; null otherwise. */
  failing_since: number | null;
  /** Why a record that is right is of no use all the same. */
  problem?: string;
}

/** By `keyOf` a record; the JSON of `dns_results`. */
export type DomainResults = Record<string, RecordResult>;

export type RecordWithResult = ExpectedRecord & RecordResult;

export interface Drift {
  drifting: boolean;
  failing_since: number | null;
  detail: string | null;
}

/** Keys that were not replaced; RSA first, since it is the required one. */
export function usableKeys(keys: readonly DkimKey[]): DkimKey[] {
  const rank = (key: DkimKey): number => (key.algorithm === 'rsa-sha256' ? 0 : 1);
  return keys.filter((key) => key.state !== 'retired').sort((a, b) => rank(a) - rank(b));
}

/** What a domain has to publish for its keys; the Ed25519 record is optional. */
export function expectedRecords(
  domain: string,
  keys: readonly DkimKey[],
  settings: DomainSettings,
): ExpectedRecord[] {
  return dnsRecordsFor({
    domain,
    ...settings,
    dkim: usableKeys(keys).map((key) => ({
      selector: key.selector,
      value: key.record_value,
      optional: key.algorithm !== 'rsa-sha256',
    })),
  });
}

export function hostOfKey(key: Pick<DkimKey, 'selector' | 'domain'>): string {
  return `${key.selector}._domainkey.${key.domain}`;
}

export function keyOf(record: Pick<ExpectedRecord, 'purpose' | 'type' | 'host'>): string {
  return `${record.purpose} ${record.type} ${record.host}`;
}

export function readResults(json: string | null): DomainResults {
  return json === null ? {} : (JSON.parse(json) as DomainResults);
}

/** The results after a check. A look-up that nobody could answer (`pending`) leaves what was known. */
export function mergeResults(
  previous: DomainResults,
  checked: readonly (ExpectedRecord & { status: DnsRecordStatus; found: string[]; problem?: string })[],
  now: number,
): DomainResults {
  const merged: DomainResults = {};
  for (const record of checked) {
    const key = keyOf(record);
    const before = previous[key];
    if (record.status === 'pending') {
      if (before) merged[key] = before;
      continue;
    }
    const failingSince = before?.status === 'ok' ? now : (before?.failing_since ?? null);
    merged[key] = {
      status: record.status,
      found: record.found,
      failing_since: record.status === 'ok' ? null : failingSince,
      ...(record.problem === undefined ? {} : { problem: record.problem }),
    };
  }
  return merged;
}

/** Every record to publish, with what was last found there; `pending` before the first answer. */
export function withResults(records: readonly ExpectedRecord[], results: DomainResults): RecordWithResult[] {
  const unknown: RecordResult = { status: 'pending', found: [], failing_since: null };
  return records.map((record) => ({ ...record, ...(results[keyOf(record)] ?? unknown) }));
}

/** Whether the record of the required signing key, which was there, is gone or wrong. */
export function driftOf(records: readonly RecordWithResult[]): Drift {
  const failing = records.find(
    (record) => record.purpose === 'dkim' && record.required && record.failing_since !== null,
  );
  if (!failing) return { drifting: false, failing_since: null, detail: null };
  const what = failing.status === 'missing' ? 'is missing' : 'does not hold the key that signs';
  return {
    drifting: true,
    failing_since: failing.failing_since,
    detail: `The DKIM record at ${failing.host} ${what}.`,
  };
}
