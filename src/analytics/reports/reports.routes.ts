// Routes of the reports by other servers about this server's mail, and their sums: DMARC aggregate reports and TLS reports.
import type { Static } from 'typebox';
import { resource } from '../../http/lists/resource.js';
import { readInstant } from '../../http/body/fields.js';
import type { Api } from '../../http/api.js';
import { ALL_TENANTS } from '../statistics.store.js';
import { wireOf } from '../../contract/codec.js';
import { invalidFields } from '../../contract/refusal.js';
import { iso } from '../../contract/time.js';
import { canonicalHost } from '../../lib/dns-answers/index.js';
import type { Scope } from '../../database/scope.js';
import type { AnalyticsContext } from '../context.js';
import {
  dmarcGroups,
  dmarcSentences,
  dmarcTotals,
  MOST_GROUPS,
  providersOfReporter,
  tlsSentences,
  type DmarcGroup,
  type DmarcGroupTotals,
} from '../../inbound/reports/report-groups.rules.js';
import {
  dmarcReport,
  dmarcSummary,
  dmarcSummaryQuery,
  reportQuery,
  tlsReport,
  tlsSummary,
  tlsSummaryQuery,
  type DmarcRecordWire,
  type DmarcSummaryWire,
  type TlsRecordWire,
  type TlsSummaryWire,
} from './report.schema.js';
import type { SumSpan } from '../../inbound/reports/report-sums.store.js';
import type { ReportKind } from '../../inbound/reports/reports.store.js';
import type { ReceivedReport } from '../../inbound/reports/reports.tables.js';

type ReportContext = Pick<AnalyticsContext, 'store' | 'clock'>;

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
const MOST_DAYS = 400;
const dmarcTags = ['DMARC reports'];
const tlsTags = ['TLS reports'];

export function reportRoutes(app: Api, context: ReportContext): void {
  dmarcRoutes(app, context);
  dmarcSummaryRoute(app, context);
  tlsRoutes(app, context);
  tlsSummaryRoute(app, context);
}

const presentDmarc = wireOf(dmarcReport).from<ReceivedReport>({
  messages: 'total',
  not_ours: 'problems',
  records: ({ records }) => (records === '' ? undefined : (JSON.parse(records) as DmarcRecordWire[])),
});
const presentTls = wireOf(tlsReport).from<ReceivedReport>({
  sessions: 'total',
  failures: 'problems',
  records: ({ records }) => (records === '' ? undefined : (JSON.parse(records) as TlsRecordWire[])),
});

function listParts({ store }: ReportContext, kind: ReportKind) {
  return {
    query: reportQuery,
    read: (
      { caller, query }: { caller: { scope: Scope }; query: Static<typeof reportQuery> },
      page: Parameters<typeof store.reports.reports>[1],
    ) => {
      const { domain } = query;
      return store.reports.reports(caller.scope, page, {
        kind,
        ...(domain === undefined ? {} : { domain: canonicalHost(domain) }),
      });
    },
  };
}

function dmarcRoutes(app: Api, context: ReportContext): void {
  const plain = resource(app, {
    path: '/v1/dmarc-reports',
    operations: 'dmarcReports',
    tag: 'DMARC reports',
    object: 'dmarc_report',
    schema: dmarcReport,
  });
  plain.list({
    summary: 'List DMARC reports',
    description: 'Returns the DMARC aggregate reports received for your domains, newest first.',
    ...listParts(context, 'dmarc'),
    present: (row) => presentDmarc(row),
  });
  plain.get({
    summary: 'Retrieve a DMARC report',
    description: 'Returns a DMARC aggregate report with its records, each classified by who sent the mail.',
    find: ({ caller, params }) => context.store.reports.report(caller.scope, 'dmarc', params.id),
    present: (row) => presentDmarc(row),
  });
}

function tlsRoutes(app: Api, context: ReportContext): void {
  const plain = resource(app, {
    path: '/v1/tls-reports',
    operations: 'tlsReports',
    tag: 'TLS reports',
    object: 'tls_report',
    schema: tlsReport,
  });
  plain.list({
    summary: 'List TLS reports',
    description: 'Returns the SMTP TLS reports (RFC 8460) received for your inbound domains, newest first.',
    ...listParts(context, 'tls'),
    present: (row) => presentTls(row),
  });
  plain.get({
    summary: 'Retrieve a TLS report',
    description: 'Returns an SMTP TLS report with its records.',
    find: ({ caller, params }) => context.store.reports.report(caller.scope, 'tls', params.id),
    present: (row) => presentTls(row),
  });
}

type SpanQuery = Omit<Static<typeof dmarcSummaryQuery>, 'group_by'>;

/** Refused with `validation_error`. */
function readSpan(query: SpanQuery, now: number): SumSpan {
  const dayAt = (name: 'from' | 'to'): number | null => {
    const text = query[name];
    return text === undefined ? null : Math.floor(readInstant(name, text) / DAY_MS);
  };
  const end = dayAt('to') ?? Math.floor(now / DAY_MS) + 1;
  const from = dayAt('from') ?? end - DEFAULT_DAYS;
  if (from >= end) throw invalidFields([{ path: 'from', message: 'must be before `to`' }]);
  if (end - from > MOST_DAYS) {
    throw invalidFields([{ path: 'from', message: `must be at most ${MOST_DAYS} days before \`to\`` }]);
  }
  return {
    from,
    to: end - 1,
    domain: query.domain === undefined ? null : canonicalHost(query.domain),
    includesUnauthenticated: query.include_unauthenticated ?? false,
  };
}

