import { describe, expect, test } from 'vitest';
import type { DnsAnswer, MxRecord } from '../../src/lib/dns-answers/index.js';
import {
  dnsRecordsFor,
  judgeRecord,
  spfMechanismsFor,
  type DnsRecordPurpose,
  type ExpectedRecord,
} from '../../src/domains/dns-records.rules.js';

const KEY = 'v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A';
const RECORDS = dnsRecordsFor({
  domain: 'shop.example',
  dkim: [
    { type: 'TXT', host: 'ph1._domainkey.shop.example', value: KEY, required: true },
    { type: 'CNAME', host: 'ph2._domainkey.shop.example', value: 'ph2.keys.example', required: false },
  ],
  hostname: 'mail.mailkeel.example',
  trackingHost: 'click.mailkeel.example',
});

function expected(purpose: DnsRecordPurpose, type: ExpectedRecord['type']): ExpectedRecord {
  const record = RECORDS.find((item) => item.purpose === purpose && item.type === type);
  if (!record) throw new Error(`no ${purpose} ${type}`);
  return record;
}

const txt = (...records: string[]): { type: 'TXT'; answer: DnsAnswer<string> } => ({
  type: 'TXT',
  answer: { kind: 'found', records },
});
const mx = (...records: MxRecord[]): { type: 'MX'; answer: DnsAnswer<MxRecord> } => ({
  type: 'MX',
  answer: { kind: 'found', records },
});

test('a sending domain gets its records, and only the main DKIM key is required', () => {
  expect(
    RECORDS.map(({ purpose, type, host, value, required }) => [purpose, type, host, value, required]),
  ).toEqual([
    ['dkim', 'TXT', 'ph1._domainkey.shop.example', KEY, true],
    ['dkim', 'CNAME', 'ph2._domainkey.shop.example', 'ph2.keys.example', false],
    ['return_path', 'MX', 'bounce.shop.example', 'mail.mailkeel.example', false],
    ['return_path', 'TXT', 'bounce.shop.example', 'v=spf1 a:mail.mailkeel.example -all', false],
    ['spf', 'TXT', 'shop.example', 'v=spf1 a:mail.mailkeel.example ~all', false],
    ['dmarc', 'TXT', '_dmarc.shop.example', 'v=DMARC1; p=none', false],
    ['inbound', 'MX', 'reply.shop.example', 'mail.mailkeel.example', false],
    ['tracking', 'CNAME', 'click.shop.example', 'click.mailkeel.example', false],
  ]);
});

test('chosen names replace those below the domain', () => {
  const names = { returnPath: 'rp.shop.example', inbound: 'shop.example', tracking: 'go.shop.example' };
  const records = dnsRecordsFor({
    domain: 'shop.example',
    names,
    dkim: [],
    hostname: 'mail.mailkeel.example',
  });
  expect(records.map(({ purpose, type, host }) => `${purpose} ${type} ${host}`)).toEqual([
    'return_path MX rp.shop.example',
    'return_path TXT rp.shop.example',
    'spf TXT shop.example',
    'dmarc TXT _dmarc.shop.example',
    'inbound MX shop.example',
    'tracking CNAME go.shop.example',
  ]);
});

test("a return path equal to the domain uses the domain's SPF record", () => {
  const names = { returnPath: 'shop.example', inbound: 'shop.example', tracking: 'go.shop.example' };
  const records = dnsRecordsFor({
    domain: 'shop.example',
    names,
    dkim: [],
    hostname: 'mail.mailkeel.example',
  });
  const texts = records.filter(({ type, host }) => type === 'TXT' && host === 'shop.example');
  expect(texts.map(({ purpose }) => purpose)).toEqual(['spf']);
});

test.each([
  [[], 'a:mail.mailkeel.example'],
  [['192.0.2.1', '192.0.2.1', '2001:db8::/48'], 'ip4:192.0.2.1 ip6:2001:db8::/48'],
])('derives the SPF mechanisms of the sources %j', (ranges, mechanisms) => {
  expect(spfMechanismsFor('mail.mailkeel.example', ranges)).toBe(mechanisms);
});

test('uses configured SPF mechanisms', () => {
  const records = dnsRecordsFor({
    domain: 'shop.example',
    dkim: [],
    hostname: 'mail.mailkeel.example',
    spfMechanisms: 'include:_spf.mailkeel.example',
  });
  expect(records.find(({ purpose }) => purpose === 'spf')?.value).toBe(
    'v=spf1 include:_spf.mailkeel.example ~all',
  );
});

