// Tests the conclusions of the preflight checks of incoming DMARC and TLS reports, and of the record that permits them.
import { describe, expect, it } from 'vitest';
import type { DnsAnswer } from '../../src/lib/dns-answers/index.js';
import {
  judgeReportPermission,
  judgeReports,
  permissionProbe,
  reportedDays,
  reportOrganization,
  type ReportedDomain,
} from '../../src/operations/preflight/preflight-reports.rules.js';

const DAY = Math.floor(Date.UTC(2026, 10, 20) / 86_400_000);
const domain = (reporters: ReportedDomain['reporters']): ReportedDomain => ({
  ...{ domain: 'mx.x.test', total: 1_200, failed: 30 },
  reporters,
});
const reporter = (name: string, cause: string): ReportedDomain['reporters'][number] => ({
  ...{ reporter: name, total: 40, failed: 12, lastDay: DAY },
  causes: [{ name: cause, failed: 12 }],
});

describe("reports about Mailkeel's mail", () => {
  it('pass if there are none, or if failures stay below the threshold', () => {
    expect(judgeReports({ tls: [], dmarc: [] })).toMatchObject([
      { name: 'tls_reports', subject: null, status: 'pass', observed: 'no TLS reports in the last 7 days' },
      { name: 'dmarc_reports', subject: null, status: 'pass' },
    ]);
    expect(judgeReports({ tls: [domain([])], dmarc: [] })[0]).toMatchObject({
      subject: 'mx.x.test',
      status: 'pass',
      observed: '30 of 1,200 TLS sessions failed',
      remedy: null,
    });
  });

  it('warn with the numbers, the receivers and next steps', () => {
    const [tls] = judgeReports({ tls: [domain([reporter('google.com', 'certificate-expired')])], dmarc: [] });
    expect(tls).toMatchObject({
      status: 'warn',
      observed:
        '30 of 1,200 TLS sessions failed: google.com 12 of 40 (certificate-expired), most recently on 2026-11-20',
      remedy:
        'The certificate has expired. See the certificate check, and renew it. This warning clears 7 days after the last failure.',
    });
    const [, dmarc] = judgeReports({ tls: [], dmarc: [domain([reporter('google.com', 'dkim_failed')])] });
    expect(dmarc).toMatchObject({ name: 'dmarc_reports', status: 'warn' });
    expect(dmarc?.observed).toContain(
      '30 of 1,200 messages from this server failed DMARC: google.com 12 of 40',
    );
    expect(dmarc?.remedy).toContain('DKIM record');
  });

  it('name three reporters and the number of others, and have advice for unknown failure types', () => {
    const names = ['a.test', 'b.test', '', 'd.test', 'e.test'];
    const [tls] = judgeReports({ tls: [domain(names.map((name) => reporter(name, 'made-up')))], dmarc: [] });
    expect(tls?.observed).toContain('reporters not tracked individually 12 of 40');
    expect(tls?.observed).toContain(', and 2 more reporters');
    expect(tls?.observed).not.toContain('d.test');
    expect(tls?.remedy).toContain('summary of TLS reports by result');
  });

  it("count seven days back, including today's reports", () => {
    expect(reportedDays(DAY * 86_400_000 + 5)).toMatchObject({ from: DAY - 7, to: DAY + 1 });
  });
});

describe('the record that permits DMARC reports', () => {
  const found = (...records: string[]): DnsAnswer<string> => ({ kind: 'found', records });
  it.each<[string, DnsAnswer<string>, string | null | undefined, string]>([
    ['is there', found('v=DMARC1'), 'shop.test', 'pass'],
    ['names an address', found('other', 'v=DMARC1; rua=mailto:x@x.test'), 'shop.test', 'pass'],
    ['is another one', found('v=DMARC12'), 'shop.test', 'warn'],
    ['is missing', { kind: 'no_name' }, 'shop.test', 'warn'],
    ['is missing before there is a database', { kind: 'no_data' }, undefined, 'warn'],
    ['is missing and not needed', { kind: 'no_name' }, null, 'pass'],
    ['cannot be looked up', { kind: 'failed', reason: 'servfail' }, null, 'unknown'],
  ])('%s: %s', (_what, answer, outside, status) => {
    const result = judgeReportPermission('Bounce.x.test', answer, outside);
    expect(result.status).toBe(status);
    expect(result.remedy === null).toBe(status === 'pass');
    expect(result.subject).toBe('*._report._dmarc.bounce.x.test');
  });

  it('is looked up by a name that only the wildcard answers, with advice on the record to publish', () => {
    expect(permissionProbe('Bounce.x.test')).toBe('dmarc-check.example._report._dmarc.bounce.x.test');
    expect(judgeReportPermission('bounce.x.test', { kind: 'no_name' }, 'shop.test').remedy).toContain(
      'Publish the TXT record "v=DMARC1" at *._report._dmarc.bounce.x.test. Without it, receivers do not send DMARC reports about shop.test',
    );
    expect(reportOrganization('bounce.mail.x.co.uk')).toBe('x.co.uk');
  });
});
