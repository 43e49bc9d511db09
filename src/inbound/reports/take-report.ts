// Takes a report in: finds whose domains it is about, compares its rows with what we send, and plans its rows and sums.
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
import type { InboundStores } from '../stores.js';
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
/** Clocks differ, and some reporters write the end of the day that is not over. */
const AHEAD_MS = 2 * DAY_MS;
/** Different names in From, or policy domains, that one report may have; of further ones nobody is looked for. */
const MAX_NAMES = 500;

type ReportChange = ReturnType<typeof takeReport>;

export interface TakeReportDeps {
  store: Pick<InboundStores, 'reports' | 'domains' | 'inbound'>;
  /** Domains of the appliance itself that mail comes to, lower case. */
  ownDomains: readonly string[];
  /** Lower case; null when there is none. */
  platformDomain: string | null;
  sending: OwnSending;
}

/** A report and the mail that brought it. */
export interface MailedReportFacts {
  report: Exclude<MailedReport, { kind: 'refused' }>;
  authentication: MailAuthentication | null;
  /** Domain in From of the mail, proven or not; '' where there is none that can be read. */
  fromDomain: string;
  /** Epoch ms. */
  receivedAt: number;
}

export type TakenReport =
  | { outcome: 'report_refused'; detail: { refusal: ReportRefusal; problem?: string }; changes: [] }
  | {
      outcome: 'dmarc_report' | 'tls_report' | 'duplicate';
      detail: Record<string, unknown>;
      changes: Change[];
    };

export async function takeMailedReport(deps: TakeReportDeps, facts: MailedReportFacts): Promise<TakenReport> {
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
    report.kind === 'dmarc' ? await dmarcChanges(deps, report, about) : await tlsChanges(deps, report, about);
  if (taken.length === 0) return refusedReport('unknown_domain');
  const news: ReportChange[] = [];
  for (const change of taken) {
    const { environment_id: environmentId, dedupe_key: key } = change.report;
    if (!(await deps.store.reports.isKnown(environmentId, key))) news.push(change);
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

/** The domain in From vouches for the mail: by a signature of its organization, or by SPF that is aligned with it. */
function isProven(authentication: MailAuthentication | null): boolean {
  if (authentication === null || authentication.fromDomain === null) return false;
  const isSigned = authentication.dkim.some(({ result, aligned }) => result === 'pass' && aligned);
  return isSigned || authentication.dmarc.result === 'pass';
}

async function dmarcChanges(
  deps: TakeReportDeps,
  report: DmarcReport,
  about: Reporting,
): Promise<ReportChange[]> {
  // A report is about its domain and names below it; rows about others are made up.
  const records = report.records.filter(({ header_from: name }) => isWithin(name, report.domain));
  const ownerOf = await ownersOf(
    deps,
    records.map(({ header_from: name }) => name),
  );
  const parts = partsBy(records, ({ header_from: name }) => ownerOf(name));
  const changes: ReportChange[] = [];
  for (const [owner, rows] of parts) changes.push(await dmarcChange(deps, { owner, rows, report, about }));
  return changes;
}

async function dmarcChange(
  { store, sending }: TakeReportDeps,
  part: { owner: ReportOwner; rows: readonly DmarcRecord[]; report: DmarcReport; about: Reporting },
): Promise<ReportChange> {
  const { owner, rows, report, about } = part;
  const keys = await keysOf(store, owner);
  const classified = rows.map((row) => ({ ...row, ...classifyDmarcRow(row, keys, sending) }));
  const day = dayOf(report);
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
  const total = totalOf(classified.map(({ count }) => count));
  const ours = classified.filter((row) => row.class === 'ours_aligned').map(({ count }) => count);
  return takeReport({
    report: {
      ...reportRow({ owner, report, about }),
      policy: JSON.stringify({ ...report.policy, generator: report.generator }),
      total,
      problems: total - totalOf(ours),
      ...keptRecords(classified, about.isAuthenticated),
    },
    dmarc: [...sums.values()].map(({ key, n }) => ({ ...key, messages: n })),
    tls: [],
  });
}

async function tlsChanges(
  deps: TakeReportDeps,
  report: ReceivedTlsReport,
  about: Reporting,
): Promise<ReportChange[]> {
  const names = [...new Set(report.results.map(({ policy_domain: domain }) => domain))].slice(0, MAX_NAMES);
  const owners = new Map<string, ReportOwner>();
  for (const name of names) {
    const owner = await receiverOf(deps, name);
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
  const day = dayOf(report);
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
      total: totalOf(rows.map(({ sessions }) => sessions)),
      problems: totalOf(failed.map(({ sessions }) => sessions)),
      ...keptRecords(sorted, about.isAuthenticated),
    },
    dmarc: [],
    tls: [...sums.values()].map(({ key, n }) => ({ ...key, sessions: n })),
  });
}

/** The owner of a domain that mail comes to: the appliance's own, or a customer's name for bounces or replies. */
async function receiverOf(
  { store, ownDomains }: TakeReportDeps,
  domain: string,
): Promise<ReportOwner | null> {
  if (ownDomains.includes(domain)) return store.reports.operator(domain);
  const found = (await store.inbound.inboundOwner(domain)) ?? (await store.inbound.returnPathOwner(domain));
  if (found) {
    const { environmentId, subTenantId } = found.scope;
    return { id: found.id, environmentId, subTenantId, domain };
  }
  return (await store.reports.owners([domain])).get(domain) ?? null;
}

/** The owner of each name, or of the nearest domain above it. */
async function ownersOf(
  { store, platformDomain }: TakeReportDeps,
  written: readonly string[],
): Promise<(name: string) => ReportOwner | null> {
  const names = [...new Set(written)].slice(0, MAX_NAMES);
  const candidates = new Set(names.flatMap(namesAbove));
  const owners = await store.reports.owners([...candidates]);
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

/** A name and those above it, the nearest first, without the top level. */
function namesAbove(name: string): string[] {
  const labels = canonicalHost(name).split('.').slice(-10);
  return labels.slice(0, -1).map((_, at) => labels.slice(at).join('.'));
}

/** All keys that ever signed for the domain, and the platform's, which sign all mail a second time. */
async function keysOf(store: TakeReportDeps['store'], owner: ReportOwner): Promise<OwnKeys> {
  const ids = owner.id === null ? [PLATFORM_OWNER] : [owner.id, PLATFORM_OWNER];
  const keys = await store.domains.dkimKeys(ids);
  return {
    domain: owner.domain,
    names: new Set(keys.map(({ selector, domain }) => `${selector.toLowerCase()} ${domain}`)),
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

/** Adds to the sum of a key; beyond the limit to that of the rest, which the key is without its place. */
function addUp<Key extends object>(sums: Sums<Key>, key: Key, rest: Key, n: number): void {
  const isFull = sums.size >= SUMS_A_REPORT && !sums.has(JSON.stringify(key));
  const used = isFull ? rest : key;
  const name = JSON.stringify(used);
  sums.set(name, { key: used, n: (sums.get(name)?.n ?? 0) + n });
}

function totalOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Reports are of a UTC day, or of about one. */
function dayOf({ from, to }: { from: number; to: number }): number {
  return Math.floor((from + to) / 2 / DAY_MS);
}
