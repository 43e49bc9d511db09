import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isInNetwork, parseSpf, spfTextIn } from '../../src/operations/preflight/spf.rules.js';

describe('an SPF record', () => {
  it.each<[string, string[], unknown]>([
    ['is found among other texts', ['x=1', 'v=spf1 -all'], { kind: 'one', text: 'v=spf1 -all' }],
    ['may be written large', ['V=SPF1 -all'], { kind: 'one', text: 'V=SPF1 -all' }],
    ['is not another version', ['v=spf10 -all', 'v=spf2.0/pra'], { kind: 'none' }],
    ['must be the only one', ['v=spf1 -all', 'v=spf1'], { kind: 'several' }],
  ])('%s', (_name, texts, expected) => {
    expect(spfTextIn(texts)).toEqual(expected);
  });

  it('is read term by term', () => {
    const text =
      'v=spf1 ip4:192.0.2.0/24 ip6:2001:db8::/32 a mx/28 ~a:x.test/30//64 include:_spf.y.test ?all x=1';
    expect(parseSpf(text)).toEqual({
      kind: 'record',
      redirect: null,
      terms: [
        { kind: 'ip', qualifier: '+', network: '192.0.2.0', bits: 24 },
        { kind: 'ip', qualifier: '+', network: '2001:db8::', bits: 32 },
        { kind: 'a', qualifier: '+', domain: null, bits4: 32, bits6: 128 },
        { kind: 'mx', qualifier: '+', domain: null, bits4: 28, bits6: 128 },
        { kind: 'a', qualifier: '~', domain: 'x.test', bits4: 30, bits6: 64 },
        { kind: 'include', qualifier: '+', domain: '_spf.y.test' },
        { kind: 'all', qualifier: '?' },
      ],
    });
  });

  it.each([
    ['exists:%{i}.x.test', 'unsupported'],
    ['ptr', 'unsupported'],
    ['include:%{d}.x.test', 'unsupported'],
  ])('says of %s that it needs macros', (term, kind) => {
    expect(parseSpf(`v=spf1 ${term}`)).toMatchObject({ terms: [{ kind }] });
  });

  it.each([
    'ip4:192.0.2.300',
    'ip4:192.0.2.0/33',
    'ip6:192.0.2.1',
    'include',
    'all:x',
    'ipv4:192.0.2.1',
    'a/33',
    'a:',
  ])('is broken by %s', (term) => {
    expect(parseSpf(`v=spf1 ${term} -all`)).toEqual({ kind: 'broken', term });
  });

  it('reads the redirect, once', () => {
    expect(parseSpf('v=spf1 redirect=x.test')).toEqual({ kind: 'record', terms: [], redirect: 'x.test' });
    expect(parseSpf('v=spf1 redirect=x.test redirect=y.test').kind).toBe('broken');
  });

  it('never throws, whatever a domain publishes', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (text) => {
        expect(['record', 'broken']).toContain(parseSpf(`v=spf1 ${text}`).kind);
      }),
    );
  });
});

it.each([
  ['192.0.2.9', '192.0.2.0', 24, true],
  ['192.0.3.9', '192.0.2.0', 24, false],
  ['192.0.2.9', '192.0.2.9', 32, true],
  ['2001:db8::1', '2001:db8::', 32, true],
  ['::ffff:192.0.2.9', '192.0.2.0', 24, true],
  ['192.0.2.9', '2001:db8::', 32, false],
  ['nonsense', '192.0.2.0', 24, false],
])('%s in %s/%i: %s', (address, network, bits, expected) => {
  expect(isInNetwork(address, network, bits)).toBe(expected);
});
