import { describe, expect, it } from 'vitest';
import { comparableLine, compileWildcard, wildcardProblem } from '../../src/lib/patterns/index.js';
import { compileReplyRules } from '../../src/inbound/replies/reply-rules.rules.js';
import { shippedReplyRules } from '../support/reply-rules.js';

describe('a wildcard pattern', () => {
  it.each([
    ['On % wrote:', 'On Monday, Ann wrote:', true],
    ['On % wrote:', 'on monday ann WROTE :', true],
    ['On % wrote:', 'On wrote:', false],
    ['On % wrote:', 'Only Ann wrote:', false],
    ['On % wrote:', 'On Monday, Ann wrote: yes', false],
    ['Am % schrieb%:', 'Am 16. schrieb Ann:', true],
    ['Am % schrieb%:', 'Am 16. schrieb:', true],
    ['Am % schrieb%:', 'Am 16. rief Ann:', false],
    ['% wrote:', 'Ann wrote:', true],
    ['Sent from my %', 'Sent from my\u00a0phone', true],
    ['Sent from my %', 'Sent from me', false],
    ['%写道:', '在 Ann 写道：', true],
    ['Automatic reply', 'automatic reply', true],
    ['Automatic reply', 'automatic reply: x', false],
    ['a % a', 'a a', false],
  ])('%s on "%s": %s', (source, line, fits) => {
    expect(wildcardProblem(source)).toBeNull();
    expect(compileWildcard(source).fits(comparableLine(line))).toBe(fits);
  });

  it('requires a word', () => {
    expect(wildcardProblem('%')).toContain('word');
    expect(wildcardProblem(' % % ')).toContain('word');
    expect(wildcardProblem('x'.repeat(121))).toContain('120');
  });
});

describe('compileReplyRules', () => {
  const lists = {
    attributions: {},
    original: {},
    forwarded: {},
    reply_above: {},
    signatures: {},
    footers: {},
  };
  const html = { quoted: [], attribution: [], cut: [], forward: [], signature: [] };
  const auto = { machine_subjects: {}, absence_words: {}, challenge_subjects: {}, receipt_subjects: {} };
  const base = { ...lists, labels: {}, html, auto_replies: auto };

  it('accepts the shipped file', () => {
    const rules = shippedReplyRules();
    expect(rules.attributions.length).toBeGreaterThan(40);
    expect(rules.labels.get('gesendet')).toBe('date');
    expect(rules.elements.get('type=cite')).toEqual([{ tag: 'blockquote', meaning: 'quoted' }]);
    const firstOpen = rules.attributions.findIndex((pattern) => pattern.isOpen);
    expect(rules.attributions.slice(firstOpen).every((pattern) => pattern.isOpen)).toBe(true);
  });

  it('accepts a file without phrases', () => {
    expect(compileReplyRules(base).attributions).toEqual([]);
  });

  it.each([
    ['a missing list', { ...base, footers: undefined }, 'footers must be an object'],
    ['a stray key', { ...base, colours: {} }, 'unknown field: "colours"'],
    [
      'a language that is none',
      { ...base, footers: { 'English, US': [] } },
      'footers must be grouped by language',
    ],
    [
      'a word that is none',
      { ...base, footers: { en: ['a', 7] } },
      'footers.en[1] must be a non-empty string',
    ],
    ['a pattern of gaps', { ...base, original: { en: ['%'] } }, 'original.en[0] must have a word'],
    ['no list', { ...base, reply_above: { en: 'x' } }, 'reply_above.en must be a list'],
    [
      'a label of two meanings',
      {
        ...base,
        labels: {
          en: { from: ['From'], date: [], to: [], cc: [], subject: [] },
          xx: { from: [], date: [], to: ['from'], cc: [], subject: [] },
        },
      },
      'labels.xx.to uses a label that already means "from"',
    ],
    ['a selector of two elements', { ...base, html: { ...html, cut: ['div p'] } }, 'html.cut[0] must be'],
  ])('refuses %s', (_, json, problem) => {
    expect(() => compileReplyRules(json)).toThrow(problem);
  });
});
