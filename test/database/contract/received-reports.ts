// Contract of reports about Mailkeel's domains: stored once, aggregated in their scope, and deleted by age. Strangers cannot use
// up the space of genuine reporters.
import { describe, expect, it } from 'vitest';
import {
  SUMS_A_DAY,
  SUMS_A_REPORT,
  SUMS_AN_ORGANIZATION,
} from '../../../src/inbound/reports/report-keeping.rules.js';
import type { DmarcGroup } from '../../../src/inbound/reports/report-groups.rules.js';
import { OPERATOR_WORKSPACE } from '../../../src/accounts/operator.rules.js';
import { newId } from '../../../src/lib/runtime/index.js';
import type { Scope } from '../../../src/database/scope.js';
import { reportsAbout } from '../../support/received-reports.js';
import { type Bench, DAY, newWorld, NOW } from './builders.js';
import type { Change } from '../../../src/database/change.js';
import { takeReport } from '../../../src/inbound/reports/apply-report.store.js';

const DOMAIN = 'shop.example';
const DAY_MS = 86_400_000;
const YESTERDAY = DAY - 1;
const span = { from: YESTERDAY, to: YESTERDAY, domain: DOMAIN, includesUnauthenticated: false };

interface TlsWish {
  failed: number;
  succeeded: number;
  isAuthenticated: boolean;
  type: string;
}

interface Wish {
  reporter: string;
  /** Hexadecimal. */
  id: string;
  sources: number;
  isAuthenticated?: boolean;
}

/** A report with mail from each of `sources` new sources. */
function reportOf(scope: Scope, { reporter, id, sources, isAuthenticated = true }: Wish): Change {
  const [dmarc] = reportsAbout(DOMAIN, scope, NOW);
  const [sum] = dmarc?.dmarc ?? [];
  if (!dmarc || !sum) throw new Error('There is no report to begin with.');
  const authenticated = isAuthenticated ? 1 : 0;
  return takeReport({
    ...dmarc,
    report: { ...dmarc.report, id: newId('rpt', NOW), reporter, authenticated, dedupe_key: id },
    dmarc: Array.from({ length: sources }, (_, n) => ({
      ...{ ...sum, reporter, authenticated, messages: 1 },
      source_ip: `2001:db8:${id}::${n.toString(16)}`,
    })),
  });
}

