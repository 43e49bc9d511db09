// Tests reports as providers write them, and reports built to exhaust or deceive the reader.
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { DmarcReport } from '../../../src/lib/reports/dmarc-report.js';
import { readMailedReport } from '../../../src/lib/reports/mailed-report.js';
import { REPORT_LIMITS } from '../../../src/lib/reports/report-limits.js';
import {
  dmarcXml,
  gzipped,
  tlsJson,
  zipOf,
  zipped,
  type AttachedReport,
} from '../../support/mailed-reports.js';
import { sized } from '../../support/run-size.js';

const FROM = Date.UTC(2026, 10, 20);
const ROW = { ip: '192.0.2.80', count: 7, dkim: 'pass', authDkim: [], headerFrom: 'shop.example' } as const;
const XML = dmarcXml({ domain: 'shop.example', from: FROM, rows: [ROW] });

const read = (report: AttachedReport, limits = REPORT_LIMITS) =>
  readMailedReport(
    { parts: [{ ...report, contentId: null, isInline: false, content: new Uint8Array(report.content) }] },
    limits,
  );
const plain = (content: string | Buffer, type = 'text/xml', filename = 'report.xml'): AttachedReport => ({
  type,
  filename,
  content: Buffer.from(content),
});
const refusalOf = async (report: AttachedReport, limits = REPORT_LIMITS) => {
  const found = await read(report, limits);
  return found.kind === 'refused' ? found.refusal : found.kind;
};
const dmarc = async (report: AttachedReport): Promise<DmarcReport> => {
  const found = await read(report);
  if (found.kind !== 'dmarc') throw new Error(JSON.stringify(found));
  return found;
};

describe('a DMARC report', () => {
  it.each([
    ['gzip', gzipped(XML)],
    ['zip', zipped(XML)],
    ['plain', plain(XML)],
    ['gzip of an unknown type', { ...gzipped(XML), type: 'application/octet-stream' }],
    [
      'zip behind a folder',
      {
        ...zipped(''),
        content: zipOf([
          { name: 'x/', content: Buffer.alloc(0) },
          { name: 'x/a.xml', content: Buffer.from(XML) },
        ]),
      },
    ],
    ['plain with a byte order mark', plain(`\uFEFF${XML}`)],
    ['UTF-16', plain(Buffer.from(`\uFEFF${XML.replace('UTF-8', 'UTF-16')}`, 'utf16le'))],
    ['blank lines first', plain(`\r\n\r\n${XML}`)],
  ])('is parsed: %s', async (_name, report) => {
    expect(await dmarc(report)).toMatchObject({
      org_name: 'google.com',
      report_id: '1234567890',
      domain: 'shop.example',
      from: FROM,
      policy: { p: 'none', sp: 'none', adkim: 'r', aspf: 'r', pct: '100' },
      records: [
        { source_ip: '192.0.2.80', count: 7, dkim: 'pass', spf: 'fail', header_from: 'shop.example' },
      ],
    });
  });

  it('includes all signatures, reasons and the additions of RFC 9990', async () => {
    const xml = dmarcXml({
      domain: 'shop.example',
      from: FROM,
      root: ' xmlns="urn:ietf:params:xml:ns:dmarc-2.0"',
      inside: '<version>1.0</version><extension><x:thing xmlns:x="urn:x">y</x:thing></extension>',
      rows: [
        {
          ...{ ip: '2001:DB8::0:1', count: 2, disposition: 'pass', reason: 'mailing_list' },
          authDkim: [
            { domain: 'Shop.Example.', selector: 's1', result: 'Pass' },
            { domain: 'list.example', result: 'pass' },
          ],
          authSpf: { domain: 'bounce.list.example', result: 'softfail' },
          envelopeFrom: 'bounce.list.example',
        },
      ],
    })
      .replace('</report_metadata>', '<generator>Test 1.0</generator></report_metadata>')
      .replace(
        '</policy_published>',
        '<np>reject</np><testing>n</testing><discovery_method>treewalk</discovery_method></policy_published>',
      );
    const report = await dmarc(plain(xml));
    expect(report.generator).toBe('Test 1.0');
    expect(report.policy).toMatchObject({ np: 'reject', testing: 'n', discovery_method: 'treewalk' });
    expect(report.records).toEqual([
      {
        source_ip: '2001:db8::1',
        count: 2,
        disposition: 'none',
        dkim: 'fail',
        spf: 'fail',
        reasons: ['mailing_list'],
        header_from: 'shop.example',
        envelope_from: 'bounce.list.example',
        auth_dkim: [
          { domain: 'shop.example', selector: 's1', result: 'pass' },
          { domain: 'list.example', selector: '', result: 'pass' },
        ],
        auth_spf: { domain: 'bounce.list.example', result: 'softfail' },
      },
    ]);
  });

  it.each([
    ['of another namespace', XML.replace('<feedback>', '<feedback xmlns="urn:other">')],
    [
      'with a prefix',
      XML.replaceAll(/<(\/?)(?=[a-z])/g, '<$1d:').replace('<d:feedback>', '<d:feedback xmlns:d="urn:x">'),
    ],
    [
      'with elements that leave the namespace',
      XML.replace('<feedback>', '<feedback xmlns="urn:x">').replace(
        '<report_metadata>',
        '<report_metadata xmlns="">',
      ),
    ],
    ['in capitals', XML.replace('<feedback>', '<FEEDBACK>').replace('</feedback>', '</FEEDBACK>')],
    [
      'with an extension that has the names of a report',
      XML.replace(
        '<report_metadata>',
        '<report_metadata><x:org_name xmlns:x="urn:x">evil</x:org_name>',
      ).replace('<row>', '<row><x:count xmlns:x="urn:x">99</x:count>'),
    ],
  ])('is parsed: %s', async (_name, xml) => {
    expect(await dmarc(plain(xml))).toMatchObject({
      org_name: 'google.com',
      records: [{ source_ip: '192.0.2.80', count: 7, header_from: 'shop.example' }],
    });
  });

  it('with missing fields is parsed as far as possible, without rows that lack an address or a number', async () => {
    const rows = [
      { ...ROW, ip: 'nonsense' },
      { ...ROW, count: -4 },
      { ...ROW, count: '0x10' as unknown as number },
      { ...ROW, headerFrom: '' },
    ];
    const xml = dmarcXml({ domain: 'shop.example', from: FROM, rows }).replace(
      /<policy_evaluated>.*?<\/policy_evaluated>/g,
      '',
    );
    expect((await dmarc(plain(xml))).records).toMatchObject([
      { header_from: 'shop.example', disposition: 'none', dkim: 'fail', spf: 'fail' },
    ]);
  });
});

