import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  buildTlsReport,
  readTlsReportRecords,
  tlsReportFilename,
  tlsReportMail,
  type TlsReportDestination,
  type TlsSessionCount,
} from '../../../src/lib/tls-policy/tls-report.rules.js';
import { anyText } from '../../support/any-text.js';

/** 2026-01-01 */
const DAY = 20_454;
const STS = {
  strings: ['version: STSv1', 'mode: testing', 'mx: *.mail.there.test', 'max_age: 86400'],
  mx: ['*.mail.there.test'],
};
const TLSA = { strings: ['3 1 1 00FF'], mx: ['mx1.there.test'] };

const count = (fields: Partial<TlsSessionCount>): TlsSessionCount => ({
  policyType: 'sts',
  policy: STS,
  resultType: 'success',
  mxHost: '',
  sendingIp: '',
  receivingIp: '',
  detail: '',
  sessions: 1,
  ...fields,
});

const reportOf = (counts: readonly TlsSessionCount[]) =>
  buildTlsReport({
    organization: 'Here',
    contact: 'postmaster@here.test',
    reportId: 'abc@here.test',
    domain: 'there.test',
    day: DAY,
    counts,
  });

describe('the report', () => {
  it('has the fields of RFC 8460 section 4, with counts for each policy', () => {
    const report = reportOf([
      count({ sessions: 5326 }),
      count({
        resultType: 'certificate-expired',
        mxHost: 'mx1.there.test',
        sendingIp: '2001:db8::1',
        sessions: 100,
      }),
      count({
        resultType: 'validation-failure',
        mxHost: 'mx2.there.test',
        sendingIp: '198.51.100.7',
        receivingIp: '203.0.113.58',
        detail: 'handshake failure',
        sessions: 3,
      }),
      count({ policyType: 'tlsa', policy: TLSA, sessions: 7 }),
      count({ policyType: 'no-policy-found', policy: null, sessions: 2 }),
    ]);
    expect(report).toEqual({
      'organization-name': 'Here',
      'date-range': { 'start-datetime': '2026-01-01T00:00:00Z', 'end-datetime': '2026-01-01T23:59:59Z' },
      'contact-info': 'postmaster@here.test',
      'report-id': 'abc@here.test',
      policies: [
        {
          policy: {
            'policy-type': 'sts',
            'policy-string': STS.strings,
            'policy-domain': 'there.test',
            'mx-host': ['*.mail.there.test'],
          },
          summary: { 'total-successful-session-count': 5326, 'total-failure-session-count': 103 },
          'failure-details': [
            {
              'result-type': 'certificate-expired',
              'sending-mta-ip': '2001:db8::1',
              'receiving-mx-hostname': 'mx1.there.test',
              'failed-session-count': 100,
            },
            {
              'result-type': 'validation-failure',
              'sending-mta-ip': '198.51.100.7',
              'receiving-mx-hostname': 'mx2.there.test',
              'receiving-ip': '203.0.113.58',
              'failed-session-count': 3,
              'failure-reason-code': 'handshake failure',
            },
          ],
        },
        {
          policy: {
            'policy-type': 'tlsa',
            'policy-string': ['3 1 1 00FF'],
            'policy-domain': 'mx1.there.test',
          },
          summary: { 'total-successful-session-count': 7, 'total-failure-session-count': 0 },
        },
        {
          policy: { 'policy-type': 'no-policy-found', 'policy-domain': 'there.test' },
          summary: { 'total-successful-session-count': 2, 'total-failure-session-count': 0 },
        },
      ],
    });
  });

  it('counts every session once, in any mix', () => {
    const counts = fc.array(
      fc.record({
        policyType: fc.constantFrom('sts' as const, 'tlsa' as const, 'no-policy-found' as const),
        policy: fc.constantFrom(STS, TLSA, null),
        resultType: fc.constantFrom('success', 'certificate-expired', 'starttls-not-supported'),
        sessions: fc.integer({ min: 1, max: 1000 }),
      }),
    );
    fc.assert(
      fc.property(counts, (mix) => {
        const { policies } = reportOf(mix.map(count));
        const failures = policies.flatMap((one) => one['failure-details'] ?? []);
        const failed = failures.reduce((sum, one) => sum + one['failed-session-count'], 0);
        const summed = (key: 'total-successful-session-count' | 'total-failure-session-count') =>
          policies.reduce((sum, { summary }) => sum + summary[key], 0);
        expect(summed('total-failure-session-count')).toBe(failed);
        expect(summed('total-successful-session-count') + failed).toBe(
          mix.reduce((sum, one) => sum + one.sessions, 0),
        );
      }),
    );
  });
});

const mailto = (address: string, uri = `mailto:${address}`): TlsReportDestination => ({
  kind: 'mailto',
  uri,
  address,
});
const https = (url: string, uri = url): TlsReportDestination => ({ kind: 'https', uri, url });

