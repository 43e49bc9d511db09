import { performance } from 'node:perf_hooks';
import { describe, expect, it } from 'vitest';
import {
  classOfReply,
  cleanReplyText,
  compileBounceRules,
  enhancedCodeIn,
  providerOf,
} from '../../src/rules/bounce-class.js';
import { compileLinearPattern, patternProblem } from '../../src/rules/linear-pattern.js';
import { readShipped } from '../../src/runtime/config/shipped.js';

const shipped = readShipped('bounce-rules') as { first: { pattern: string }[]; texts: { pattern: string }[] };
const rules = compileBounceRules(shipped);

describe('the text of a reply', () => {
  it('is joined, freed of continuation codes and control characters, and capped', () => {
    expect(cleanReplyText('550-5.1.1 No such\r\n550 user\u0007 here\u202e!')).toBe(
      '5.1.1 No such user here !',
    );
    expect(cleanReplyText('x'.repeat(5000))).toHaveLength(512);
  });

  it('may begin with the enhanced code', () => {
    expect(enhancedCodeIn('5.1.1 No such user')).toBe('5.1.1');
    expect(enhancedCodeIn('550 5.7.26 no')).toBe('5.7.26');
    expect(enhancedCodeIn('#5.1.0 Address rejected')).toBe('5.1.0');
    expect(enhancedCodeIn('version 5.1.1')).toBeNull();
  });
});

describe('providerOf', () => {
  it('needs every host to be the provider’s', () => {
    expect(providerOf(['aspmx.l.google.com', 'alt1.aspmx.l.google.com.'], rules)).toBe('google');
    expect(providerOf(['example-com.mail.protection.outlook.com'], rules)).toBe('microsoft');
    expect(providerOf(['aspmx.l.google.com', 'mx.example.com'], rules)).toBeNull();
    expect(providerOf(['notgoogle.com'], rules)).toBeNull();
    expect(providerOf([], rules)).toBeNull();
  });
});

describe('compileBounceRules', () => {
  const base = { providers: {}, enhanced: {}, first: [], texts: [] };
  it.each([
    ['a missing section', { ...base, enhanced: undefined }],
    ['an unknown category', { ...base, enhanced: { '1.1': 'nonsense' } }],
    [
      'an unknown provider',
      { ...base, first: [{ provider: 'x', code: '5', pattern: 'a', category: 'policy' }] },
    ],
    [
      'an unknown phase',
      { ...base, first: [{ phases: ['x'], code: '5', pattern: 'a', category: 'policy' }] },
    ],
    ['a stray key', { ...base, texts: [{ code: '5', pattern: 'a', category: 'policy', catgory: 'x' }] }],
    ['an unbounded pattern', { ...base, texts: [{ code: '5', pattern: 'a.*b', category: 'policy' }] }],
  ])('refuses %s', (_, json) => {
    expect(() => compileBounceRules(json)).toThrow();
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
    expect(() => compileLinearPattern(source)).toThrow();
  });

  it.each(['a\\+b', '[*+]', 'a.{0,40}b', '(?:a|b)?c', '\\bx\\b'])('accepts %s', (source) => {
    expect(patternProblem(source)).toBeNull();
  });

  it('of the shipped file stay quick on hostile texts', () => {
    const sources = [...shipped.first, ...shipped.texts].map((rule) => rule.pattern);
    expect(sources.length).toBeGreaterThan(20);
    for (const source of sources) {
      const pattern = compileLinearPattern(source);
      // The pattern's own words, over and over, nearly matching at every place.
      const words = source
        .replace(/\\b|\{[^}]*\}/g, '')
        .split(/[^a-z ]+/i)
        .filter((word) => word.length > 1);
      const hostile = [...words, words.join(''), words.join(' '), ' ', 'a', '5.7.'].map((word) =>
        (word || 'x').repeat(512).slice(0, 512),
      );
      for (const text of hostile) {
        const startedAt = performance.now();
        pattern.test(text);
        expect(performance.now() - startedAt, `${source} on ${text.slice(0, 20)}`).toBeLessThan(50);
      }
    }
  });
});

describe('classOfReply', () => {
  it('without a reply is a network or TLS matter', () => {
    expect(classOfReply({ phase: 'data', code: null, enhanced: null, text: '' }, rules).category).toBe(
      'network',
    );
    expect(classOfReply({ phase: 'tls', code: null, enhanced: null, text: '' }, rules).category).toBe('tls');
  });

  it('takes a bare 550 at RCPT for a missing recipient, though not a clear one', () => {
    const found = classOfReply({ phase: 'rcpt', code: 550, enhanced: null, text: 'no' }, rules);
    expect(found).toEqual({ category: 'invalid_recipient', disposition: null, isClear: false });
  });
});