it('a TLS report is parsed, compressed or not', async () => {
  const json = tlsJson({
    domain: 'In.Platform.Example',
    from: FROM,
    successes: 90,
    failures: [{ type: 'certificate-expired', sessions: 3 }],
  });
  const reports = [
    plain(json, 'application/tlsrpt+json', 'r.json'),
    { type: 'application/tlsrpt+gzip', filename: 'r.json.gz', content: gzipSync(json) },
  ];
  for (const report of reports) {
    expect(await read(report)).toMatchObject({
      kind: 'tls',
      org_name: 'Google Inc.',
      results: [
        { policy_domain: 'in.platform.example', policy_type: 'sts', result_type: 'success', sessions: 90 },
        { result_type: 'certificate-expired', mx_host: 'mx.example', sending_ip: '2001:db8::1', sessions: 3 },
      ],
    });
  }
});

describe('refuses', () => {
  /** Somewhat more than an archive may contain. */
  const LIMITS = {
    ...REPORT_LIMITS,
    unpackedBytes: sized({ small: 2, full: REPORT_LIMITS.unpackedBytes / 1024 ** 2 }) * 1024 ** 2,
  };
  const BOMB = Buffer.alloc(LIMITS.unpackedBytes + sized({ small: 1024, full: 168 * 1024 ** 2 }));
  const METADATA = '<report_metadata><org_name>x</org_name></report_metadata>';
  const prefixed = XML.replace('<feedback>', '<a:feedback xmlns:a="urn:x">').replace(
    '</feedback>',
    '</a:feedback>',
  );

  const laughs = `<?xml version="1.0"?><!DOCTYPE feedback [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><feedback><report_metadata><org_name>&b;</org_name></report_metadata></feedback>`;
  const file = `<?xml version="1.0"?><!DOCTYPE feedback [<!ENTITY x SYSTEM "file:///etc/passwd">]><feedback>&x;</feedback>`;
  const deep = `<feedback>${'<a>'.repeat(100_000)}`;
  const many = dmarcXml({ domain: 'shop.example', from: FROM, rows: Array<typeof ROW>(2_000).fill(ROW) });
  it.each([
    [
      'a mail without a report',
      { type: 'image/png', filename: 'a.png', content: Buffer.from('x') },
      'no_report',
    ],
    ['a gzip bomb', { ...gzipped(''), content: gzipSync(BOMB) }, 'too_large'],
    ['a zip bomb', { ...zipped(''), content: zipOf([{ name: 'a.xml', content: BOMB }]) }, 'too_large'],
    [
      'a zip bomb that lies about its size',
      {
        ...zipped(''),
        content: zipOf([{ name: 'a.xml', content: BOMB, claimedBytes: 10 }]),
      },
      'broken_archive',
    ],
    [
      'an archive of many files',
      {
        ...zipped(''),
        content: zipOf(
          Array.from({ length: 11 }, (_, n) => ({ name: `${n}.xml`, content: Buffer.from(XML) })),
        ),
      },
      'too_many_entries',
    ],
    ['an archive in an archive', { ...gzipped(''), content: gzipSync(gzipSync(XML)) }, 'nested_archive'],
    ['an archive cut short', { ...gzipped(''), content: gzipSync(XML).subarray(0, 100) }, 'broken_archive'],
    ['a zip of nothing', { ...zipped(''), content: Buffer.from('PK\x03\x04nothing') }, 'broken_archive'],
    ['a billion laughs', plain(laughs), 'document_type'],
    ['a file of this machine', plain(file), 'document_type'],
    ['an unknown entity', plain('<feedback>&x;</feedback>'), 'malformed'],
    ['deep nesting', plain(deep), 'too_deep'],
    ['deep nesting of JSON', plain(`{"a":${'['.repeat(100_000)}`, 'application/json', 'a.json'), 'malformed'],
    ['XML that ends early', plain(XML.slice(0, 600)), 'malformed'],
    ['html', plain('<html><body>no</body></html>'), 'not_a_report'],
    [
      'an element that is closed by another name',
      plain(XML.replace('</org_name>', '</orgname>')),
      'malformed',
    ],
    [
      'an element that is closed in another case',
      plain(XML.replace('</org_name>', '</Org_Name>')),
      'malformed',
    ],
    ['an end by another prefix', plain(prefixed.replace('</a:feedback>', '</b:feedback>')), 'malformed'],
    ['a prefix that nothing declares', plain(prefixed.replace(/ xmlns:a="[^"]*"/, '')), 'malformed'],
    ['two reports in one file', plain(XML + XML.replace(/^<\?xml.*?\?>/, '')), 'malformed'],
    ['text behind the end', plain(`${XML}garbage`), 'malformed'],
    ['an ampersand on its own', plain(XML.replace('google.com', 'a & b')), 'malformed'],
    ['an attribute twice', plain(XML.replace('<feedback>', '<feedback a="1" a="2">')), 'malformed'],
    ['an attribute without quotes', plain(XML.replace('<feedback>', '<feedback a=1>')), 'malformed'],
    ['a control character', plain(XML.replace('google.com', 'a\u0001b')), 'malformed'],
    [
      'two parts that say who reports',
      plain(XML.replace('<report_metadata>', `${METADATA}<report_metadata>`)),
      'malformed',
    ],
    [
      'a row with two addresses',
      plain(XML.replace('<source_ip>', '<source_ip>192.0.2.1</source_ip><source_ip>')),
      'malformed',
    ],
    ['a report without its domain', plain(XML.replace('<domain>shop.example</domain>', '')), 'incomplete'],
    ['a report without its days', plain(XML.replace(/<date_range>.*<\/date_range>/, '')), 'incomplete'],
    ['TLS without policies', plain('{"report-id":"1"}', 'application/json', 'a.json'), 'incomplete'],
  ] as const)('%s', async (_name, report, refusal) => {
    expect(await refusalOf(report, LIMITS)).toBe(refusal);
  });

  it.each([
    ['</org_name>', '</orgname>', /^4:\d+: unexpected close tag/],
    ['<count>', '<count>1</count><count>', /^<count> stands twice$/],
    ['</org_name>', `</${'x'.repeat(5_000)}>`, /^4:\d+: .{1,115}$/],
  ])('XML with an error, and names it', async (from, to, problem) => {
    const found = await read(plain(XML.replace(from, to)));
    expect(found).toMatchObject({ kind: 'refused', refusal: 'malformed' });
    expect(found.kind === 'refused' ? found.problem : '').toMatch(problem);
  });

  it('too many records, and compressed octets beyond the limit', async () => {
    expect(await refusalOf(plain(many), { ...REPORT_LIMITS, records: 1_000 })).toBe('too_many_records');
    expect(await refusalOf(plain(many), { ...REPORT_LIMITS, packedBytes: 1_000 })).toBe('too_large');
  });

  it('very many records before parsing them', async () => {
    const record = '<record><row><source_ip>192.0.2.1</source_ip></row></record>';
    const text = `<feedback>${record.repeat(sized({ small: 21_000, full: 500_000 }))}</feedback>`;
    expect(await refusalOf(plain(gzipSync(text)))).toBe('too_many_records');
    const limits = { ...REPORT_LIMITS, unpackedBytes: text.length };
    expect(await refusalOf(plain(gzipSync(text + text)), limits)).toBe('too_large');
  });
});