describe('the record', () => {
  it.each<[string, string[], TlsReportDestination[]]>([
    ['a mailbox', ['v=TLSRPTv1; rua=mailto:tls@there.test'], [mailto('tls@there.test')]],
    ['no blank, and an end', ['v=TLSRPTv1;rua=mailto:tls@there.test;'], [mailto('tls@there.test')]],
    ['a page', ['v=TLSRPTv1; rua=https://there.test/v1/tlsrpt'], [https('https://there.test/v1/tlsrpt')]],
    [
      'both, with blanks',
      ['v=TLSRPTv1 ; rua=https://there.test/r , mailto:tls@there.test'],
      [https('https://there.test/r'), mailto('tls@there.test')],
    ],
    ['other records beside it', ['v=spf1 -all', 'v=TLSRPTv1;rua=mailto:a@b.test', 'x'], [mailto('a@b.test')]],
    ['an extension', ['v=TLSRPTv1; ext=1; rua=mailto:a@b.test; y=2'], [mailto('a@b.test')]],
    [
      'escapes and fields in the URI',
      ['v=TLSRPTv1; rua=mailto:tls%2Brpt@b.test?subject=x'],
      [mailto('tls+rpt@b.test', 'mailto:tls%2Brpt@b.test?subject=x')],
    ],
    [
      'an upper-case scheme',
      ['v=TLSRPTv1; rua=HTTPS://There.test/X#part'],
      [https('https://there.test/X', 'HTTPS://There.test/X#part')],
    ],
    ['a destination named twice', ['v=TLSRPTv1;rua=mailto:a@b.test,mailto:a@b.test'], [mailto('a@b.test')]],
    ['an unusable one beside it', ['v=TLSRPTv1;rua=ftp://b.test,mailto:a@b.test'], [mailto('a@b.test')]],
  ])('names its destinations: %s', (_name, records, destinations) => {
    expect(readTlsReportRecords(records)).toEqual({ kind: 'destinations', destinations });
  });

  it.each<[string, string[]]>([
    ['no record', []],
    ['two records', ['v=TLSRPTv1;rua=mailto:a@b.test', 'v=TLSRPTv1;rua=mailto:c@b.test']],
    ['another version', ['v=TLSRPTv2;rua=mailto:a@b.test']],
    ['another case', ['v=tlsrptv1;rua=mailto:a@b.test']],
    ['the version only', ['v=TLSRPTv1']],
    ['no rua', ['v=TLSRPTv1; ruf=mailto:a@b.test']],
    ['http', ['v=TLSRPTv1;rua=http://b.test/']],
    ['a password', ['v=TLSRPTv1;rua=https://u:p@b.test/']],
    ['no mailbox', ['v=TLSRPTv1;rua=mailto:b.test']],
    ['two mailboxes in one URI', ['v=TLSRPTv1;rua=mailto:a@b.test%2Cc@d.test']],
    ['a line break in the mailbox', ['v=TLSRPTv1;rua=mailto:a%0d%0aBcc%3a@b.test']],
    ['a broken escape', ['v=TLSRPTv1;rua=mailto:a%E0@b.test']],
    ['a monstrous record', [`v=TLSRPTv1;rua=mailto:a@b.test;x=${'y'.repeat(5000)}`]],
  ])('requests nothing: %s', (_name, records) => {
    expect(readTlsReportRecords(records)).toMatchObject({ kind: 'none' });
  });

  it('names five destinations at most', () => {
    const uris = Array.from({ length: 9 }, (_, i) => `mailto:a${i}@b.test`);
    const read = readTlsReportRecords([`v=TLSRPTv1;rua=${uris.join(',')}`]);
    expect(read.kind === 'destinations' && read.destinations.map((one) => one.uri)).toEqual(uris.slice(0, 5));
  });

  it('is parsed without throwing, for any content', () => {
    fc.assert(
      fc.property(fc.array(anyText().map((text) => `v=TLSRPTv1;rua=${text}`)), (records) => {
        const read = readTlsReportRecords(records);
        if (read.kind === 'none') return;
        for (const one of read.destinations) {
          if (one.kind === 'https') expect(one.url.startsWith('https://')).toBe(true);
          else expect(one.address).not.toMatch(/[\s<>,;]/);
        }
      }),
    );
  });
});

describe('the report mail', () => {
  const input = {
    domain: 'there.test',
    day: DAY,
    reportId: 'abc@mail.here.test',
    submitter: 'mail.here.test',
  };

  it('has names, addresses and labels according to RFC 8460 section 5', () => {
    const gzip = Buffer.from('packed');
    const mail = tlsReportMail({ ...input, to: 'tls@there.test', gzip });
    const filename = 'mail.here.test!there.test!1767225600!1767311999!abc.json.gz';
    expect(mail).toMatchObject({
      from: 'postmaster@mail.here.test',
      to: 'tls@there.test',
      subject: 'Report Domain: there.test Submitter: mail.here.test Report-ID: <abc@mail.here.test>',
      headers: [
        ['TLS-Report-Domain', 'there.test'],
        ['TLS-Report-Submitter', 'mail.here.test'],
      ],
      attachment: { filename, contentType: `application/tlsrpt+gzip; name="${filename}"`, content: gzip },
    });
    expect(mail.text).toContain('2026-01-01');
  });

  it('has a file name without invalid characters', () => {
    const reportId = `${createHash('sha256').update('x').digest('hex')}@here.test`;
    expect(tlsReportFilename({ ...input, reportId })).toMatch(/^[a-z0-9.!-]+\.json\.gz$/);
  });
});