const dateOf = (day: number): string => iso(day * DAY_MS).slice(0, 10);

function presentSpan(span: SumSpan) {
  return {
    from: iso(span.from * DAY_MS),
    to: iso((span.to + 1) * DAY_MS),
  };
}

function spokenSpan({ domain, from, to }: SumSpan) {
  return { domain, firstDay: dateOf(from), lastDay: dateOf(to) };
}

function dmarcSummaryRoute(app: Api, { store, clock }: ReportContext): void {
  app.get(
    '/v1/dmarc-reports/summary',
    {
      schema: {
        operationId: 'dmarcReports.summary',
        tags: dmarcTags,
        summary: 'Summarize DMARC reports',
        description:
          'Returns totals of the DMARC reports for a period, optionally grouped, with a summary in plain sentences. Defaults to the last 30 days. Reports that do not prove their sender are omitted unless `include_unauthenticated` is `true`.',
        querystring: dmarcSummaryQuery,
        response: { 200: dmarcSummary },
      },
    },
    async (request): Promise<DmarcSummaryWire> => {
      const { scope } = request.caller;
      const { group_by: group } = request.query;
      const span = readSpan(request.query, clock());
      const sources = await store.reportSums.dmarcCounts(scope, span, 'source');
      const counts =
        group === undefined || group === 'source'
          ? sources
          : await store.reportSums.dmarcCounts(scope, span, group);
      const groups = group === undefined ? [] : dmarcGroups(counts, group);
      const { messages, classes, dispositions } = dmarcTotals(sources);
      const shown = groups.slice(0, group === 'day' ? MOST_DAYS : MOST_GROUPS);
      return {
        object: 'dmarc_summary',
        ...presentSpan(span),
        messages,
        classes,
        dispositions,
        groups: await presentGroups(store, scope, span, { group, groups: shown }),
        has_more_groups: groups.length > shown.length,
        sentences: dmarcSentences(sources, spokenSpan(span)),
      };
    },
  );
}

async function presentGroups(
  store: ReportContext['store'],
  scope: Scope,
  span: SumSpan,
  { group, groups }: { group: DmarcGroup | undefined; groups: readonly DmarcGroupTotals[] },
): Promise<DmarcSummaryWire['groups']> {
  const sent = await sentBy(store, scope, span, { group, groups });
  return groups.map(({ key, reasons, ...totals }) => ({
    key: group === 'day' ? dateOf(Number(key)) : key,
    ...totals,
    reasons: reasons as DmarcSummaryWire['groups'][number]['reasons'], // the column holds what was classified
    sent: sent.get(key) ?? null,
  }));
}

/** Mails that left in the span by day, or by reporter as far as its provider is counted. */
async function sentBy(
  { statistics, groupStatistics }: ReportContext['store'],
  scope: Scope,
  { from, to }: SumSpan,
  { group, groups }: { group: DmarcGroup | undefined; groups: readonly DmarcGroupTotals[] },
): Promise<Map<string, number>> {
  const sent = new Map<string, number>();
  const counted = {
    environmentId: scope.environmentId,
    subTenantKey: scope.subTenantId ?? ALL_TENANTS,
    from,
    to,
    type: null,
  };
  if (group === 'day') {
    for (const [day, sums] of await statistics.days(counted)) sent.set(String(day), sums.sent);
  }
  if (group === 'reporter') {
    const providers = await groupStatistics.groups(counted, 'provider', scope.workspaceId);
    const byProvider = new Map(providers.map(({ value, sums }) => [value, sums.sent]));
    const known = await statistics.providers(groups.map(({ key }) => key));
    for (const { key } of groups) {
      const names = providersOfReporter(key) ?? [known.get(key) ?? ''];
      const numbers = names.flatMap((name) => byProvider.get(name) ?? []);
      if (numbers.length > 0)
        sent.set(
          key,
          numbers.reduce((sum, n) => sum + n, 0),
        );
    }
  }
  return sent;
}

function tlsSummaryRoute(app: Api, { store, clock }: ReportContext): void {
  app.get(
    '/v1/tls-reports/summary',
    {
      schema: {
        operationId: 'tlsReports.summary',
        tags: tlsTags,
        summary: 'Summarize TLS reports',
        description:
          'Returns totals of the TLS reports for a period, optionally grouped, with a summary in plain sentences. Defaults to the last 30 days. Reports that do not prove their sender are omitted unless `include_unauthenticated` is `true`.',
        querystring: tlsSummaryQuery,
        response: { 200: tlsSummary },
      },
    },
    async (request): Promise<TlsSummaryWire> => {
      const { scope } = request.caller;
      const { group_by: group } = request.query;
      const span = readSpan(request.query, clock());
      const [all] = await store.reportSums.tlsCounts(scope, span, null);
      const counts = group === undefined ? [] : await store.reportSums.tlsCounts(scope, span, group);
      const sorted = [...counts].sort((a, b) =>
        group === 'day' ? Number(a.key) - Number(b.key) : b.failures - a.failures || b.sessions - a.sessions,
      );
      const shown = sorted.slice(0, group === 'day' ? MOST_DAYS : MOST_GROUPS);
      const totals = { sessions: all?.sessions ?? 0, failures: all?.failures ?? 0 };
      return {
        object: 'tls_summary',
        ...presentSpan(span),
        ...totals,
        groups: shown.map(({ key, sessions, failures }) => ({
          key: group === 'day' ? dateOf(Number(key)) : key,
          sessions,
          failures,
        })),
        has_more_groups: sorted.length > shown.length,
        sentences: tlsSentences(totals, spokenSpan(span)),
      };
    },
  );
}
