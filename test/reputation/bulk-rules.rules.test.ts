// Tests the judgement of facts by the bulk sender rules, replies that name a rule, and the form of messages.
import { describe, expect, test } from 'vitest';
import { splitHeaderBlock } from '../../src/lib/mime/index.js';
import {
  judgeBulkRules,
  overallStatus,
  bulkVolumes,
  type AttemptFacts,
  type BulkFacts,
  type DomainFacts,
} from '../../src/reputation/bulk-rules/judge.rules.js';
import { readMailForm } from '../../src/reputation/bulk-rules/mail-form.rules.js';
import { ruleOfReply } from '../../src/reputation/bulk-rules/provider-rules.rules.js';

const NOW = Date.UTC(2026, 0, 2);
const HOUR = 3_600_000;

const attempts = (more: Partial<AttemptFacts> = {}): AttemptFacts => ({
  ...{ delivered: 0, withoutTls: 0, newestWithoutTls: null, newestDelivered: null },
  refusals: new Map(),
  ...more,
});
const counts = (more: object = {}) => ({ sent: 0, delivered: 0, complained: 0, busiestDay: null, ...more });
const domain = (more: Partial<DomainFacts> = {}): DomainFacts => ({
  domain: 'shop.example',
  checkedAt: NOW,
  dkim: { status: 'ok', bits: 2_048 },
  spf: { status: 'ok', isAligned: true },
  dmarc: { status: 'ok', record: 'v=DMARC1; p=none; rua=mailto:d@shop.example' },
  ...more,
});
const facts = (more: Partial<BulkFacts> = {}): BulkFacts => ({
  windowDays: 30,
  domains: [domain()],
  platformSpf: null,
  reverseDns: null,
  usesSmarthost: false,
  attempts: { google: attempts(), yahoo: attempts(), microsoft: attempts() },
  samples: [],
  looked: { messages: 0, newest: null, borrowedFrom: null },
  unsubscribes: { count: 0, late: 0, newestLate: null, longestMs: null },
  counts: { google: counts(), yahoo: counts(), microsoft: counts() },
  all: { delivered: 0, complained: 0 },
  ...more,
});
const bulkDay = { busiestDay: { date: '2026-01-01', sent: 5_000 } };

function statuses(rule: string, more: Partial<BulkFacts>): string[] {
  return judgeBulkRules(facts(more))
    .filter((check) => check.rule === rule)
    .map(({ status }) => status);
}

