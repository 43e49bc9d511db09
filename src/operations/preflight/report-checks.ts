// The checks of the reports that others send about us, and of the record that lets them come. Only where inbound mail is taken.
import type { DnsResolver } from '../../lib/dns/resolver.js';
import {
  judgeReportPermission,
  judgeReports,
  permissionQuestion,
  type ReportFacts,
} from './preflight-reports.rules.js';
import type { PreflightSettings } from './settings.js';
import type { Check } from './source-checks.js';

interface ReportCheckDeps {
  resolver: DnsResolver;
  settings: Pick<PreflightSettings, 'bounceDomain' | 'takesMail'>;
  /** Null: there is no database yet. */
  reportFacts: () => Promise<ReportFacts | null>;
}

export function reportChecks({ resolver, settings, reportFacts }: ReportCheckDeps): Check[] {
  const { bounceDomain, takesMail } = settings;
  if (!takesMail) return [];
  const facts = reportFacts();
  // Both checks wait for it; each says so itself when it fails.
  facts.catch(() => undefined);
  return [
    {
      name: 'report_authorization',
      subject: bounceDomain,
      run: async () => {
        const answer = await resolver.txt(permissionQuestion(bounceDomain), { fresh: true });
        return [judgeReportPermission(bounceDomain, answer, (await facts)?.domainOutside)];
      },
    },
    {
      name: 'tls_reports',
      subject: null,
      run: async () => {
        const known = await facts;
        return known === null ? [] : judgeReports(known);
      },
    },
  ];
}
