// Builds TLS reports (RFC 8460): reads the record that requests them (section 3), builds the JSON (section 4)
// and the mail that carries it (section 5).
import { addressProblem } from '../mime/index.js';
import { canonicalJson } from '../json/index.js';

export const DAY_MS = 86_400_000;
/** The media type of the POST and the attachment. */
export const TLS_REPORT_TYPE = 'application/tlsrpt+gzip';

const MAX_RECORD = 4096;
const MAX_URI = 2048;
/** The receiver chooses the destinations, so further ones are ignored. */
const MAX_DESTINATIONS = 5;

export type TlsPolicyType = 'tlsa' | 'sts' | 'no-policy-found';

/** The applied policy as the report quotes it. */
export interface TlsPolicyText {
  /** Lines of the MTA-STS policy, or TLSA records as `3 1 1 hex`. */
  strings: string[];
  /** `sts`: the MX patterns of the policy. `tlsa`: the TLSA base domain (RFC 7672 section 2.2.3). */
  mx: string[];
}

/** Sessions of one day with the same result. Unknown text is ''. */
export interface TlsSessionCount {
  policyType: TlsPolicyType;
  policy: TlsPolicyText | null;
  /** `success`, or a failure type of RFC 8460 section 4.3. */
  resultType: string;
  mxHost: string;
  sendingIp: string;
  receivingIp: string;
  /** The error code or message of the failure. */
  detail: string;
  sessions: number;
}

interface TlsReportInput {
  organization: string;
  contact: string;
  reportId: string;
  /** The recipients' domain, as A-labels. */
  domain: string;
  /** Days since the epoch, UTC. */
  day: number;
  counts: readonly TlsSessionCount[];
}

interface TlsReportFailure {
  'result-type': string;
  'sending-mta-ip'?: string;
  'receiving-mx-hostname'?: string;
  'receiving-ip'?: string;
  'failed-session-count': number;
  'failure-reason-code'?: string;
}

interface TlsReportPolicy {
  policy: {
    'policy-type': TlsPolicyType;
    'policy-string'?: string[];
    'policy-domain': string;
    'mx-host'?: string[];
  };
  summary: { 'total-successful-session-count': number; 'total-failure-session-count': number };
  'failure-details'?: TlsReportFailure[];
}

/** RFC 8460 section 4.4. */
export interface TlsReport {
  'organization-name': string;
  'date-range': { 'start-datetime': string; 'end-datetime': string };
  'contact-info': string;
  'report-id': string;
  policies: TlsReportPolicy[];
}

/** Builds the report of one day about one domain, with sessions grouped by the applied policy. */
export function buildTlsReport(input: TlsReportInput): TlsReport {
  const groups = new Map<string, TlsSessionCount[]>();
  for (const count of input.counts) {
    const key = canonicalJson([count.policyType, count.policy]);
    const group = groups.get(key);
    if (group) group.push(count);
    else groups.set(key, [count]);
  }
  const { begin, end } = dayBounds(input.day);
  return {
    'organization-name': input.organization,
    'date-range': { 'start-datetime': dateTime(begin), 'end-datetime': dateTime(end) },
    'contact-info': input.contact,
    'report-id': input.reportId,
    policies: [...groups.values()].flatMap((group) => reportPolicy(group, input.domain)),
  };
}

function reportPolicy(group: readonly TlsSessionCount[], domain: string): TlsReportPolicy[] {
  const [first] = group;
  if (!first) return [];
  const failures = group.filter((count) => count.resultType !== 'success');
  const all = sum(group);
  const failed = sum(failures);
  return [
    {
      policy: appliedPolicy(first, domain),
      summary: { 'total-successful-session-count': all - failed, 'total-failure-session-count': failed },
      ...(failures.length === 0 ? {} : { 'failure-details': failures.map(reportFailure) }),
    },
  ];
}

function sum(counts: readonly TlsSessionCount[]): number {
  return counts.reduce((total, count) => total + count.sessions, 0);
}

function appliedPolicy({ policyType, policy }: TlsSessionCount, domain: string): TlsReportPolicy['policy'] {
  const strings = policy?.strings ?? [];
  const mx = policy?.mx ?? [];
  return {
    'policy-type': policyType,
    ...(strings.length === 0 ? {} : { 'policy-string': strings }),
    // The policy domain of DANE is the TLSA base domain (RFC 8460 section 1.1).
    'policy-domain': (policyType === 'tlsa' ? mx[0] : undefined) ?? domain,
    ...(policyType === 'sts' && mx.length > 0 ? { 'mx-host': mx } : {}),
  };
}

function reportFailure(count: TlsSessionCount): TlsReportFailure {
  return {
    'result-type': count.resultType,
    ...(count.sendingIp === '' ? {} : { 'sending-mta-ip': count.sendingIp }),
    ...(count.mxHost === '' ? {} : { 'receiving-mx-hostname': count.mxHost }),
    ...(count.receivingIp === '' ? {} : { 'receiving-ip': count.receivingIp }),
    'failed-session-count': count.sessions,
    ...(count.detail === '' ? {} : { 'failure-reason-code': count.detail }),
  };
}