describe('the check of the rules of Google, Yahoo and Microsoft', () => {
  test.each<[string, string, Partial<BulkFacts>, string[]]>([
    ['all records right', 'spf', {}, ['pass', 'pass', 'pass']],
    ['no domain', 'spf', { domains: [] }, ['unknown', 'unknown', 'unknown']],
    [
      'SPF missing',
      'spf',
      { domains: [domain({ spf: { status: 'missing', isAligned: true } })] },
      ['warn', 'fail', 'warn'],
    ],
    [
      'SPF not answered',
      'spf',
      { domains: [domain({ spf: { status: 'pending', isAligned: true } })] },
      ['unknown', 'unknown', 'unknown'],
    ],
    [
      "SPF of the service's return path",
      'spf',
      {
        domains: [domain({ spf: { status: 'missing', isAligned: false } })],
        platformSpf: { status: 'pass', at: NOW },
      },
      ['warn', 'warn', 'warn'],
    ],
    [
      'SPF of the service fails, a bulk sender at Google',
      'spf',
      {
        domains: [domain({ spf: { status: 'missing', isAligned: false } })],
        platformSpf: { status: 'fail', at: NOW },
        counts: { google: counts(bulkDay), yahoo: counts(), microsoft: counts() },
      },
      ['fail', 'fail', 'warn'],
    ],
    [
      'a DKIM key of 1,024 bits',
      'dkim',
      { domains: [domain({ dkim: { status: 'ok', bits: 1_024 } })] },
      ['warn', 'warn', 'warn'],
    ],
    [
      'a DKIM key of 768 bits',
      'dkim',
      { domains: [domain({ dkim: { status: 'ok', bits: 768 } })] },
      ['warn', 'fail', 'warn'],
    ],
    [
      'another key in DNS',
      'dkim',
      { domains: [domain(), domain({ dkim: { status: 'mismatch', bits: 2_048 } })] },
      ['warn', 'fail', 'warn'],
    ],
    [
      'DMARC without rua',
      'dmarc',
      { domains: [domain({ dmarc: { status: 'ok', record: 'v=DMARC1; p=none' } })] },
      ['pass', 'pass', 'pass'],
    ],
    ['no reverse name', 'reverse_dns', { reverseDns: { status: 'fail', at: NOW } }, ['fail', 'fail', 'fail']],
    [
      'a smarthost',
      'reverse_dns',
      { usesSmarthost: true, reverseDns: { status: 'fail', at: NOW } },
      ['unknown', 'unknown', 'unknown'],
    ],
    [
      'unsubscribes honoured',
      'unsubscribe_in_time',
      { unsubscribes: { count: 3, late: 0, newestLate: null, longestMs: HOUR } },
      ['pass', 'pass', 'pass'],
    ],
    [
      'mail after an unsubscribe',
      'unsubscribe_in_time',
      {
        unsubscribes: {
          count: 3,
          late: 1,
          newestLate: { messageId: 'msg_1', at: NOW },
          longestMs: 60 * HOUR,
        },
      },
      ['warn', 'fail', 'warn'],
    ],
    [
      'mail without TLS, with TLS, and none',
      'tls',
      {
        attempts: {
          google: attempts({ delivered: 2, withoutTls: 1 }),
          yahoo: attempts({ delivered: 2 }),
          microsoft: attempts(),
        },
      },
      ['fail', 'pass', 'unknown'],
    ],
    [
      'complaints below the sample',
      'complaint_rate',
      { counts: { google: counts(), yahoo: counts({ delivered: 499, complained: 9 }), microsoft: counts() } },
      ['unknown', 'unknown', 'unknown'],
    ],
    [
      'complaints at both levels',
      'complaint_rate',
      {
        counts: {
          google: counts(),
          yahoo: counts({ delivered: 1_000, complained: 3 }),
          microsoft: counts({ delivered: 1_000, complained: 1 }),
        },
        all: { delivered: 2_000, complained: 4 },
      },
      ['warn', 'fail', 'warn'],
    ],
    [
      'From at gmail.com',
      'from_domain',
      {
        looked: {
          messages: 2,
          newest: null,
          borrowedFrom: { messageId: 'msg_1', at: NOW, domain: 'gmail.com' },
        },
      },
      ['fail', 'fail', 'fail'],
    ],
  ])('%s', (_name, rule, more, expected) => {
    expect(statuses(rule, more)).toEqual(expected);
  });

  test('gives a remedy for a missing item, and advice if it passes', () => {
    const missed = judgeBulkRules(
      facts({ domains: [domain({ dmarc: { status: 'missing', record: null } })] }),
    );
    for (const check of missed.filter(({ status }) => status === 'fail')) expect(check.remedy).not.toBeNull();
    const silent = judgeBulkRules(
      facts({ domains: [domain({ dmarc: { status: 'ok', record: 'v=DMARC1; p=none' } })] }),
    );
    expect(silent.find(({ rule }) => rule === 'dmarc')?.remedy).toContain('rua=mailto');
  });

  test('considers a refusal more important than its own check until mail is accepted again', () => {
    const refusals = new Map([
      ['spf', { messageId: 'msg_1', at: NOW, reply: '550-5.7.27 …', count: 2 }],
    ] as const);
    const google = (more: Partial<AttemptFacts>) => ({
      attempts: { google: attempts({ refusals, ...more }), yahoo: attempts(), microsoft: attempts() },
    });
    expect(statuses('spf', google({}))).toEqual(['fail', 'pass', 'pass']);
    expect(statuses('spf', google({ newestDelivered: { messageId: 'msg_2', at: NOW + 1 } }))).toEqual([
      'warn',
      'pass',
      'pass',
    ]);
  });

  test('is unknown for a sender without mail or domain', () => {
    const found = judgeBulkRules(facts({ domains: [] }));
    expect(found).toHaveLength(39);
    expect(overallStatus(found)).toBe('unknown');
  });

  test('calls no one a bulk sender below the threshold, and everyone without a published one', () => {
    const isBulk = (sent: number) =>
      bulkVolumes(
        facts({
          counts: {
            google: counts({ busiestDay: { date: '2026-01-01', sent } }),
            yahoo: counts(),
            microsoft: counts(),
          },
        }),
      ).map((one) => one.is_bulk_sender);
    expect(isBulk(4_999)).toEqual([false, true, false]);
    expect(isBulk(5_000)).toEqual([true, true, false]);
  });
});

