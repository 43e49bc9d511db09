// Checks of receivers' reports about Mailkeel's mail (RFC 8460, RFC 9990), and of the record that permits DMARC reports to be
// sent to Mailkeel.
import { getDomain } from 'tldts';
import { PERMISSION_VALUE, permissionRecord } from '../../domains/report-addresses.rules.js';
import type { DnsAnswer } from '../../lib/dns-answers/index.js';
import { unknownResult, type CheckResult } from './preflight.rules.js';
import { groupedDigits } from '../../lib/rows/index.js';

const DAY_MS = 86_400_000;
const DAYS = 7;
/** Fewer failures, or a smaller share of a reporter's total, are noise. */
const MIN_FAILURES = 10;
const MIN_PER_MILLE = 20;
const NAMED_REPORTERS = 3;
const NAMED_CAUSES = 2;
const MAX_OBSERVED = 300;

/** The threshold for one reporter, and the number of days. */
export interface FailureSpan {
  /** Days since the epoch (UTC), both inclusive. */
  from: number;
  to: number;
  leastFailures: number;
  /** Share of the reporter's sessions or messages, in thousandths. */
  leastPerMille: number;
}

/** A reporter with failures beyond the threshold. */
interface FailingReporter {
  /** Empty for reporters beyond the limit, which are added up. */
  reporter: string;
  total: number;
  failed: number;
  /** The last day with a failure, since the epoch. */
  lastDay: number;
  /** Most frequent first: result types of RFC 8460 section 4.3, or reasons for failing DMARC. */
  causes: { name: string; failed: number }[];
}

/** A mail domain of Mailkeel with TLS sessions, or a domain that messages were sent from. */
export interface ReportedDomain {
  domain: string;
  total: number;
  failed: number;
  /** Most failures first. */
  reporters: FailingReporter[];
}

export interface ReportFacts {
  tls: ReportedDomain[];
  dmarc: ReportedDomain[];
  /** A verified domain outside the bounce domain's organization. `null` if there is none. */
  domainOutside: string | null;
}

/** Returns the organizational domain of the report address. Reports about its own domains need no permission. */
export function reportOrganization(bounceDomain: string): string {
  return getDomain(bounceDomain) ?? bounceDomain.toLowerCase();
}

/** Returns the last 7 days, today, and days of reports from clocks that are ahead. `now` is in epoch ms. */
export function reportedDays(now: number): FailureSpan {
  const today = Math.floor(now / DAY_MS);
  return {
    from: today - DAYS,
    to: today + 1,
    leastFailures: MIN_FAILURES,
    leastPerMille: MIN_PER_MILLE,
  };
}

/** Remedies by result type of RFC 8460 section 4.3. */
const TLS_REMEDIES: Readonly<Record<string, string>> = {
  'starttls-not-supported':
    'The mail server did not offer STARTTLS. See the inbound_port check, and find out whether another program or a firewall responds on port 25.',
  'certificate-host-mismatch':
    "The certificate does not cover the mail server's name. Set MAILKEEL_HOSTNAME to the name in the MX record, or get a certificate for that name.",
  'certificate-expired': 'The certificate has expired. See the certificate check, and renew it.',
  'certificate-not-trusted': 'Use a certificate from a public CA, including its full chain.',
  'validation-failure': 'The certificate could not be verified. See the certificate check.',
  'tlsa-invalid':
    'The TLSA record does not match the certificate. Publish the record for the certificate in use.',
  'dnssec-invalid': 'DNSSEC validation failed for the domain. Check its DS record and signatures.',
  'dane-required':
    'The sending server requires DANE but found no usable TLSA record. Publish a valid record, or remove all TLSA records.',
  'sts-policy-fetch-error':
    'The MTA-STS policy could not be fetched. https://mta-sts.<domain>/.well-known/mta-sts.txt must be served with a valid certificate.',
  'sts-policy-invalid':
    'The MTA-STS policy or its DNS record is invalid. Publish the records that mailkeel admin dns shows.',
  'sts-webpki-invalid':
    'The certificate is not valid for MTA-STS. Use a certificate from a public CA for the name in the MX record.',
};
const OTHER_TLS_REMEDY = 'See the summary of TLS reports by result.';

const DMARC_REMEDIES: Readonly<Record<string, string>> = {
  dkim_failed:
    'DKIM verification failed. Compare the published DKIM record with mailkeel admin dns, and check whether a smarthost modifies messages.',
  spf_of_another_domain: "Mail was sent without a signature of the domain. Check the domain's DKIM keys.",
  not_signed:
    "Mail was sent without a signature. Check the domain's DKIM keys, and check whether the smarthost modifies messages.",
};
const OTHER_DMARC_REMEDY = 'See the summary of DMARC reports by source.';

interface Kind {
  name: 'tls_reports' | 'dmarc_reports';
  expected: string;
  none: string;
  /** `12 of 40 TLS sessions failed`. */
  outcome: (failed: string, total: string) => string;
  remedies: Readonly<Record<string, string>>;
  otherwise: string;
}