/** Returns the first and last second of a UTC day (section 4.1), since the epoch. */
function dayBounds(day: number): { begin: number; end: number } {
  const begin = (day * DAY_MS) / 1000;
  return { begin, end: begin + DAY_MS / 1000 - 1 };
}

function dateTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}

/** A destination of reports. `uri` is spelled as in the record. */
export type TlsReportDestination =
  | { kind: 'mailto'; uri: string; address: string }
  | { kind: 'https'; uri: string; url: string };

type TlsReportRecord =
  | { kind: 'destinations'; destinations: TlsReportDestination[] }
  | { kind: 'none'; reason: string };

/**
 * Reads the TXT records at `_smtp._tls.<domain>`. Exactly one must be of version 1. Ignores unusable
 * destinations and all after the fifth.
 */
export function readTlsReportRecords(records: readonly string[]): TlsReportRecord {
  const [text, ...others] = records.filter((record) => /^v=TLSRPTv1[ \t]{0,99};/.test(record));
  if (text === undefined) return { kind: 'none', reason: 'there is no TLSRPTv1 record' };
  if (others.length > 0) return { kind: 'none', reason: 'there is more than one TLSRPTv1 record' };
  if (text.length > MAX_RECORD) return { kind: 'none', reason: 'the record is too long' };
  const uris = text
    .split(';')
    .map((field) => field.trim())
    .filter((field) => field.startsWith('rua='))
    .flatMap((field) => field.slice('rua='.length).split(','))
    .map((uri) => uri.trim());
  const destinations = [...new Set(uris)].flatMap((uri) => readDestination(uri) ?? []);
  if (destinations.length === 0) return { kind: 'none', reason: 'the record names no usable destination' };
  return { kind: 'destinations', destinations: destinations.slice(0, MAX_DESTINATIONS) };
}

function readDestination(uri: string): TlsReportDestination | null {
  if (uri.length > MAX_URI || /[^\x21-\x7e]/.test(uri) || !URL.canParse(uri)) return null;
  const url = new URL(uri);
  if (url.protocol === 'https:') {
    if (url.username !== '' || url.password !== '') return null;
    url.hash = '';
    return { kind: 'https', uri, url: url.href };
  }
  if (url.protocol !== 'mailto:') return null;
  const address = percentDecoded(url.pathname);
  // Fields of the URI (?subject=…) are meant for mail written by people (RFC 6068).
  if (address === null || addressProblem(address) !== null) return null;
  return { kind: 'mailto', uri, address };
}

function percentDecoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/**
 * The mail of a report before composing: a multipart/report of type `tlsrpt`, DKIM-signed by the submitter's
 * domain.
 */
export interface TlsReportMail {
  from: string;
  to: string;
  subject: string;
  text: string;
  /** Top-level fields. */
  headers: [name: string, value: string][];
  attachment: { filename: string; contentType: string; content: Buffer };
}

interface TlsReportMailInput {
  domain: string;
  day: number;
  /** `local@domain` of this report. */
  reportId: string;
  /** The domain that signs. */
  submitter: string;
  to: string;
  /** The compressed JSON. */
  gzip: Buffer;
}

/** Builds the mail of a report (RFC 8460 section 5.3). */
export function tlsReportMail(input: TlsReportMailInput): TlsReportMail {
  const { domain, submitter, reportId, gzip } = input;
  const filename = tlsReportFilename(input);
  return {
    from: `postmaster@${submitter}`,
    to: input.to,
    subject: `Report Domain: ${domain} Submitter: ${submitter} Report-ID: <${reportId}>`,
    text: [
      `TLS connections from ${submitter}`,
      `to the mail servers of ${domain}`,
      `on ${dateTime(dayBounds(input.day).begin).slice(0, 10)} (UTC): the daily report is attached, in the format of RFC 8460.`,
      '',
    ].join('\n'),
    headers: [
      ['TLS-Report-Domain', domain],
      ['TLS-Report-Submitter', submitter],
    ],
    attachment: {
      filename,
      // The unsplit name, for readers that don't know RFC 2231.
      contentType: `${TLS_REPORT_TYPE}; name="${filename}"`,
      content: gzip,
    },
  };
}

/** Returns the file name of a report (RFC 8460 section 5.1). */
export function tlsReportFilename(
  input: Pick<TlsReportMailInput, 'submitter' | 'domain' | 'day' | 'reportId'>,
): string {
  const { begin, end } = dayBounds(input.day);
  const uniqueId = input.reportId.split('@', 1)[0] ?? '';
  return `${[input.submitter, input.domain, begin, end, uniqueId].join('!')}.json.gz`;
}
