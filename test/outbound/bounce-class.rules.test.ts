import { performance } from 'node:perf_hooks';
import { describe, expect, it } from 'vitest';
import {
  classOfReply,
  compileBounceRules,
  enhancedCodeIn,
} from '../../src/outbound/outcome/bounce-class.rules.js';
import { cleanReplyText } from '../../src/lib/smtp-replies/index.js';
import { compileSafePattern, patternProblem } from '../../src/lib/patterns/index.js';
import { compileProviders } from '../../src/outbound/route/provider.rules.js';
import { readShipped } from '../../src/settings/shipped.js';

interface Shipped {
  pattern: string;
}

const shipped = readShipped('bounce-rules') as { first: Shipped[]; texts: Shipped[]; doubts: Shipped[] };
const providers = compileProviders(readShipped('providers'));
const rules = compileBounceRules(shipped, providers);

/** The alternatives outside of groups. */
function alternativesOf(pattern: string): string[] {
  const found = [''];
  let depth = 0;
  for (const character of pattern) {
    depth += character === '(' ? 1 : character === ')' ? -1 : 0;
    if (character === '|' && depth === 0) found.push('');
    else found.push(`${found.pop() ?? ''}${character}`);
  }
  return found;
}

describe('the text of a reply', () => {
  it('is joined, truncated, and stripped of continuation codes and control characters', () => {
    expect(cleanReplyText('550-5.1.1 No such\r\n550 user\u0007 here\u202e!')).toBe(
      '5.1.1 No such user here !',
    );
    expect(cleanReplyText('x'.repeat(5000))).toHaveLength(512);
    expect(cleanReplyText('4.7.28 an unusual rate of 4.7.28 unsolicited mail 5.7.1')).toBe(
      '4.7.28 an unusual rate of unsolicited mail 5.7.1',
    );
  });

  it('may begin with the enhanced code', () => {
    expect(enhancedCodeIn('5.1.1 No such user')).toBe('5.1.1');
    expect(enhancedCodeIn('550 5.7.26 no')).toBe('5.7.26');
    expect(enhancedCodeIn('#5.1.0 Address rejected')).toBe('5.1.0');
    expect(enhancedCodeIn('sorry, no mailbox here by that name. (#5.1.1)')).toBe('5.1.1');
    expect(enhancedCodeIn('version 5.1.1')).toBeNull();
  });
});

describe('compileBounceRules', () => {
  const base = { enhanced: {}, first: [], texts: [] };
  const rule = { code: '5', pattern: 'a', category: 'policy' };
  it.each([
    ['a missing section', { ...base, enhanced: undefined }, 'enhanced must be an object'],
    [
      'an unknown category',
      { ...base, enhanced: { '1.1': 'nonsense' } },
      'enhanced.1.1.category must be one of',
    ],
    [
      'an enhanced code with its class',
      { ...base, enhanced: { '5.1.1': 'policy' } },
      'enhanced.5.1.1 must be an enhanced status code without its class',
    ],
    [
      'an unknown provider',
      { ...base, first: [{ ...rule, provider: 'x' }] },
      'first[0].provider refers to an unknown',
    ],
    [
      'one among several',
      { ...base, first: [{ ...rule, provider: ['google', 'x'] }] },
      'first[0].provider refers',
    ],
    ['no provider', { ...base, first: [{ ...rule, provider: [] }] }, 'first[0].provider must have'],
    ['an unknown phase', { ...base, first: [{ ...rule, phases: ['x'] }] }, 'first[0].phases must be one of'],
    ['no phase', { ...base, first: [{ ...rule, phases: [] }] }, 'first[0].phases must have'],
    [
      'the code of a success',
      { ...base, first: [{ ...rule, code: '2' }] },
      'first[0].code must be the start',
    ],
    [
      'a stray key',
      { ...base, texts: [{ ...rule, catgory: 'x' }] },
      'texts[0] has an unknown field: "catgory"',
    ],
    [
      'an unknown disposition',
      { ...base, texts: [{ ...rule, disposition: 'drop' }] },
      'texts[0].disposition must',
    ],
    [
      'a proof that is not a boolean',
      { ...base, texts: [{ ...rule, proof: 'yes' }] },
      'texts[0].proof must be true or false',
    ],
    [
      'an unbounded pattern',
      { ...base, texts: [{ ...rule, pattern: 'a.*b' }] },
      'texts[0].pattern must not repeat',
    ],
    ['providers among the rules', { ...base, providers: {} }, 'unknown field: "providers"'],
  ])('refuses %s', (_, json, problem) => {
    expect(() => compileBounceRules(json, providers)).toThrow(problem);
  });

  it('reports all errors together', () => {
    const json = { ...base, first: [{ ...rule, code: 'x' }], texts: [{ ...rule, pattern: '' }] };
    expect(() => compileBounceRules(json, providers)).toThrow(/first\[0\].*\n.*texts\[0\]/);
  });

  it('supports rules for several providers, and for peers without a known one', () => {
    const json = {
      ...base,
      first: [
        { ...rule, provider: ['google', 'yahoo'], category: 'tls' },
        { ...rule, provider: 'unknown', category: 'quota' },
      ],
    };
    const own = compileBounceRules(json, providers);
    const categoryAt = (provider?: string | null): string =>
      classOfReply(
        {
          phase: 'dot',
          code: 554,
          enhanced: null,
          text: 'a',
          ...(provider === undefined ? {} : { provider }),
        },
        own,
      ).category;
    expect(['google', 'yahoo', 'apple', null, undefined].map(categoryAt)).toEqual([
      'tls',
      'tls',
      'unknown',
      'quota',
      'quota',
    ]);
  });

  it('accepts a file of an earlier release, without doubts and proofs', () => {
    expect(compileBounceRules(base, null).doubts).toEqual([]);
    const old = { ...base, texts: [{ ...rule, category: 'invalid_recipient' }] };
    const found = classOfReply(
      { phase: 'rcpt', code: 550, enhanced: null, text: 'a' },
      compileBounceRules(old, null),
    );
    expect(found).toMatchObject({ category: 'invalid_recipient', isProof: false });
  });

  it("lets a doubt override a hard bounce, unless a provider's rule decided it", () => {
    const gone = { ...rule, category: 'invalid_recipient' };
    const doubts = [{ ...rule, pattern: 'b', category: 'policy' }];
    const own = compileBounceRules(
      { ...base, first: [{ ...gone, provider: 'google' }], texts: [gone], doubts },
      providers,
    );
    const categoryOf = (text: string, provider: string | null): string =>
      classOfReply({ phase: 'rcpt', code: 550, enhanced: null, text, provider }, own).category;
    expect(categoryOf('a b', null)).toBe('policy');
    expect(categoryOf('a https://example.org/b', null)).toBe('invalid_recipient');
    expect(categoryOf('a b', 'google')).toBe('invalid_recipient');
  });

  it('lets a table row override the basic code', () => {
    const own = compileBounceRules(
      {
        ...base,
        enhanced: { '7.99': { category: 'policy', disposition: 'retry' } },
      },
      null,
    );
    const found = classOfReply({ phase: 'rcpt', code: 550, enhanced: '5.7.99', text: '' }, own);
    expect(found).toEqual({
      category: 'policy',
      disposition: 'retry',
      isClear: true,
      by: 'enhanced 7.99',
      isProof: false,
    });
  });
});

