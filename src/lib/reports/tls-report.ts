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
  const report = fieldsOf(parsed(content));
  const range = fieldsOf(report['date-range']);
  const [from, to] = [range['start-datetime'], range['end-datetime']].map(instantOf);
  const reportId = textOf(report['report-id']);
  if (from === undefined || to === undefined || to < from || reportId === '') {
    throw new ReportProblem('incomplete');
  }
  const results = listOf(report['policies'], limits).flatMap((policy) => resultsOf(policy, limits));
  if (results.length > limits.records) throw new ReportProblem('too_many_records');
  if (results.length === 0) throw new ReportProblem('incomplete');
  return {
    kind: 'tls',
    org_name: textOf(report['organization-name']),
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

function resultsOf(written: unknown, limits: ReportLimits): ReceivedTlsResult[] {
  const { policy, summary, 'failure-details': details } = fieldsOf(written);
  const about = fieldsOf(policy);
  const counts = fieldsOf(summary);
  const policyDomain = canonicalHost(textOf(about['policy-domain']));
  if (!/^[a-z0-9._-]{1,253}$/.test(policyDomain)) return [];
  const of = (result: string, sessions: number, mxHost = '', sendingIp = ''): ReceivedTlsResult => ({
    policy_domain: policyDomain,
    policy_type: wordOf(about['policy-type'], 'unknown'),
    result_type: result,
    mx_host: mxHost,
    sending_ip: sendingIp,
    sessions,
  });
  const failures = listOf(details ?? [], limits).map((detail) => {
    const fields = fieldsOf(detail);
    const sendingIp = textOf(fields['sending-mta-ip']);
    return of(
      wordOf(fields['result-type'], 'unknown'),
      countOf(fields['failed-session-count']),
      canonicalHost(textOf(fields['receiving-mx-hostname'])),
      isAddress(sendingIp) ? sendingIp : '',
    );
  });
  const detailed = failures.reduce((sum, { sessions }) => sum + sessions, 0);
  // Some reports count failures without details.
  const rest = countOf(counts['total-failure-session-count']) - detailed;
  return [
    of('success', countOf(counts['total-successful-session-count'])),
    ...failures,
    ...(rest > 0 ? [of('unknown', rest)] : []),
  ].filter(({ sessions }) => sessions > 0);
}

function fieldsOf(value: unknown): Record<string, unknown> {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Record<string, unknown>) : {};
}

function listOf(value: unknown, { records }: ReportLimits): unknown[] {
  if (!Array.isArray(value)) throw new ReportProblem('incomplete');
  if (value.length > records) throw new ReportProblem('too_many_records');
  return value;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? shownLine(value.slice(0, MAX_TEXT), MAX_TEXT) : '';
}

function wordOf(value: unknown, otherwise: string): string {
  const word = textOf(value).toLowerCase();
  return WORD.test(word) ? word : otherwise;
}

/** Some writers quote numbers. */
function countOf(value: unknown): number {
  const count = typeof value === 'string' ? Number(value) : value;
  return typeof count === 'number' && Number.isInteger(count) && count > 0 && count <= 1e9 ? count : 0;
}

function instantOf(value: unknown): number | undefined {
  const at = Date.parse(textOf(value));
  return Number.isNaN(at) ? undefined : at;
}
