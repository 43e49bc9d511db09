// Reads TLS reports from others about their sessions with Mailkeel's mail servers (RFC 8460 section 4.4).
import { isAddress } from '../addresses/index.js';
import { canonicalHost } from '../dns-answers/index.js';
import { shownLine } from '../mime/index.js';
import { ReportProblem, type ReportLimits } from './report-limits.js';

/** Sessions of one policy with the same result; `success` if they succeeded. */
export interface ReceivedTlsResult {
  policy_domain: string;
  policy_type: string;
  result_type: string;
  mx_host: string;
  sending_ip: string;
  sessions: number;
}

export interface ReceivedTlsReport {
  kind: 'tls';
  org_name: string;
  report_id: string;
  /** Epoch ms. */
  from: number;
  to: number;
  results: ReceivedTlsResult[];
}

const MAX_TEXT = 255;
const WORD = /^[a-z0-9][a-z0-9-]{0,59}$/;

/** Reads a report. Throws a ReportProblem. */
export function readTlsReport(content: Uint8Array, limits: ReportLimits): ReceivedTlsReport {
  const report = readFields(parsed(content));
  const range = readFields(report['date-range']);
  const [from, to] = [range['start-datetime'], range['end-datetime']].map(readInstant);
  const reportId = readText(report['report-id']);
  if (from === undefined || to === undefined || to < from || reportId === '') {
    throw new ReportProblem('incomplete');
  }
  const results = readList(report['policies'], limits).flatMap((policy) => readResults(policy, limits));
  if (results.length > limits.records) throw new ReportProblem('too_many_records');
  if (results.length === 0) throw new ReportProblem('incomplete');
  return {
    kind: 'tls',
    org_name: readText(report['organization-name']),
    report_id: reportId,
    from,
    to,
    results,
  };
}

function parsed(content: Uint8Array): unknown {
  try {
    return JSON.parse(
      Buffer.from(content)
        .toString('utf8')
        .replace(/^\uFEFF/, ''),
    );
  } catch {
    throw new ReportProblem('malformed');
  }
}

function readResults(written: unknown, limits: ReportLimits): ReceivedTlsResult[] {
  const { policy, summary, 'failure-details': details } = readFields(written);
  const about = readFields(policy);
  const counts = readFields(summary);
  const policyDomain = canonicalHost(readText(about['policy-domain']));
  if (!/^[a-z0-9._-]{1,253}$/.test(policyDomain)) return [];
  const of = (result: string, sessions: number, mxHost = '', sendingIp = ''): ReceivedTlsResult => ({
    policy_domain: policyDomain,
    policy_type: readWord(about['policy-type'], 'unknown'),
    result_type: result,
    mx_host: mxHost,
    sending_ip: sendingIp,
    sessions,
  });
  const failures = readList(details ?? [], limits).map((detail) => {
    const fields = readFields(detail);
    const sendingIp = readText(fields['sending-mta-ip']);
    return of(
      readWord(fields['result-type'], 'unknown'),
      readCount(fields['failed-session-count']),
      canonicalHost(readText(fields['receiving-mx-hostname'])),
      isAddress(sendingIp) ? sendingIp : '',
    );
  });
  const detailed = failures.reduce((sum, { sessions }) => sum + sessions, 0);
  // Some reports count failures without details.
  const rest = readCount(counts['total-failure-session-count']) - detailed;
  return [
    of('success', readCount(counts['total-successful-session-count'])),
    ...failures,
    ...(rest > 0 ? [of('unknown', rest)] : []),
  ].filter(({ sessions }) => sessions > 0);
}

function readFields(value: unknown): Record<string, unknown> {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Record<string, unknown>) : {};
}

function readList(value: unknown, { records }: ReportLimits): unknown[] {
  if (!Array.isArray(value)) throw new ReportProblem('incomplete');
  if (value.length > records) throw new ReportProblem('too_many_records');
  return value;
}

function readText(value: unknown): string {
  return typeof value === 'string' ? shownLine(value.slice(0, MAX_TEXT), MAX_TEXT) : '';
}

function readWord(value: unknown, otherwise: string): string {
  const word = readText(value).toLowerCase();
  return WORD.test(word) ? word : otherwise;
}

/** Some writers quote numbers. */
function readCount(value: unknown): number {
  const count = typeof value === 'string' ? Number(value) : value;
  return typeof count === 'number' && Number.isInteger(count) && count > 0 && count <= 1e9 ? count : 0;
}

function readInstant(value: unknown): number | undefined {
  const at = Date.parse(readText(value));
  return Number.isNaN(at) ? undefined : at;
}
