import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPolicy } from '../../src/accounts/api-keys/read-policy.rules.js';
import { keyLimitProblem } from '../../src/accounts/api-keys/key-limits.rules.js';
import type { SendPolicyInput } from '../../src/contract/send-policy.js';
import { linksInHtml, linksInText } from '../../src/lib/html/index.js';
import { decideByPolicy, type PolicyFacts } from '../../src/messages/accept/send-policy.rules.js';
import type { Refusal } from '../../src/contract/refusal.js';
import { runs } from '../support/run-size.js';

const FACTS: PolicyFacts = {
  senders: [{ email: 'Robot@Shop.example', param: 'from' }],
  recipients: [{ email: 'Ann@Example.com', key: 'ann@example.com', role: 'to', path: 'to' }],
  hasTemplate: false,
  attachments: 0,
  links: [],
  isCut: false,
  inGroups: new Set(),
};

const decide = (input: SendPolicyInput, facts: Partial<PolicyFacts> = {}) =>
  decideByPolicy(readPolicy(input), { ...FACTS, ...facts });

const problemOf = (input: SendPolicyInput, facts: Partial<PolicyFacts> = {}) => {
  const decision = decide(input, facts);
  return decision.kind === 'refused' ? decision.problem : null;
};

describe('a policy', () => {
  it('without fields allows everything', () => {
    expect(problemOf({})).toBeNull();
  });

  it.each<[string, SendPolicyInput, Partial<PolicyFacts>, string | null]>([
    ['a sender by address', { allowed_senders: ['robot@shop.example'] }, {}, null],
    ['a sender by domain', { allowed_senders: ['SHOP.example'] }, {}, null],
    ['no other sender', { allowed_senders: ['help@shop.example'] }, {}, 'allowed_senders'],
    ['no subdomain of a domain', { allowed_senders: ['example'.concat('.shop')] }, {}, 'allowed_senders'],
    ['a recipient by address', { allowed_recipients: ['ANN@example.com'] }, {}, null],
    ['a recipient by domain', { allowed_recipients: ['example.com'] }, {}, null],
    ['no domain by its subdomains', { allowed_recipients: ['*.example.com'] }, {}, 'allowed_recipients'],
    [
      'a recipient in a group',
      { allowed_recipients: ['contacts'] },
      { inGroups: new Set(['ann@example.com']) },
      null,
    ],
    ['no recipient outside of it', { allowed_recipients: ['contacts'] }, {}, 'allowed_recipients'],
    ['as many recipients as it says', { max_recipients: 1 }, {}, null],
    [
      'no blind copy',
      { allow_bcc: false },
      { recipients: [{ email: 'a@b.example', key: 'a@b.example', role: 'bcc', path: 'bcc' }] },
      'allow_bcc',
    ],
    ['no message without a template', { content: { templates_only: true } }, {}, 'content.templates_only'],
    ['a message with one', { content: { templates_only: true } }, { hasTemplate: true }, null],
    ['no file', { content: { no_attachments: true } }, { attachments: 1 }, 'content.no_attachments'],
    [
      'a link by domain',
      { content: { allowed_link_domains: ['*.shop.example', 'shop.example'] } },
      { links: linksInText('https://shop.example/ and www.shop.example') },
      null,
    ],
    [
      'no link at all',
      { content: { allowed_link_domains: [] } },
      { links: linksInText('https://shop.example/') },
      'content.allowed_link_domains',
    ],
    [
      'nothing that is cut',
      { content: { allowed_link_domains: [] } },
      { isCut: true },
      'content.allowed_link_domains',
    ],
  ])('allows %s', (_name, input, facts, field) => {
    expect(problemOf(input, facts)?.field ?? null).toBe(field);
  });

  it.each<[string, SendPolicyInput, Partial<PolicyFacts>, object]>([
    ['every message', { approval: 'always' }, {}, { kind: 'held', differences: [] }],
    ['no message within the lists', { approval: 'outside_allowlist' }, {}, { kind: 'allowed' }],
    [
      'a message outside of them, with each difference once',
      {
        approval: 'outside_allowlist',
        allowed_senders: ['help@shop.example'],
        content: { allowed_link_domains: [] },
      },
      { links: linksInText('https://a.example/1 https://a.example/2 https://b.example/') },
      {
        kind: 'held',
        differences: [
          { field: 'allowed_senders', value: 'Robot@Shop.example' },
          { field: 'content.allowed_link_domains', value: 'a.example' },
          { field: 'content.allowed_link_domains', value: 'b.example' },
        ],
      },
    ],
    [
      'nothing that another field refuses',
      { approval: 'always', allowed_senders: ['help@shop.example'], content: { no_attachments: true } },
      { attachments: 1 },
      { kind: 'refused', problem: expect.objectContaining({ field: 'content.no_attachments' }) as object },
    ],
    [
      'nothing that is cut',
      { approval: 'always', content: { allowed_link_domains: [] } },
      { isCut: true },
      { kind: 'refused' },
    ],
    [
      'nothing with too many differences to review',
      { approval: 'always', content: { allowed_link_domains: [] } },
      { links: Array.from({ length: 201 }, (_, at) => ({ url: '', host: `h${at}.example` })) },
      { kind: 'refused' },
    ],
  ])('holds for approval %s', (_name, input, facts, decision) => {
    expect(decide(input, facts)).toMatchObject(decision);
  });

  it('compares domains in A-labels', () => {
    expect(readPolicy({ allowed_senders: ['Bücher.example', '*.bücher.example'] }).allowed_senders).toEqual([
      'xn--bcher-kva.example',
      '*.xn--bcher-kva.example',
    ]);
  });

  it.each([
    [{ allowed_senders: ['shop'] }, 'policy.allowed_senders.0'],
    [{ allowed_senders: ['contacts'] }, 'policy.allowed_senders.0'],
    [{ allowed_recipients: ['a@b.example', 'list:7'] }, 'policy.allowed_recipients.1'],
    [{ allowed_recipients: ['*'] }, 'policy.allowed_recipients.0'],
    [{ content: { allowed_link_domains: ['a@b.example'] } }, 'policy.content.allowed_link_domains.0'],
    [{ content: { allowed_link_domains: ['https://a.example'] } }, 'policy.content.allowed_link_domains.0'],
  ])('is refused as %j', (input, path) => {
    expect(() => readPolicy(input)).toThrow(
      expect.objectContaining({ code: 'validation_error', param: path }) as Refusal,
    );
  });

  it('that allows a domain never allows an address of another one', () => {
    const name = fc.stringMatching(/^[a-z]{1,8}(\.[a-z]{1,8}){1,3}$/);
    fc.assert(
      fc.property(name, name, (allowed, other) => {
        fc.pre(allowed !== other);
        const email = `a@${other}`;
        const recipients = [{ email, key: email, role: 'to', path: 'to' }] as const;
        expect(problemOf({ allowed_recipients: [allowed] }, { recipients })?.field).toBe(
          'allowed_recipients',
        );
        const isBelow = other.endsWith(`.${allowed}`);
        const below = problemOf({ allowed_recipients: [`*.${allowed}`] }, { recipients });
        expect(below === null).toBe(isBelow);
      }),
      runs(500),
    );
  });
});

