// Limits how much of the received reports is stored, and for how long. Anyone can send reports, so the space for details is shared
// in a way that keeps room for genuine receivers.
import type { DmarcSum, ReceivedReport, TlsSum } from './reports.tables.js';

const DAY_MS = 86_400_000;

/** How long a report is kept with its records. Older reports are refused. */
export const REPORT_KEEP_MS = 90 * DAY_MS;
/** How long daily sums are kept: a year and a month. */
export const REPORT_SUMS_KEEP_MS = 400 * DAY_MS;
/** Number of records stored with a report, largest first. The sums cover all records. */
const RECORDS_KEPT = 1_000;
/** Size of their JSON, because a few kilobytes of mail can unpack to megabytes of records. */
const RECORDS_BYTES = { authenticated: 256 * 1024, unauthenticated: 32 * 1024 } as const;
/** Number of sums of one report. The rest is added up without the source. */
export const SUMS_A_REPORT = 1_000;
/** Number of sums of one domain and day, separately for authenticated and other reports. */
export const SUMS_A_DAY = { authenticated: 10_000, unauthenticated: 500 } as const;
/** Number of those sums from authenticated reports of one organization. */
export const SUMS_AN_ORGANIZATION = 1_000;

/** Sums of a domain and day that are stored already, of reports that are as authenticated as the one that comes. */
export interface StoredSums {
  all: number;
  /** From reports of the reporter's organization. */
  ofOrganization: number;
}

/** `no_reporter`: without source and reporter, so that invented names cannot use up rows. */
type SumDetail = 'all' | 'no_source' | 'no_reporter';

/** Returns how much detail the next sum keeps. */
export function detailOfNext(isAuthenticated: boolean, { all, ofOrganization }: StoredSums): SumDetail {
  if (all >= SUMS_A_DAY[isAuthenticated ? 'authenticated' : 'unauthenticated']) return 'no_reporter';
  return isAuthenticated && ofOrganization >= SUMS_AN_ORGANIZATION ? 'no_source' : 'all';
}

type DmarcKey = Omit<DmarcSum, 'messages'>;
type TlsKey = Omit<TlsSum, 'sessions'>;

export function withoutSource<Sum extends DmarcKey>(sum: Sum): Sum {
  return { ...sum, source_ip: '' };
}

/** The mail host, and the words for policy and failure, which are the reporter's own. */
export function withoutMailHost<Sum extends TlsKey>(sum: Sum): Sum {
  const result = sum.result_type === 'success' ? 'success' : 'unknown';
  return { ...sum, mx_host: '', policy_type: 'unknown', result_type: result };
}

/** Returns the records to store. They must be sorted, largest first. */
export function keptRecords(
  records: readonly object[],
  isAuthenticated: boolean,
): Pick<ReceivedReport, 'records' | 'records_left_out'> {
  const mostBytes = RECORDS_BYTES[isAuthenticated ? 'authenticated' : 'unauthenticated'];
  const kept: string[] = [];
  let bytes = 2;
  for (const record of records.slice(0, RECORDS_KEPT)) {
    const json = JSON.stringify(record);
    bytes += Buffer.byteLength(json) + 1;
    if (bytes > mostBytes) break;
    kept.push(json);
  }
  return { records: `[${kept.join(',')}]`, records_left_out: records.length - kept.length };
}
