// Sums failures in authenticated reports by domain and reporter. Each reporter is judged separately, and those beyond the limit
// by their failures alone, so that invented successes hide nothing. Anyone with a domain can report failures that did not happen.
import { OPERATOR_WORKSPACE } from '../../accounts/operator.rules.js';
import type { Engine, Value } from '../../database/engine/engine.js';
import { inList, likeSuffix, rowsAs } from '../../database/sql.js';
import type { FailureSpan, ReportedDomain, ReportFacts } from './preflight-reports.rules.js';

/** Limits the domains in one result, those with the most failures first, and the reporters of all of them. */
const MAX_DOMAINS = 20;
const MAX_REPORTERS = 100;
const MAX_CAUSES = 500;

interface Sums {
  table: string;
  total: string;
  failed: string;
  cause: string;
  /** Condition for the rows that count. */
  only: string;
}

const TLS: Sums = {
  table: 'tls_sums',
  total: 'sessions',
  failed: `CASE WHEN result_type = 'success' THEN 0 ELSE sessions END`,
  cause: 'result_type',
  only: '1 = 1',
};
const DMARC: Sums = {
  table: 'dmarc_sums',
  total: 'messages',
  failed: `CASE WHEN class = 'ours_not_aligned' THEN messages ELSE 0 END`,
  cause: 'reason',
  only: `class IN ('ours_aligned', 'ours_not_aligned')`,
};

const from = ({ table, only }: Sums): string => `FROM ${table}
  WHERE environment_id = (SELECT e.id FROM environments e JOIN workspaces w ON w.id = e.workspace_id
    WHERE w.number = ? AND e.mode = 'live')
  AND day >= ? AND day <= ? AND authenticated = 1 AND sub_tenant_key = '' AND ${only}`;
const domainsOf = (sums: Sums): string =>
  `SELECT domain, SUM(${sums.total}) AS total, SUM(${sums.failed}) AS failed ${from(sums)}
   GROUP BY domain ORDER BY failed DESC, domain LIMIT ${MAX_DOMAINS}`;
const reportersOf = (sums: Sums, domains: string): string =>
  `SELECT domain, reporter, SUM(${sums.total}) AS total, SUM(${sums.failed}) AS failed,
     MAX(CASE WHEN ${sums.failed} > 0 THEN day END) AS last_day
   ${from(sums)} AND domain IN (${domains}) GROUP BY domain, reporter
   HAVING SUM(${sums.failed}) >= ? AND (reporter = '' OR SUM(${sums.failed}) * 1000 >= SUM(${sums.total}) * ?)
   ORDER BY failed DESC, reporter LIMIT ${MAX_REPORTERS}`;
const causesOf = (sums: Sums, domains: string, reporters: string): string =>
  `SELECT domain, reporter, ${sums.cause} AS cause, SUM(${sums.failed}) AS failed
   ${from(sums)} AND domain IN (${domains}) AND reporter IN (${reporters}) AND ${sums.failed} > 0
   GROUP BY domain, reporter, ${sums.cause} ORDER BY failed DESC, cause LIMIT ${MAX_CAUSES}`;
const OUTSIDE = `SELECT identity AS domain FROM senders WHERE kind = 'domain' AND status = 'verified'
    AND deleted_at IS NULL AND identity <> ? AND identity NOT LIKE ?
  UNION ALL SELECT sending_domain AS domain FROM sub_tenants WHERE status = 'verified'
    AND deleted_at IS NULL AND sending_domain <> ? AND sending_domain NOT LIKE ?
  LIMIT 1`;

/** PostgreSQL returns sums as text. */
interface DomainRow {
  domain: string;
  total: number | string;
  failed: number | string;
}

interface ReporterRow extends DomainRow {
  reporter: string;
  last_day: number | null;
}

interface CauseRow extends Omit<DomainRow, 'total'> {
  reporter: string;
  cause: string;
}

/**
 * Returns at most 20 domains of each kind. Domains of sub-tenants and other workspaces are left to their owners. `organization`
 * is the domain, in lower case, whose reports need no permission.
 */
export async function reportFacts(
  engine: Engine,
  span: FailureSpan,
  organization: string,
): Promise<ReportFacts> {
  const [tls, dmarc, domainOutside] = await Promise.all([
    readFailures(engine, TLS, span),
    readFailures(engine, DMARC, span),
    verifiedDomainOutside(engine, organization),
  ]);
  return { tls, dmarc, domainOutside };
}

async function readFailures(engine: Engine, sums: Sums, span: FailureSpan): Promise<ReportedDomain[]> {
  const where: Value[] = [OPERATOR_WORKSPACE, span.from, span.to];
  const summed = await rowsAs<DomainRow>(engine.rows(domainsOf(sums), where));
  const domains = summed.map(({ domain, total, failed }): ReportedDomain => ({
    domain,
    total: Number(total),
    failed: Number(failed),
    reporters: [],
  }));
  const failing = inList(domains.filter(({ failed }) => failed > 0).map(({ domain }) => domain));
  if (failing.values.length === 0) return domains;
  const threshold = [span.leastFailures, span.leastPerMille];
  const rows = await rowsAs<ReporterRow>(
    engine.rows(reportersOf(sums, failing.marks), [...where, ...failing.values, ...threshold]),
  );
  if (rows.length === 0) return domains;
  const reporters = inList([...new Set(rows.map(({ reporter }) => reporter))]);
  const causes = await rowsAs<CauseRow>(
    engine.rows(causesOf(sums, failing.marks, reporters.marks), [
      ...where,
      ...failing.values,
      ...reporters.values,
    ]),
  );
  for (const { domain, reporter, total, failed, last_day } of rows) {
    domains
      .find((one) => one.domain === domain)
      ?.reporters.push({
        reporter,
        total: Number(total),
        failed: Number(failed),
        lastDay: last_day ?? 0,
        causes: causes
          .filter((one) => one.domain === domain && one.reporter === reporter)
          .map((one) => ({ name: one.cause, failed: Number(one.failed) })),
      });
  }
  return domains;
}

/** Returns a verified domain that is neither `organization` nor below it, or `null`. */
async function verifiedDomainOutside(engine: Engine, organization: string): Promise<string | null> {
  const values = [organization, likeSuffix(`.${organization}`)];
  const [row] = await rowsAs<{ domain: string }>(engine.rows(OUTSIDE, [...values, ...values]));
  return row?.domain ?? null;
}
