// Asks DNS about one sending domain, and says what follows for its keys and its state.
import type { CheckedRecord, RecordCheck } from '../../net/dns/check-records.js';
import type { Update } from '../../store/plan.js';
import type { DkimKey } from '../../store/tenants.js';
import {
  expectedRecords,
  hostOfKey,
  mergeResults,
  usableKeys,
  type DomainResults,
  type DomainSettings,
} from './domain-records.js';

export interface DomainFindings {
  /** Every required record was seen right in this very check. */
  isComplete: boolean;
  /** Whether the return-path MX leads to us; null when nobody could say. */
  isReturnPathOk: boolean | null;
  /** Whether the MX of its inbound domain does; null likewise. */
  isInboundOk: boolean | null;
  /** Whether links under its click domain come to us; null likewise. */
  isTrackingOk: boolean | null;
  results: DomainResults;
  /** Keys to switch on, and optional ones to switch off. */
  keyChanges: Update[];
}

export interface DomainToCheck {
  domain: string;
  keys: readonly DkimKey[];
  previous: DomainResults;
}

/** A record as it was found; `problem`: why it is of no use although it is right. */
type FoundRecord = CheckedRecord & { problem?: string };

export interface DomainCheckDeps {
  recordCheck: RecordCheck;
  settings: DomainSettings;
  /** Why links under a click domain that leads to us cannot be followed; null when they can. Without it none is used. */
  trackingProblem?: (host: string) => Promise<string | null>;
}

/** Looks the records up afresh. What nobody could answer for changes nothing. */
export async function checkDomain(
  deps: DomainCheckDeps,
  { domain, keys, previous }: DomainToCheck,
  now: number,
): Promise<DomainFindings> {
  const expected = expectedRecords(domain, keys, deps.settings);
  const records = await deps.recordCheck.lookUpRecords(domain, expected);
  const checked = await Promise.all(records.map((record) => tryTracking(deps, record)));
  return findingsOf(keys, checked, previous, now);
}

async function tryTracking(
  { trackingProblem }: DomainCheckDeps,
  record: CheckedRecord,
): Promise<FoundRecord> {
  if (record.purpose !== 'tracking' || record.status !== 'ok') return record;
  const problem = trackingProblem ? await trackingProblem(record.host) : 'it was not tried';
  return problem === null ? record : { ...record, problem };
}

/** The decision of a check, from what was seen. */
export function findingsOf(
  keys: readonly DkimKey[],
  checked: readonly FoundRecord[],
  previous: DomainResults,
  now: number,
): DomainFindings {
  const required = checked.filter((record) => record.required);
  return {
    isComplete: required.length > 0 && required.every((record) => record.status === 'ok'),
    isReturnPathOk: leadsToUs(checked, 'return_path'),
    isInboundOk: leadsToUs(checked, 'inbound'),
    isTrackingOk: isTrackingOk(checked),
    results: mergeResults(previous, checked, now),
    keyChanges: usableKeys(keys).flatMap((key) => keyChange(key, checked)),
  };
}

function leadsToUs(checked: readonly CheckedRecord[], purpose: 'return_path' | 'inbound'): boolean | null {
  const mx = checked.find((record) => record.purpose === purpose && record.type === 'MX');
  return mx === undefined || mx.status === 'pending' ? null : mx.status === 'ok';
}

function isTrackingOk(checked: readonly FoundRecord[]): boolean | null {
  const cname = checked.find(({ purpose }) => purpose === 'tracking');
  if (cname === undefined || cname.status === 'pending') return null;
  return cname.status === 'ok' && cname.problem === undefined;
}

/**
 * A key signs once its own record was seen. The required one then keeps signing when the record goes (mail unsigned
 * would be worse); the optional one stops, so that no verifier meets a signature without a key.
 */
function keyChange(key: DkimKey, checked: readonly CheckedRecord[]): Update[] {
  const record = checked.find(({ purpose, host }) => purpose === 'dkim' && host === hostOfKey(key));
  if (!record || record.status === 'pending') return [];
  const isSeen = record.status === 'ok';
  if (key.state === 'pending' && isSeen) return [moveKey(key, 'active')];
  if (key.state === 'active' && !isSeen && !record.required) return [moveKey(key, 'pending')];
  return [];
}

function moveKey(key: DkimKey, state: 'active' | 'pending'): Update {
  return { kind: 'update', table: 'dkim_keys', set: { state }, where: { id: key.id, state: key.state } };
}
