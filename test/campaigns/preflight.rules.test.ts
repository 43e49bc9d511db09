// Tests each preflight check of a campaign on facts that are valid except for one.
import { describe, expect, it } from 'vitest';
import {
  emptyNames,
  findLinkTargets,
  isReady,
  judgeCampaign,
  linkProblem,
  type PreflightFacts,
} from '../../src/campaigns/preflight.rules.js';

const LINK = 'https://mail.example/u/preview';
const copy = (
  html: string | null,
  text: string | null = `Hello\n1 Street,\nTown\n${LINK}`,
  subject = 'News',
) => ({
  email: 'ann@example.com',
  subject,
  html: html === null ? null : `${html}<p>1 Street, Town</p><a href="${LINK}">Unsubscribe</a>`,
  text,
});
const FINE: PreflightFacts = {
  sender: null,
  hasPostalAddress: true,
  list: 'there',
  template: null,
  audience: { total: 3, eligible: 3, skipped: {} },
  missing: [],
  copies: [copy('<p>Hello</p>')],
  failedCopies: [],
  answers: [],
  unsubscribeUrl: LINK,
  postalAddress: '1 Street\nTown',
  derivesText: false,
  clipLimitBytes: 1_000,
  quota: null,
};

function check(code: string, facts: Partial<PreflightFacts>) {
  const found = judgeCampaign({ ...FINE, ...facts }).find((one) => one.code === code);
  if (!found) throw new Error(`no check ${code}`);
  return found;
}

describe('a campaign', () => {
  it('without problems passes every check', () => {
    const checks = judgeCampaign(FINE);
    expect(checks.map(({ status }) => status)).toEqual(checks.map(() => 'pass'));
    expect(isReady(checks)).toBe(true);
  });

  it.each<[string, string, Partial<PreflightFacts>]>([
    ['sender', 'fail', { sender: { code: 'sender_required', message: 'No sender.' } }],
    ['postal_address', 'fail', { hasPostalAddress: false }],
    ['list', 'fail', { list: 'deleted' }],
    ['list', 'fail', { list: 'none' }],
    ['template', 'fail', { template: { code: 'template_not_found', message: 'No template.' } }],
    ['audience', 'fail', { audience: { total: 0, eligible: 0, skipped: {} } }],
    ['audience', 'fail', { audience: { total: 2, eligible: 0, skipped: { bounce: 2 } } }],
    ['suppression', 'pass', { audience: { total: 3, eligible: 1, skipped: { bounce: 1, left_list: 1 } } }],
    [
      'copies',
      'warn',
      { failedCopies: [{ email: 'x@example.com', code: 'subject_required', message: 'No.' }] },
    ],
    ['copies', 'fail', { copies: [], failedCopies: [{ email: 'x@example.com', code: 'a', message: 'No.' }] }],
    ['copies', 'unknown', { copies: [] }],
    ['variables', 'warn', { missing: [{ name: 'city', recipients: 2, emails: ['a@example.com'] }] }],
    ['placeholders', 'warn', { copies: [copy('<p>Dear *|FNAME|*</p>')] }],
    ['placeholders', 'warn', { copies: [copy('', 'x', 'For -first_name-')] }],
    ['subject', 'fail', { copies: [copy('', 'x', ' ')] }],
    ['subject', 'warn', { copies: [copy('', 'x', 'Hello {{name}}')] }],
    ['subject', 'warn', { copies: [copy('', 'x', 'x'.repeat(151))] }],
    ['links', 'fail', { copies: [copy('<a href="/offer">x</a>')] }],
    ['links', 'fail', { copies: [copy('<a href="https://a.example/{{id}}">x</a>')] }],
    ['links', 'fail', { copies: [copy('<a href="https://a.example/%7B%7Bid%7D%7D">x</a>')] }],
    ['links', 'warn', { copies: [copy('<a href="">x</a>')] }],
    ['links', 'warn', { copies: [copy('<a href="ftp://a.example/">x</a>')] }],
    ['links', 'pass', { copies: [copy('<a href="mailto:a@example.com">x</a><a href="#top">y</a>')] }],
    ['dead_links', 'fail', { answers: [{ url: 'https://a.example/', kind: 'dead', reason: '404' }] }],
    ['dead_links', 'unknown', { answers: [{ url: 'https://a.example/', kind: 'unknown', reason: 'slow' }] }],
    ['dead_links', 'pass', { answers: [{ url: 'https://a.example/', kind: 'works', reason: null }] }],
    ['text_part', 'warn', { copies: [copy('<p>x</p>', ' ')] }],
    ['text_part', 'pass', { derivesText: true }],
    ['html_size', 'warn', { copies: [copy('x'.repeat(1_000))] }],
    ['images', 'warn', { copies: [copy('<img src="a.png">')] }],
    [
      'images',
      'pass',
      { copies: [copy('<img src="a.png" alt="A"><img src=b.png alt=""><img alt src=c.png>')] },
    ],
    ['footer', 'fail', { copies: [copy('<p>x</p>', LINK)] }],
    ['footer', 'fail', { postalAddress: '' }],
    ['footer', 'fail', { copies: [copy('<style>body { display: none !important }</style><p>x</p>')] }],
    ['unsubscribe_link', 'fail', { copies: [copy('<style>p{} *{opacity:0}</style><p>x</p>')] }],
    ['footer', 'pass', { copies: [copy('<style>@media print{body{display:none}}</style><p>x</p>')] }],
    ['footer', 'pass', { copies: [copy('<style>.body{display:none} body p{opacity:0}</style>')] }],
    ['footer', 'pass', { copies: [copy('<p>x</p>', null)] }],
    ['footer', 'fail', { copies: [copy('<div style="display:none">')] }],
    ['unsubscribe_link', 'fail', { copies: [copy('<p>x</p>', '1 Street')] }],
    ['unsubscribe_link', 'fail', { unsubscribeUrl: 'https://other.example/u' }],
    ['quota', 'warn', { quota: { left: 2, period: 'day' } }],
    ['quota', 'pass', { quota: { left: 3, period: 'month' } }],
  ])('%s: %s', (code, status, facts) => {
    const { message, status: found } = check(code, facts);
    expect(found).toBe(status);
    expect(message).toMatch(/^[A-Z].*[.]$/);
    expect(isReady(judgeCampaign({ ...FINE, ...facts }))).toBe(
      judgeCampaign({ ...FINE, ...facts }).every((one) => one.status !== 'fail'),
    );
  });

  it('names at most twenty cases', () => {
    const html = Array.from({ length: 100 }, (_, n) => `<a href="/${n}">x</a>`).join('');
    expect(check('links', { copies: [copy(html)] }).details?.['links']).toHaveLength(20);
  });
});

