// Plans the rows and sums of a report: finds the owners of its domains, and compares its rows with the mail that was sent.
import { createHash } from 'node:crypto';
import type { MailAuthentication } from '../../lib/authentication/index.js';
import { canonicalHost } from '../../lib/dns-answers/index.js';
import type { DmarcRecord } from '../../lib/sender-policy/index.js';
import type {
  DmarcReport,
  MailedReport,
  ReceivedTlsReport,
  ReceivedTlsResult,
  ReportRefusal,
} from '../../lib/reports/index.js';
import { newId } from '../../lib/runtime/index.js';
import type { Egress } from '../../outbound/route/egress.rules.js';
import type { InboundContext } from '../context.js';
import { ownDomains } from '../receiver.js';
import { allowedAddressTest } from '../../lib/addresses/index.js';
import { PLATFORM_OWNER } from '../../domains/domains.store.js';
import { classifyDmarcRow, isWithin, type OwnKeys, type OwnSending } from './dmarc-class.rules.js';
import {
  keptRecords,
  REPORT_KEEP_MS,
  SUMS_A_REPORT,
  withoutMailHost,
  withoutSource,
} from './report-keeping.rules.js';
import type { ReportOwner } from './reports.store.js';
import type { DmarcSum, ReceivedReport, TlsSum } from './reports.tables.js';
import type { Change } from '../../database/change.js';
import { takeReport } from './apply-report.store.js';

const DAY_MS = 86_400_000;
/** How far in the future a report may end: clocks differ, and some reporters give the end of the current day. */
const AHEAD_MS = 2 * DAY_MS;
/** From domains or policy domains of one report whose owners are looked up. Further ones have no owner. */
const MAX_NAMES = 500;

type ReportChange = ReturnType<typeof takeReport>;

/** A report and the message that contained it. */
interface MailedReportFacts {
  report: Exclude<MailedReport, { kind: 'refused' }>;
  authentication: MailAuthentication | null;
  /** Domain of the From header, proven or not; '' if it has none that can be parsed. */
  fromDomain: string;
  /** Epoch ms. */
  receivedAt: number;
}

type TakenReport =
  | { outcome: 'report_refused'; detail: { refusal: ReportRefusal; problem?: string }; changes: [] }
  | {
      outcome: 'dmarc_report' | 'tls_report' | 'duplicate';
      detail: Record<string, unknown>;
      changes: Change[];
    };

export async function takeMailedReport(
  context: InboundContext,
  facts: MailedReportFacts,
): Promise<TakenReport> {
  const { report, authentication, fromDomain, receivedAt } = facts;
  if (report.to > receivedAt + AHEAD_MS || report.from < receivedAt - REPORT_KEEP_MS) {
    return refusedReport('period');
  }
  const about = {
    reporter: authentication?.fromDomain ?? fromDomain,
    isAuthenticated: isProven(authentication),
    receivedAt,
  };
  const taken =
    report.kind === 'dmarc'
      ? await dmarcChanges(context, report, about)
      : await tlsChanges(context, report, about);
  if (taken.length === 0) return refusedReport('unknown_domain');
  const news: ReportChange[] = [];
  for (const change of taken) {
    const { environment_id: environmentId, dedupe_key: key } = change.report;
    if (!(await context.store.reports.isKnown(environmentId, key))) news.push(change);
  }
  const detail = { authenticated: about.isAuthenticated, reporter: about.reporter, reports: news.length };
  if (news.length === 0) return { outcome: 'duplicate', detail, changes: [] };
  return { outcome: `${report.kind}_report`, detail, changes: news };
}

export function refusedReport(refusal: ReportRefusal, problem: string | null = null): TakenReport {
  const detail = problem === null ? { refusal } : { refusal, problem };
  return { outcome: 'report_refused', detail, changes: [] };
}

interface Reporting {
  reporter: string;
  isAuthenticated: boolean;
  receivedAt: number;
}

/** Returns whether an aligned signature or aligned SPF authenticates the From domain. */
function isProven(authentication: MailAuthentication | null): boolean {
  if (authentication === null || authentication.fromDomain === null) return false;
  const isSigned = authentication.dkim.some(({ result, aligned }) => result === 'pass' && aligned);
  return isSigned || authentication.dmarc.result === 'pass';
}

async function dmarcChanges(
  context: InboundContext,
  report: DmarcReport,
  about: Reporting,
): Promise<ReportChange[]> {
  // A report covers its domain and names below it. Rows about others are forged.
  const records = report.records.filter(({ header_from: name }) => isWithin(name, report.domain));
  const ownerOf = await readOwners(
    context,
    records.map(({ header_from: name }) => name),
  );
  const parts = partsBy(records, ({ header_from: name }) => ownerOf(name));
  const changes: ReportChange[] = [];
  for (const [owner, rows] of parts) changes.push(await dmarcChange(context, { owner, rows, report, about }));
  return changes;
}

