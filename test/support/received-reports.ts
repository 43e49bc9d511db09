// Inserts reports about a domain: one of each kind, of yesterday, about two sources.
import { newId } from '../../src/lib/runtime/index.js';
import type { Scope } from '../../src/database/scope.js';
import type { TakeReport } from '../../src/inbound/reports/apply-report.store.js';

const DAY_MS = 86_400_000;

export function reportsAbout(domain: string, scope: Scope, now: number): TakeReport[] {
  const day = Math.floor(now / DAY_MS) - 1;
  const reporter = `reports.${domain}`;
  const row = (kind: 'dmarc' | 'tls', records: readonly object[], total: number, problems: number) => ({
    ...{ id: newId('rpt', now), environment_id: scope.environmentId, sub_tenant_id: scope.subTenantId },
    ...{
      kind,
      domain,
      org_name: 'Example Mail',
      reporter,
      report_id: `${domain}.1`,
      authenticated: 1 as const,
    },
    ...{ begins_at: day * DAY_MS, ends_at: (day + 1) * DAY_MS - 1_000, total, problems },
    policy: kind === 'dmarc' ? JSON.stringify({ p: 'none' }) : '{}',
    ...{ records: JSON.stringify(records), records_left_out: 0 },
    ...{ dedupe_key: `${kind} ${domain}`, created_at: now },
  });
  const key = {
    ...{ environment_id: scope.environmentId, day, domain, sub_tenant_key: scope.subTenantId ?? '' },
    ...{ reporter, authenticated: 1 as const },
  };
  const record = {
    ...{ disposition: 'none', spf: 'pass', reasons: [], header_from: domain, envelope_from: domain },
    auth_spf: { domain, result: 'pass' },
  };
  const ours = { ...record, source_ip: '192.0.2.80', count: 41_163, class: 'ours_aligned', reason: null };
  const signature = { domain, selector: 'ph1', result: 'pass' };
  const policy = { policy_domain: domain, policy_type: 'sts' };
  return [
    {
      report: row('dmarc', [{ ...ours, dkim: 'pass', auth_dkim: [signature] }], 41_200, 37),
      dmarc: [
        {
          ...key,
          source_ip: '192.0.2.80',
          class: 'ours_aligned',
          reason: '',
          disposition: 'none',
          messages: 41_163,
        },
        { ...key, source_ip: '203.0.113.7', class: 'foreign', reason: '', disposition: 'none', messages: 37 },
      ],
      tls: [],
    },
    {
      report: row(
        'tls',
        [
          { ...policy, result_type: 'success', mx_host: '', sending_ip: '', sessions: 900 },
          {
            ...policy,
            result_type: 'certificate-expired',
            mx_host: 'mx.example',
            sending_ip: '203.0.113.9',
            sessions: 3,
          },
        ],
        903,
        3,
      ),
      dmarc: [],
      tls: [
        { ...key, policy_type: 'sts', result_type: 'success', mx_host: '', sessions: 900 },
        {
          ...key,
          policy_type: 'sts',
          result_type: 'certificate-expired',
          mx_host: 'mx.example',
          sessions: 3,
        },
      ],
    },
  ];
}