const TLS_KIND: Kind = {
  name: 'tls_reports',
  expected: `no reporter with at least ${MIN_FAILURES} failed TLS sessions and ${MIN_PER_MILLE / 10} % failures within ${DAYS} days`,
  none: `no TLS reports in the last ${DAYS} days`,
  outcome: (failed, total) => `${failed} of ${total} TLS sessions failed`,
  remedies: TLS_REMEDIES,
  otherwise: OTHER_TLS_REMEDY,
};
const DMARC_KIND: Kind = {
  name: 'dmarc_reports',
  expected: `no reporter with at least ${MIN_FAILURES} DMARC failures and a failure rate of ${MIN_PER_MILLE / 10} % within ${DAYS} days`,
  none: `no DMARC reports in the last ${DAYS} days`,
  outcome: (failed, total) => `${failed} of ${total} messages from this server failed DMARC`,
  remedies: DMARC_REMEDIES,
  otherwise: OTHER_DMARC_REMEDY,
};

/** Returns a result for each reported domain, or one of each kind if nothing was reported. */
export function judgeReports({ tls, dmarc }: Pick<ReportFacts, 'tls' | 'dmarc'>): CheckResult[] {
  return [...judgeKind(TLS_KIND, tls), ...judgeKind(DMARC_KIND, dmarc)];
}

function judgeKind(kind: Kind, domains: readonly ReportedDomain[]): CheckResult[] {
  const { name, expected, none } = kind;
  if (domains.length === 0) {
    return [{ name, subject: null, expected, status: 'pass', observed: none, remedy: null }];
  }
  return domains.map((domain) => judgeDomain(kind, domain));
}

function judgeDomain(kind: Kind, { domain, total, failed, reporters }: ReportedDomain): CheckResult {
  const question = { name: kind.name, subject: domain, expected: kind.expected };
  const sum = kind.outcome(groupedDigits(failed), groupedDigits(total));
  if (reporters.length === 0) return { ...question, status: 'pass', observed: sum, remedy: null };
  const named = reporters.slice(0, NAMED_REPORTERS).map(reporterText).join('; ');
  const rest =
    reporters.length > NAMED_REPORTERS ? `, and ${reporters.length - NAMED_REPORTERS} more reporters` : '';
  const causes = new Map<string, number>();
  for (const { name, failed: n } of reporters.flatMap((reporter) => reporter.causes)) {
    causes.set(name, (causes.get(name) ?? 0) + n);
  }
  const most = [...causes].sort((a, b) => b[1] - a[1]).slice(0, NAMED_CAUSES);
  const remedies = new Set(most.map(([cause]) => kind.remedies[cause] ?? kind.otherwise));
  return {
    ...question,
    status: 'warn',
    observed: `${sum}: ${named}${rest}`.slice(0, MAX_OBSERVED),
    remedy: `${[...remedies].join(' ')} This warning clears ${DAYS} days after the last failure.`,
  };
}

/** `google.com 12 of 40 (certificate-expired), last on 2026-11-20`. */
function reporterText({ reporter, total, failed, lastDay, causes }: FailingReporter): string {
  const why = causes.slice(0, NAMED_CAUSES).map(({ name }) => name || 'no reason given');
  const name = reporter === '' ? 'reporters not tracked individually' : reporter;
  const day = new Date(lastDay * DAY_MS).toISOString().slice(0, 10);
  return `${name} ${groupedDigits(failed)} of ${groupedDigits(total)} (${why.join(', ')}), most recently on ${day}`;
}

/** Returns a name to query. Any name will do, because the wildcard matches all of them. */
export function permissionProbe(bounceDomain: string): string {
  return permissionRecord(bounceDomain).host.replace('*', 'dmarc-check.example');
}

/** `domainOutside` is undefined if there is no database yet, in which case any domain may be added. */
export function judgeReportPermission(
  bounceDomain: string,
  answer: DnsAnswer<string>,
  domainOutside: string | null | undefined,
): CheckResult {
  const { host } = permissionRecord(bounceDomain);
  const question = {
    name: 'report_authorization',
    subject: host,
    expected: `TXT "${PERMISSION_VALUE}"`,
  } as const;
  if (answer.kind === 'failed')
    return unknownResult(question.name, host, `DNS lookup failed (${answer.reason})`);
  const records = answer.kind === 'found' ? answer.records : [];
  if (records.some((text) => /^v\s*=\s*DMARC1\s*(?:;|$)/.test(text))) {
    return { ...question, status: 'pass', observed: PERMISSION_VALUE, remedy: null };
  }
  const observed = records.length > 0 ? records.join(', ').slice(0, MAX_OBSERVED) : 'none';
  if (domainOutside === null) {
    const why = `${observed} (not needed because all verified domains belong to ${reportOrganization(bounceDomain)})`;
    return { ...question, status: 'pass', observed: why, remedy: null };
  }
  const whose = domainOutside === undefined ? 'other organizations' : `${domainOutside} and similar domains`;
  return {
    ...question,
    status: 'warn',
    observed,
    remedy: `Publish the TXT record "${PERMISSION_VALUE}" at ${host}. Without it, receivers do not send DMARC reports about ${whose} to this server (RFC 9990, RFC 7489 section 7.1).`,
  };
}