describe('patterns', () => {
  it.each([
    'a+',
    'a*',
    '(?:a|b){2}',
    'a{2,}',
    'a{1,600}',
    '(a)\\1',
    '(?=a)',
    '(?<n>a)',
    '',
    '.{0,9}.{0,9}.{0,9}',
  ])('refuses %s', (source) => {
    expect(patternProblem(source)).not.toBeNull();
    expect(() => compileSafePattern(source)).toThrow();
  });

  it.each(['a\\+b', '[*+]', 'a.{0,40}b', '(?:a|b)?c', '\\bx\\b'])('accepts %s', (source) => {
    expect(patternProblem(source)).toBeNull();
  });

  it('of the shipped file match no words that begin inside another word', () => {
    const unbound = [...shipped.first, ...shipped.texts, ...shipped.doubts].flatMap(({ pattern }) => [
      ...alternativesOf(pattern).filter((one) => /^(?:\(\?:)?[a-z]/i.test(one)),
      // Including after a gap of any characters.
      ...(pattern.match(/\.\{0,\d+\}(?:\(\?:)?[a-z]/gi) ?? []),
    ]);
    expect(unbound).toEqual([]);
  });

  it('of the shipped file are fast on malicious texts', () => {
    const sources = [...shipped.first, ...shipped.texts].map((rule) => rule.pattern);
    expect(sources.length).toBeGreaterThan(20);
    for (const source of sources) {
      const pattern = compileSafePattern(source);
      // The pattern's own words, over and over, nearly matching at every place.
      const words = source
        .replace(/\\b|\{[^}]*\}/g, '')
        .split(/[^a-z ]+/i)
        .filter((word) => word.length > 1);
      const hostile = [...words, words.join(''), words.join(' '), ' ', 'a', '5.7.'].map((word) =>
        (word || 'x').repeat(512).slice(0, 512),
      );
      for (const text of hostile) {
        // The shortest of three, because a busy machine may interrupt one of them.
        const tries = [1, 2, 3].map(() => {
          const startedAt = performance.now();
          pattern.test(text);
          return performance.now() - startedAt;
        });
        expect(Math.min(...tries), `${source} on ${text.slice(0, 20)}`).toBeLessThan(50);
      }
    }
  });
});

describe('classOfReply', () => {
  it('without a reply returns network or TLS', () => {
    expect(classOfReply({ phase: 'data', code: null, enhanced: null, text: '' }, rules).category).toBe(
      'network',
    );
    expect(classOfReply({ phase: 'tls', code: null, enhanced: null, text: '' }, rules).category).toBe('tls');
  });

  it('does not treat a bare 550 at RCPT as a missing recipient', () => {
    const found = classOfReply({ phase: 'rcpt', code: 550, enhanced: null, text: 'no' }, rules);
    expect(found).toEqual({
      category: 'unknown',
      disposition: null,
      isClear: false,
      by: 'basic 550',
      isProof: false,
    });
  });
});