async function dmarcChange(
  { store, config, rules }: InboundContext,
  part: { owner: ReportOwner; rows: readonly DmarcRecord[]; report: DmarcReport; about: Reporting },
): Promise<ReportChange> {
  const { owner, rows, report, about } = part;
  const keys = await readKeys(store, owner);
  const sending = ownSending(config, rules.egress);
  const classified = rows.map((row) => ({ ...row, ...classifyDmarcRow(row, keys, sending) }));
  const day = middleDay(report);
  const sums: Sums<Omit<DmarcSum, 'messages'>> = new Map();
  classified.sort((a, b) => b.count - a.count);
  for (const row of classified) {
    const sum = {
      ...sumKey(owner, about, day),
      source_ip: row.source_ip,
      class: row.class,
      reason: row.reason ?? '',
      disposition: row.disposition,
    };
    addUp(sums, sum, withoutSource(sum), row.count);
  }
  const total = sumOf(classified.map(({ count }) => count));
  const ours = classified.filter((row) => row.class === 'ours_aligned').map(({ count }) => count);
  return takeReport({
    report: {
      ...reportRow({ owner, report, about }),
      policy: JSON.stringify({ ...report.policy, generator: report.generator }),
      total,
      problems: total - sumOf(ours),
      ...keptRecords(classified, about.isAuthenticated),
    },
    dmarc: [...sums.values()].map(({ key, n }) => ({ ...key, messages: n })),
    tls: [],
  });
}

async function tlsChanges(
  context: InboundContext,
  report: ReceivedTlsReport,
  about: Reporting,
): Promise<ReportChange[]> {
  const names = [...new Set(report.results.map(({ policy_domain: domain }) => domain))].slice(0, MAX_NAMES);
  const owners = new Map<string, ReportOwner>();
  for (const name of names) {
    const owner = await readReceiver(context, name);
    if (owner) owners.set(name, owner);
  }
  const parts = partsBy(report.results, ({ policy_domain: domain }) => owners.get(domain) ?? null);
  return [...parts].map(([owner, rows]) => tlsChange(owner, rows, report, about));
}

function tlsChange(
  owner: ReportOwner,
  rows: readonly ReceivedTlsResult[],
  report: ReceivedTlsReport,
  about: Reporting,
): ReportChange {
  const day = middleDay(report);
  const sums: Sums<Omit<TlsSum, 'sessions'>> = new Map();
  const sorted = [...rows].sort((a, b) => b.sessions - a.sessions);
  for (const row of sorted) {
    const { policy_type, result_type, mx_host, sessions } = row;
    const sum = { ...sumKey(owner, about, day), policy_type, result_type, mx_host };
    addUp(sums, sum, withoutMailHost(sum), sessions);
  }
  const failed = rows.filter(({ result_type }) => result_type !== 'success');
  return takeReport({
    report: {
      ...reportRow({ owner, report, about }),
      policy: '{}',
      total: sumOf(rows.map(({ sessions }) => sessions)),
      problems: sumOf(failed.map(({ sessions }) => sessions)),
      ...keptRecords(sorted, about.isAuthenticated),
    },
    dmarc: [],
    tls: [...sums.values()].map(({ key, n }) => ({ ...key, sessions: n })),
  });
}

/** Reads the owner of a domain that receives mail: the operator, or a customer with a name for bounces or replies. */
async function readReceiver({ store, config }: InboundContext, domain: string): Promise<ReportOwner | null> {
  if (ownDomains(config).includes(domain)) return store.reports.operator(domain);
  const found = (await store.inbound.inboundOwner(domain)) ?? (await store.inbound.returnPathOwner(domain));
  if (found) {
    const { environmentId, subTenantId } = found.scope;
    return { id: found.id, environmentId, subTenantId, domain };
  }
  return (await store.reports.owners([domain])).get(domain) ?? null;
}

/** Reads the owner of each name, or of the nearest domain above it. */
async function readOwners(
  { store, config }: InboundContext,
  written: readonly string[],
): Promise<(name: string) => ReportOwner | null> {
  const names = [...new Set(written)].slice(0, MAX_NAMES);
  const candidates = new Set(names.flatMap(namesAbove));
  const owners = await store.reports.owners([...candidates]);
  const platformDomain = config.platformDomain?.toLowerCase() ?? null;
  if (platformDomain !== null && candidates.has(platformDomain) && !owners.has(platformDomain)) {
    const operator = await store.reports.operator(platformDomain);
    if (operator) owners.set(platformDomain, operator);
  }
  return (name) => {
    for (const candidate of namesAbove(name)) {
      const owner = owners.get(candidate);
      if (owner) return owner;
    }
    return null;
  };
}

