// Looks up the DNS of one sending domain, and finds the state of its keys and the targets of its names.
import type { CheckedRecord } from './check-records.js';
import type { DomainContext } from './context.js';
import type { KeyLookups } from './keys/dkim-lifecycle.rules.js';
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
  /** True if this check found every record that `verified` requires. */
  hasRequired: boolean;
  /** Whether the return-path MX points to Mailkeel; null if unknown. */
  isReturnPathOk: boolean | null;
  /** Whether the MX of its inbound domain points to Mailkeel; null if unknown. */
  isInboundOk: boolean | null;
  /** Whether links under its tracking domain reach Mailkeel; null if unknown. */
  isTrackingOk: boolean | null;
  results: DomainResults;
  /** State of the keys' records in DNS, by key ID. Keys that were not looked up are absent. */
  keys: ReadonlyMap<string, KeyFinding>;
}

export interface KeyFinding {
  recordState: KeyRecordState;
  found: string[];
}

interface DomainToCheck {
  owner: DomainOwner;
  keys: readonly DkimKey[];
  previous: DomainResults;
}

/** A record as found. `problem` says why a correct record has no effect. */
type FoundRecord = CheckedRecord & { problem?: string };

export type CheckContext = Pick<DomainContext, 'recordCheck' | 'trackingProblem'> & {
  settings: DomainSettings;
};

/** Looks up the records without a cache. Failed look-ups change nothing. */
export async function checkDomain(
  context: CheckContext,
  { owner, keys, previous }: DomainToCheck,
  now: number,
): Promise<DomainFindings> {
  const expected = expectedRecords(owner, keys, context.settings);
  const behind = textsBehindAliases(keys, expected);
  const found = await context.recordCheck.lookUpRecords(owner.domain, [...expected, ...behind]);
  const checked = await Promise.all(
    found.slice(0, expected.length).map((record) => tryTracking(context, record)),
  );
  return computeFindings({ keys, checked, behindAliases: found.slice(expected.length), previous }, now);
}

/** Returns the TXT record behind the alias of each key, because verifiers read the text. */
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

async function tryTracking({ trackingProblem }: CheckContext, record: CheckedRecord): Promise<FoundRecord> {
  if (record.purpose !== 'tracking' || record.status !== 'ok') return record;
  const problem = trackingProblem ? await trackingProblem(record.host) : 'it was not tried';
  return problem === null ? record : { ...record, problem };
}

interface SeenDomain {
  keys: readonly DkimKey[];
  /** The records to publish. */
  checked: readonly FoundRecord[];
  behindAliases: readonly CheckedRecord[];
  previous: DomainResults;
}

/** Findings of a check, from the DNS answers. */
export function computeFindings(
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
    isReturnPathOk: pointsToMailkeel(checked, 'return_path'),
    isInboundOk: pointsToMailkeel(checked, 'inbound'),
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

/** Input of `keyMoves`. */
export function keyLookups(findings: ReadonlyMap<string, KeyFinding>): KeyLookups {
  return new Map(
    [...findings].map(([id, { recordState }]) => [
      id,
      recordState === 'unknown' ? null : recordState === 'right',
    ]),
  );
}

function pointsToMailkeel(
  checked: readonly CheckedRecord[],
  purpose: 'return_path' | 'inbound',
): boolean | null {
  const mx = checked.find((record) => record.purpose === purpose && record.type === 'MX');
  return mx === undefined || mx.status === 'pending' ? null : mx.status === 'ok';
}

function isTrackingOk(checked: readonly FoundRecord[]): boolean | null {
  const cname = checked.find(({ purpose }) => purpose === 'tracking');
  if (cname === undefined || cname.status === 'pending') return null;
  return cname.status === 'ok' && cname.problem === undefined;
}
