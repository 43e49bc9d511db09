// Asks DNS about one sending domain, and says what was seen of its keys and where its names lead.
import type { CheckedRecord, RecordCheck } from './check-records.js';
import type { Sightings } from './keys/dkim-lifecycle.rules.js';
import type { KeyRecordState } from './dns-drift.rules.js';
import type { ExpectedRecord, RecordJudgement } from './dns-records.rules.js';
import {
  expectedRecords,
  hostOfKey,
  mergeResults,
  type DomainOwner,
  type DomainResults,
  type DomainSettings,
} from './domain-records.js';
import type { DkimKey } from './domains.tables.js';

export interface DomainFindings {
  /** Every record that `verified` needs was seen right in this very check. */
  hasRequired: boolean;
  /** Whether the return-path MX leads to us; null when nobody could say. */
  isReturnPathOk: boolean | null;
  /** Whether the MX of its inbound domain does; null likewise. */
  isInboundOk: boolean | null;
  /** Whether links under its click domain come to us; null likewise. */
  isTrackingOk: boolean | null;
  results: DomainResults;
  /** By the key's id: how its text stands in DNS. Keys that are not looked for are not in it. */
  keys: ReadonlyMap<string, KeyFinding>;
}

export interface KeyFinding {
  recordState: KeyRecordState;
  found: string[];
}

export interface DomainToCheck {
  owner: DomainOwner;
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
  { owner, keys, previous }: DomainToCheck,
  now: number,
): Promise<DomainFindings> {
  const expected = expectedRecords(owner, keys, deps.settings);
  const behind = textsBehindAliases(keys, expected);
  const found = await deps.recordCheck.lookUpRecords(owner.domain, [...expected, ...behind]);
  const checked = await Promise.all(
    found.slice(0, expected.length).map((record) => tryTracking(deps, record)),
  );
  return findingsOf({ keys, checked, behindAliases: found.slice(expected.length), previous }, now);
}

/** The text at the name of each key that is looked for, where an alias is to be published: verifiers read the text. */
function textsBehindAliases(keys: readonly DkimKey[], expected: readonly ExpectedRecord[]): ExpectedRecord[] {
  return keys
    .filter(({ state }) => state === 'pending' || state === 'published' || state === 'active')
    .filter((key) => !expected.some((record) => isTextOf(key, record)))
    .map((key) => ({
      purpose: 'dkim',
      type: 'TXT',
      host: hostOfKey(key),
      value: key.record_value,
      required: false,
    }));
}

function isTextOf(key: DkimKey, { purpose, type, host, value }: ExpectedRecord): boolean {
  return purpose === 'dkim' && type === 'TXT' && host === hostOfKey(key) && value === key.record_value;
}

async function tryTracking(
  { trackingProblem }: DomainCheckDeps,
  record: CheckedRecord,
): Promise<FoundRecord> {
  if (record.purpose !== 'tracking' || record.status !== 'ok') return record;
  const problem = trackingProblem ? await trackingProblem(record.host) : 'it was not tried';
  return problem === null ? record : { ...record, problem };
}

export interface SeenDomain {
  keys: readonly DkimKey[];
  /** The records to publish. */
  checked: readonly FoundRecord[];
  behindAliases: readonly CheckedRecord[];
  previous: DomainResults;
}

/** Findings of a check, from the DNS answers. */
export function findingsOf(
  { keys, checked, behindAliases, previous }: SeenDomain,
  now: number,
): DomainFindings {
  const texts = [...checked, ...behindAliases];
  const findings = keys.flatMap((key): [string, KeyFinding][] => {
    const text = texts.find((record) => isTextOf(key, record));
    return text ? [[key.id, { recordState: KEY_RECORD_STATES[text.status], found: text.found }]] : [];
  });
  const required = checked.filter((record) => record.required);
  return {
    hasRequired: required.length > 0 && required.every((record) => record.status === 'ok'),
    isReturnPathOk: leadsToUs(checked, 'return_path'),
    isInboundOk: leadsToUs(checked, 'inbound'),
    isTrackingOk: isTrackingOk(checked),
    results: mergeResults(previous, checked, now),
    keys: new Map(findings),
  };
}

const KEY_RECORD_STATES: Record<RecordJudgement['status'], KeyRecordState> = {
  ok: 'right',
  missing: 'missing',
  mismatch: 'wrong',
  pending: 'unknown',
};

/** As the rule of key moves takes them. */
export function sightingsOf(findings: ReadonlyMap<string, KeyFinding>): Sightings {
  return new Map(
    [...findings].map(([id, { recordState }]) => [
      id,
      recordState === 'unknown' ? null : recordState === 'right',
    ]),
  );
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
