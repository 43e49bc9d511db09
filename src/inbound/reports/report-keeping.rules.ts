// How much of the reports about our mail is kept, and for how long. Anybody can send reports: room for detail is shared so that a
// stranger cannot take that of the receivers who report in earnest.
import type { DmarcSum, ReceivedReport, TlsSum } from './reports.tables.js';

const DAY_MS = 86_400_000;

/** A report with its records, since it came; older ones are not taken. */
export const REPORT_KEEP_MS = 90 * DAY_MS;
/** Sums by day: a year and a month can be asked for. */
export const REPORT_SUMS_KEEP_MS = 400 * DAY_MS;
/** Records of one report that are stored with it, the largest first; the sums have all of them. */
const RECORDS_KEPT = 1_000;
/** Octets of their JSON: a few kilobytes of a mail unpack to megabytes of records. */
const RECORDS_BYTES = { authenticated: 256 * 1024, unauthenticated: 32 * 1024 } as const;
/** Different sums of one report; what comes after them is added up without its source. */
export const SUMS_A_REPORT = 1_000;
/** Different sums of one domain and day, from reports that are authenticated and from those that are not. */
export const SUMS_A_DAY = { authenticated: 10_000, unauthenticated: 500 } as const;
/** Sums of one organization among them, by its authenticated reports. */
export const SUMS_AN_ORGANIZATION = 1_000;

/** Sums of a domain and day that are stored already, of reports that are as authenticated as the one that comes. */
export interface StoredSums {
  all: number;
  /** Of the reporter's organization. */
  ofOrganization: number;
}

/** `no_reporter`: without source and without reporter, so that names that anybody can make up take no more rows. */
export type SumDetail = 'all' | 'no_source' | 'no_reporter';

/** How much of its detail the next sum keeps. */
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

/** Cuts a report's records, which come the largest first, to those that are stored. */
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