describe('judgeRecord', () => {
  const dkim = expected('dkim', 'TXT');
  const spf = expected('spf', 'TXT');
  const dmarc = expected('dmarc', 'TXT');
  const OURS = 'a:mail.mailkeel.example';
  const texts: [string, ExpectedRecord, string[], string, string[]?][] = [
    ['the same key', dkim, [KEY], 'ok'],
    ['the same key, written otherwise', dkim, [`k=rsa;p=${KEY.slice(KEY.indexOf('MII'))};`], 'ok'],
    ['the same key beside a verification text', dkim, ['token=1', KEY], 'ok'],
    ['another key', dkim, ['v=DKIM1; k=rsa; p=MIIBother'], 'mismatch'],
    ['a revoked key', dkim, ['v=DKIM1; k=rsa; p='], 'mismatch'],
    ['two keys under one selector', dkim, [KEY, 'v=DKIM1; k=rsa; p=MIIBother'], 'mismatch'],
    ['our mechanism', spf, [`v=spf1 ${OURS} ~all`], 'ok'],
    [
      'our mechanism among others, in capitals',
      spf,
      [`V=SPF1 include:x.test +A:Mail.Mailkeel.Example. -all`],
      'ok',
    ],
    ['a record without us', spf, ['v=spf1 include:x.test -all'], 'mismatch'],
    ['us refused', spf, [`v=spf1 -${OURS} ~all`], 'mismatch'],
    ['two SPF records', spf, [`v=spf1 ${OURS} ~all`, 'v=spf1 -all'], 'mismatch'],
    ['no SPF record among other texts', spf, ['google-site-verification=1', 'v=spf10'], 'missing', []],
    ['any DMARC policy', dmarc, ['v=DMARC1; p=reject; rua=mailto:d@shop.example'], 'ok'],
    ['a DMARC policy further back', dmarc, ['v=DMARC1;rua=mailto:d@shop.example;p=none'], 'ok'],
    ['DMARC without policy', dmarc, ['v=DMARC1'], 'mismatch'],
    ['DMARC with an unknown policy', dmarc, ['v=DMARC1; p=maybe'], 'mismatch'],
    ['two DMARC records', dmarc, ['v=DMARC1; p=none', 'v=DMARC1; p=reject'], 'mismatch'],
    ['no DMARC record among other texts', dmarc, ['hello'], 'missing', []],
  ];
  test.each(texts)('%s', (_name, record, found, status, shown = found) => {
    expect(judgeRecord(record, txt(...found))).toEqual({ status, found: shown });
  });

  test('the return path has its own SPF record', () => {
    const record = expected('return_path', 'TXT');
    expect(judgeRecord(record, txt(`v=spf1 ${OURS} -all`)).status).toBe('ok');
  });

  test('an MX record is correct if Mailkeel is among the most preferred hosts', () => {
    const record = expected('inbound', 'MX');
    const us = 'MAIL.mailkeel.example';
    const judge = (...records: MxRecord[]): string => judgeRecord(record, mx(...records)).status;
    expect(judge({ preference: 5, exchange: us })).toBe('ok');
    expect(judge({ preference: 5, exchange: us }, { preference: 9, exchange: 'backup.test' })).toBe('ok');
    expect(judge({ preference: 9, exchange: us }, { preference: 5, exchange: 'other.test' })).toBe(
      'mismatch',
    );
    expect(judgeRecord(record, mx({ preference: 0, exchange: '' }))).toEqual({
      status: 'mismatch',
      found: ['0 .'],
    });
  });

  test('a CNAME is compared case-insensitively', () => {
    const judge = (target: string): string =>
      judgeRecord(expected('tracking', 'CNAME'), {
        type: 'CNAME',
        answer: { kind: 'found', records: [target] },
      }).status;
    expect(judge('Click.Mailkeel.example.')).toBe('ok');
    expect(judge('other.example')).toBe('mismatch');
  });

  test('an absent record is missing, and one without an answer is pending', () => {
    for (const record of RECORDS.filter(({ type }) => type === 'TXT')) {
      expect(judgeRecord(record, { type: 'TXT', answer: { kind: 'no_data' } }).status).toBe('missing');
      expect(judgeRecord(record, { type: 'TXT', answer: { kind: 'no_name' } }).status).toBe('missing');
      const failed = { kind: 'failed', reason: 'servfail' } as const;
      expect(judgeRecord(record, { type: 'TXT', answer: failed })).toEqual({ status: 'pending', found: [] });
    }
  });
});