describe('links', () => {
  const hosts = (html: string) => linksInHtml(html).map(({ host }) => host);

  it.each([
    ['<a href="https://evil.example/x">x</a>'],
    ["<A HREF = 'HTTPS://EVIL.example'>x</A>"],
    ['<a href=//evil.example>x</a>'],
    ['<a href="\\\\evil.example/x">x</a>'],
    ['<a href="https:evil.example">x</a>'],
    ['<a href="ht&#9;tps&colon;//evil.example">x</a>'],
    ['<a href=" https://good.example@evil.example/">x</a>'],
    ['<a href="https://evil%2eexample/">x</a>'],
    ['<a href="https://evil。example/">x</a>'],
    ['<base href="https://evil.example/"><a href="x">x</a>'],
    ['<form action="https://evil.example"></form>'],
    ['<img src="https://evil.example/p.gif">'],
    ['<img srcset="/a.png 1x, //evil.example/b.png 2x">'],
    ['<td background="http://evil.example">'],
    ['<p style="background: url(//evil.example/x)">'],
    ['<style>p { background: url(https://evil.example/x) }</style>'],
    ['<p style="background: url(ht\\74ps:\\2f/evil.example/x)">'],
    ['<style>p { background: url(\\2f\\2f evil.example/x) }</style>'],
    ['<!--[if mso]><a href="https://evil.example">x</a><![endif]-->'],
    ['see https://evil.example.'],
    ['see (www.evil.example)'],
    ['<a href="x" href="https://evil.example" a"b=c>'],
    ['<a href="https://evil.example'],
  ])('of %s are found', (html) => {
    expect(hosts(html).some((host) => host?.endsWith('evil.example') === true)).toBe(true);
  });

  it.each([
    ['<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1.dtd">'],
    ['<html xmlns="http://www.w3.org/1999/xhtml" xmlns:o="http://schemas.example/o">'],
    ['<a href="mailto:ann@example.com">x</a>'],
    ['<a href="#top">x</a> <a href="/path">y</a> <img src="cid:a">'],
    ['<p>and/or // not a link</p>'],
  ])('of %s are none', (html) => {
    expect(hosts(html)).toEqual([]);
  });
});

it('the limits count hours and days of the clock', () => {
  const now = Date.UTC(2026, 2, 1, 9, 59);
  const limits = { max_per_hour: 2, max_per_day: 5 };
  const ask = (hour: number, day: number, asked = 1) =>
    keyLimitProblem(limits, { hour, day }, { asked, now });
  expect(ask(1, 4)).toBeNull();
  expect(ask(2, 2)).toMatchObject({ field: 'max_per_hour', resetsAt: Date.UTC(2026, 2, 1, 10) });
  expect(ask(0, 5)).toMatchObject({ field: 'max_per_day', resetsAt: Date.UTC(2026, 2, 2) });
  expect(ask(0, 0, 3)).toMatchObject({ field: 'max_per_hour' });
});
