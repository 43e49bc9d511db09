import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileProviders, findProvider } from '../../src/outbound/route/provider.rules.js';
import { readShipped } from '../../src/settings/shipped.js';

const providers = compileProviders(readShipped('providers'));

describe('providerOf', () => {
  it.each<[string[], string | null]>([
    [['aspmx.l.google.com', 'ALT1.aspmx.l.google.com.', 'aspmx2.googlemail.com'], 'google'],
    [['smtp.google.com'], 'google'],
    [['outlook-com.olc.protection.outlook.com'], 'microsoft_consumer'],
    [['example-com.mail.protection.outlook.com'], 'microsoft_365'],
    [['example-com.x-v1.mx.microsoft'], 'microsoft_365'],
    [['mta5.am0.yahoodns.net', 'mta6.am0.yahoodns.net'], 'yahoo'],
    [['mx01.mail.icloud.com'], 'apple'],
    [['mx00.gmx.net'], 'gmx'],
    [['mx-ha02.web.de'], 'gmx'],
    [['mx1a1.comcast.net'], 'comcast'],
    [['smtp-in.orange.fr'], 'orange'],
    [['eu-smtp-inbound-1.mimecast.com', 'eu-smtp-inbound-2.mimecast.com'], 'mimecast'],
    [['mx3.qq.com'], 'qq'],
    [['163mx01.mxmail.netease.com'], 'netease'],
    [['mx0a-001b2d01.pphosted.com'], 'proofpoint'],
    // Mixed hosts belong to no provider.
    [['aspmx.l.google.com', 'mx.example.com'], null],
    [['example-com.mail.protection.outlook.com', 'outlook-com.olc.protection.outlook.com'], null],
    [['notgoogle.com'], null],
    [['google.com.example.org'], null],
    [[''], null],
    [[], null],
  ])('of %j is %s', (hosts, expected) => {
    expect(findProvider(hosts, providers)).toBe(expected);
  });

  it('prefers the longest suffix', () => {
    const own = compileProviders({ all: ['example.com'], one: ['mx.example.com'] });
    expect(findProvider(['a.mx.example.com'], own)).toBe('one');
    expect(findProvider(['a.example.com', 'example.com'], own)).toBe('all');
  });

  it('does not depend on the order of the hosts', () => {
    const hosts = fc.shuffledSubarray([
      'aspmx.l.google.com',
      'x.googlemail.com',
      'mx.example.com',
      'mx3.qq.com',
    ]);
    fc.assert(
      fc.property(hosts, (some) => {
        expect(findProvider([...some].reverse(), providers)).toBe(findProvider(some, providers));
      }),
    );
  });
});

describe('compileProviders', () => {
  it.each([
    ['no object', [], 'must be an object'],
    ['no list', { a: 'google.com' }, 'a must be a list'],
    ['no ending', { a: [] }, 'a must list at least one'],
    ['a top-level domain', { a: ['com'] }, 'a[0] must be a lowercase domain'],
    ['capitals', { a: ['Google.com'] }, 'a[0] must be a lowercase domain'],
    ['a leading dot', { a: ['.google.com'] }, 'a[0] must be a lowercase domain'],
    ['an ending that two claim', { a: ['x.example'], b: ['x.example'] }, 'b[0] is already used by a'],
    ['a name that is taken', { unknown: ['x.example'] }, 'unknown is reserved for hosts without a provider'],
  ])('refuses %s', (_, json, problem) => {
    expect(() => compileProviders(json)).toThrow(problem);
  });
});