describe('a reply', () => {
  test.each([
    [
      'google',
      '5.7.26',
      '550-5.7.26 This mail has been blocked because the sender is unauthenticated.',
      'alignment',
    ],
    ['google', null, '421-4.7.27 Your email has been rate limited because SPF did not pass.', 'spf'],
    ['google', '4.7.30', 'DKIM did not pass', 'dkim'],
    ['google', '5.7.25', 'The IP address sending this message does not have a PTR record', 'reverse_dns'],
    [
      'google',
      '5.7.1',
      '550-5.7.1 Messages missing a valid messageId header are not accepted (RFC 5322)',
      'message_format',
    ],
    ['google', '5.7.1', '550 5.7.1 Our system has detected that this message is likely spam', null],
    ['google', '5.7.270', 'no such code', null],
    ['google', '5.7.515', 'of another provider', null],
    [
      'microsoft',
      '5.7.515',
      'Access denied, sending domain a.example does not meet the required level',
      'alignment',
    ],
    [
      'microsoft',
      '5.7.1',
      'Unfortunately, messages from [192.0.2.1] weren’t sent. (S3150)',
      'complaint_rate',
    ],
    ['yahoo', '4.7.0', '421 4.7.0 [TSS04] Messages from 192.0.2.1 temporarily deferred', 'complaint_rate'],
    ['yahoo', '5.7.9', '554 5.7.9 Message not accepted for policy reasons', 'dmarc'],
    ['yahoo', '5.1.1', '550 5.1.1 no such user', null],
  ] as const)('of %s with %s refers to its rule: %s', (provider, code, reply, rule) => {
    expect(ruleOfReply(provider, code, reply)).toBe(rule);
  });
});

describe('the form of a message', () => {
  const form = (lines: string[], body = '') =>
    readMailForm(splitHeaderBlock(Buffer.from([...lines, '', ''].join('\r\n')))?.fields ?? null, body);
  const GOOD = [
    'From: Ann <ann@news.shop.example>',
    'Date: Fri, 02 Jan 2026 00:00:00 +0000',
    'Message-ID: <a@shop.example>',
    'List-Unsubscribe: <https://mail.example/u/x>, <mailto:u@shop.example>',
    'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
    'DKIM-Signature: v=1; a=rsa-sha256; d=shop.example; s=a; h=from:List-Unsubscribe:\r\n list-unsubscribe-post; b=AA',
  ];

  test('has no problems if it meets all rules', () => {
    expect(form(GOOD, '<a href="https://mail.example/u/x">Unsubscribe</a>')).toEqual({
      formProblems: [],
      isDkimAligned: true,
      oneClickProblems: [],
      hasUnsubscribeLink: true,
    });
  });

  test.each([
    ['two From fields', [...GOOD, 'From: b@shop.example'], 'more than one from field'],
    ['two addresses in From', ['From: a@b.example, c@b.example', ...GOOD.slice(1)], 'exactly one address'],
    ['no Date', GOOD.filter((line) => !line.startsWith('Date')), 'The Date field is missing'],
    [
      'no Message-ID',
      GOOD.filter((line) => !line.startsWith('Message-ID')),
      'The Message-ID field is missing',
    ],
  ])('with %s is reported', (_name, lines, expected) => {
    expect(form(lines).formProblems.join(' ')).toContain(expected);
  });

  test('signed only by another domain is not aligned, and unknown without a signature', () => {
    const other = GOOD.map((line) => line.replace('d=shop.example', 'd=mailer.example'));
    expect(form(other).isDkimAligned).toBe(false);
    expect(form(GOOD.slice(0, 5)).isDkimAligned).toBeNull();
  });

  test('with incomplete or unsigned one-click fields is reported', () => {
    const problems = (change: (line: string) => string) => form(GOOD.map(change)).oneClickProblems.join(' ');
    expect(problems((line) => line.replace('<https:', '<http:'))).toContain('not contain an https');
    expect(problems((line) => line.replace('=One-Click', '=Two-Clicks'))).toContain('One-Click');
    expect(problems((line) => line.replace(/:List-Unsubscribe:\r\n list-unsubscribe-post/, ''))).toContain(
      'No DKIM',
    );
    expect(form(GOOD.slice(0, 3)).oneClickProblems).toEqual(['The List-Unsubscribe field is missing.']);
  });
});