describe('links', () => {
  it('are those of `a` and `area`, decoded, with any quotes', () => {
    const html = `<a href='x?a=1&amp;b=2'>1</a><map><area href=y></map><link href="z"><!-- <a href="no"> --><A HREF="w">`;
    expect(findLinkTargets(html)).toEqual(['x?a=1&b=2', 'y', 'w']);
  });

  it.each([
    ['https://a.example/', null],
    ['HTTP://a.example', null],
    ['tel:+49', null],
    ['cid:logo', null],
    ['#', 'empty'],
    ['//a.example/x', 'relative'],
    ['www.a.example', 'relative'],
    ['javascript:alert(1)', 'not_http'],
    ['https://', 'invalid'],
    ['https://a.example/*|ID|*', 'placeholder'],
  ])('%s: %s', (href, problem) => {
    expect(linkProblem(href)).toBe(problem);
  });
});

describe('empty names', () => {
  const variables = {
    name: 'Ann',
    zero: 0,
    no: false,
    blank: '',
    none: null,
    user: { city: 'B' },
    list: [{ a: 1 }],
    nil: [],
  };
  it.each([
    ['name', false],
    ['zero', false],
    ['no', false],
    ['blank', true],
    ['none', true],
    ['absent', true],
    ['user.city', false],
    ['user.street', true],
    ['name.length', true],
    ['list', false],
    ['list.a', false],
    ['list.b', true],
    ['nil', true],
    ['constructor', true],
  ])('%s: %s', (name, isEmpty) => {
    expect(emptyNames([name], variables)).toEqual(isEmpty ? [name] : []);
  });
});