/** Returns the name and its parent domains, nearest first, without the top level. */
function namesAbove(name: string): string[] {
  const labels = canonicalHost(name).split('.').slice(-10);
  return labels.slice(0, -1).map((_, at) => labels.slice(at).join('.'));
}

/** Reads all keys that have ever signed for the domain, and the platform's, which sign all mail a second time. */
async function readKeys(store: InboundContext['store'], owner: ReportOwner): Promise<OwnKeys> {
  const ids = owner.id === null ? [PLATFORM_OWNER] : [owner.id, PLATFORM_OWNER];
  const keys = await store.domains.dkimKeys(ids);
  return {
    domain: owner.domain,
    names: new Set(keys.map(({ selector, domain }) => `${selector.toLowerCase()} ${domain}`)),
  };
}

/**
 * Returns the addresses that mail is sent from. Mail through a smarthost, or from a source without its own address, is sent from
 * addresses that no setting names.
 */
function ownSending(
  { dnsAddresses }: Pick<InboundContext['config'], 'dnsAddresses'>,
  { sources, smarthosts }: Pick<Egress, 'sources' | 'smarthosts'>,
): OwnSending {
  const all = [...sources.values()];
  const addresses = all
    .flatMap(({ address4, address6 }) => [address4, address6])
    .filter((one) => one !== null);
  const isComplete =
    smarthosts.size === 0 && all.every(({ address4, address6 }) => (address4 ?? address6) !== null);
  return {
    isOurAddress: allowedAddressTest([...(dnsAddresses ?? []), ...addresses]),
    // Behind a router, the setting has the public addresses.
    knowsAllAddresses: dnsAddresses !== null || isComplete,
  };
}

function partsBy<Row>(
  rows: readonly Row[],
  ownerOf: (row: Row) => ReportOwner | null,
): Map<ReportOwner, Row[]> {
  const parts = new Map<ReportOwner, Row[]>();
  for (const row of rows) {
    const owner = ownerOf(row);
    if (!owner) continue;
    const part = parts.get(owner);
    if (part) part.push(row);
    else parts.set(owner, [row]);
  }
  return parts;
}

function reportRow({
  owner,
  report,
  about,
}: {
  owner: ReportOwner;
  report: DmarcReport | ReceivedTlsReport;
  about: Reporting;
}): Omit<ReceivedReport, 'policy' | 'total' | 'problems' | 'records' | 'records_left_out'> {
  const { reporter, isAuthenticated, receivedAt } = about;
  const reported = report.kind === 'dmarc' ? report.domain : '';
  const identity = [report.kind, owner.domain, reported, reporter, isAuthenticated, report.org_name];
  return {
    id: newId('rpt', receivedAt),
    environment_id: owner.environmentId,
    sub_tenant_id: owner.subTenantId,
    kind: report.kind,
    domain: owner.domain,
    org_name: report.org_name,
    reporter,
    report_id: report.report_id,
    authenticated: isAuthenticated ? 1 : 0,
    begins_at: report.from,
    ends_at: report.to,
    dedupe_key: createHash('sha256')
      .update(JSON.stringify([...identity, report.report_id]))
      .digest('base64url'),
    created_at: receivedAt,
  };
}

function sumKey({ environmentId, domain, subTenantId }: ReportOwner, about: Reporting, day: number) {
  return {
    environment_id: environmentId,
    day,
    domain,
    sub_tenant_key: subTenantId ?? '',
    reporter: about.reporter,
    authenticated: about.isAuthenticated ? (1 as const) : (0 as const),
  };
}

type Sums<Key> = Map<string, { key: Key; n: number }>;

/** Adds to the sum of a key. If there are too many keys, adds to the sum of `rest`. */
function addUp<Key extends object>(sums: Sums<Key>, key: Key, rest: Key, n: number): void {
  const isFull = sums.size >= SUMS_A_REPORT && !sums.has(JSON.stringify(key));
  const used = isFull ? rest : key;
  const name = JSON.stringify(used);
  sums.set(name, { key: used, n: (sums.get(name)?.n ?? 0) + n });
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Returns the UTC day in the middle of the report's period, which is about one day long. */
function middleDay({ from, to }: { from: number; to: number }): number {
  return Math.floor((from + to) / 2 / DAY_MS);
}