export function receivedReportContract(given: () => Bench): void {
  describe('reports about this server', () => {
    const counted = async (scope: Scope, group: DmarcGroup, includesUnauthenticated = false) => {
      const counts = await given().store.reportSums.dmarcCounts(
        scope,
        { ...span, includesUnauthenticated },
        group,
      );
      return new Map(counts.map(({ key, messages }) => [key, messages]));
    };

    it('are taken once, listed without their records, and forgotten by age', async () => {
      const { store } = given();
      const { live, test } = await newWorld(store);
      const reports = reportsAbout(DOMAIN, live, NOW);
      await store.commit(reports.map(takeReport));
      await store.commit(
        reports.map((taken) => takeReport({ ...taken, report: { ...taken.report, id: newId('rpt', NOW) } })),
      );
      const page = { limit: 10, after: null };
      const { rows } = await store.reports.reports(live, page, { kind: 'dmarc', domain: DOMAIN });
      expect(rows).toMatchObject([{ domain: DOMAIN, total: 41_200, records: '' }]);
      const id = rows[0]?.id ?? '';
      expect(await store.reports.report(live, 'dmarc', id)).toMatchObject({ id, problems: 37 });
      expect(await store.reports.report(live, 'tls', id)).toBeNull();
      expect(await store.reports.report(test, 'dmarc', id)).toBeNull();
      expect(await counted(live, 'source')).toEqual(
        new Map([
          ['192.0.2.80', 41_163],
          ['203.0.113.7', 37],
        ]),
      );
      expect(await counted(test, 'source')).toEqual(new Map());
      const byResult = await store.reportSums.tlsCounts(live, span, 'result');
      expect(byResult.sort((a, b) => a.failures - b.failures)).toEqual([
        { key: 'success', sessions: 900, failures: 0 },
        { key: 'certificate-expired', sessions: 3, failures: 3 },
      ]);
      expect(await store.reports.isKnown(live.environmentId, `dmarc ${DOMAIN}`)).toBe(true);
      expect(await store.reports.prune(NOW + 1, 100)).toBe(2);
      expect(await store.reportSums.pruneDmarc(YESTERDAY * DAY_MS, 100)).toBe(0);
      expect(await store.reportSums.pruneDmarc(DAY * DAY_MS, 100)).toBe(1);
      expect(await store.reportSums.pruneTls(DAY * DAY_MS, 100)).toBe(1);
      expect(await store.reports.isKnown(live.environmentId, `dmarc ${DOMAIN}`)).toBe(false);
      expect(await counted(live, 'source')).toEqual(new Map());
    });

    it('name the failures of the operator’s own domains, each reporter evaluated separately', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const { live: operator } = await newWorld(store, OPERATOR_WORKSPACE);
      const at = (scope: Scope, domain: string, reporter: string, change: Partial<TlsWish>): Change[] => {
        const [, tls] = reportsAbout(domain, scope, NOW);
        const [sum] = tls?.tls ?? [];
        if (!tls || !sum) throw new Error('There is no report to begin with.');
        const { failed = 0, succeeded = 0, isAuthenticated = true, type = 'certificate-expired' } = change;
        const authenticated = isAuthenticated ? 1 : 0;
        const row = { ...sum, reporter, authenticated } as const;
        return [
          takeReport({
            ...tls,
            report: {
              ...tls.report,
              ...{ id: newId('rpt', NOW), reporter, authenticated },
              dedupe_key: `${domain} ${reporter} ${type} ${authenticated}`,
            },
            tls: [
              { ...row, result_type: 'success', sessions: succeeded },
              { ...row, result_type: type, sessions: failed },
            ],
          }),
        ];
      };
      const [mx, other] = ['mx.operator.example', 'in.operator.example'];
      await store.commit([
        ...at(operator, mx, 'a.example', { succeeded: 80, failed: 20 }),
        ...at(operator, mx, 'a.example', { failed: 5, type: 'starttls-not-supported' }),
        ...at(operator, mx, 'b.example', { succeeded: 1_000_000, failed: 15 }),
        ...at(operator, mx, 'c.example', { failed: 9 }),
        ...at(operator, mx, 'd.example', { failed: 900, isAuthenticated: false }),
        ...at(operator, other, 'a.example', { succeeded: 7 }),
        // Beyond the limit of sums, invented successes of one reporter must not hide another's report.
        ...at(operator, 'flooded.operator.example', '', { succeeded: 1_000_000_000, failed: 12 }),
        ...at(live, 'mx.customer.example', 'a.example', { failed: 500 }),
        ...at({ ...operator, subTenantId: 'tnt_1' }, 'mx.tenant.example', 'a.example', { failed: 500 }),
      ]);
      const days = { from: DAY - 7, to: DAY + 1, leastFailures: 10, leastPerMille: 20 };
      const { tls } = await store.reportFacts(days, 'operator.example');
      expect(tls.filter(({ domain }) => domain.endsWith('operator.example'))).toEqual([
        {
          ...{ domain: mx, total: 1_000_129, failed: 49 },
          reporters: [
            {
              ...{ reporter: 'a.example', total: 105, failed: 25, lastDay: YESTERDAY },
              causes: [
                { name: 'certificate-expired', failed: 20 },
                { name: 'starttls-not-supported', failed: 5 },
              ],
            },
          ],
        },
        {
          ...{ domain: 'flooded.operator.example', total: 1_000_000_012, failed: 12 },
          reporters: [
            {
              ...{ reporter: '', total: 1_000_000_012, failed: 12, lastDay: YESTERDAY },
              causes: [{ name: 'certificate-expired', failed: 12 }],
            },
          ],
        },
        { domain: other, total: 7, failed: 0, reporters: [] },
      ]);
      expect(tls.map(({ domain }) => domain)).not.toContain('mx.customer.example');
      expect(tls.map(({ domain }) => domain)).not.toContain('mx.tenant.example');
      const later = { ...days, from: DAY + 20, to: DAY + 28 };
      expect((await store.reportFacts(later, 'operator.example')).tls).toEqual([]);
    });

    it('of strangers leave the sources of authenticated reports alone', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const forged = { isAuthenticated: false, sources: SUMS_A_DAY.unauthenticated };
      await store.commit([
        reportOf(live, { ...forged, reporter: 'a.stranger.example', id: 'a' }),
        reportOf(live, { ...forged, reporter: 'b.stranger.example', id: 'b' }),
        reportOf(live, { reporter: 'receiver.example', id: 'c', sources: 20 }),
      ]);
      expect((await counted(live, 'source')).size).toBe(20);
      expect(await counted(live, 'reporter', true)).toEqual(
        new Map([
          ['a.stranger.example', SUMS_A_DAY.unauthenticated],
          ['', SUMS_A_DAY.unauthenticated],
          ['receiver.example', 20],
        ]),
      );
    });

    it('of one organization share its room, regardless of the names it uses', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const names = [
        'mx1.receiver.example',
        'mx2.receiver.example',
        'receiver.example',
        'not-receiver.example',
      ];
      for (const [n, reporter] of names.entries()) {
        await store.commit([reportOf(live, { reporter, id: String(n), sources: SUMS_A_REPORT })]);
      }
      expect(SUMS_A_REPORT).toBe(SUMS_AN_ORGANIZATION);
      const bySource = await counted(live, 'source');
      expect(bySource.size).toBe(2 * SUMS_AN_ORGANIZATION + 1);
      expect(bySource.get('')).toBe(2 * SUMS_A_REPORT);
      expect(await counted(live, 'reporter')).toEqual(
        new Map([
          ['mx1.receiver.example', SUMS_A_REPORT],
          ['receiver.example', 2 * SUMS_A_REPORT],
          ['not-receiver.example', SUMS_A_REPORT],
        ]),
      );
    });
  });
}
