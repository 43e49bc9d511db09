import { describe, expect, it } from 'vitest';
import { FEEDBACK_TYPES, type FeedbackType } from '../../src/lib/dsn/index.js';
import { classifyComplaint, type ComplaintFacts } from '../../src/inbound/classify/complaint.rules.js';

type Dkim = [result: string, aligned: boolean][];
const facts = (type: FeedbackType, dkim: Dkim | null, sourceIsConfigured = false): ComplaintFacts => ({
  report: { type },
  authentication: dkim && { dkim: dkim.map(([result, aligned]) => ({ result, aligned })) },
  sourceIsConfigured,
});

describe('trust in a complaint with', () => {
  it.each<[string, Dkim | null, boolean, string]>([
    ['a signature of the reporter', [['pass', true]], false, 'complaint'],
    [
      'beside others',
      [
        ['fail', true],
        ['pass', false],
        ['pass', true],
      ],
      false,
      'complaint',
    ],
    ['none', [], false, 'untrusted'],
    ['one that fails', [['fail', true]], false, 'untrusted'],
    ['one that could not be checked', [['temperror', true]], false, 'untrusted'],
    ['one of another domain', [['pass', false]], false, 'untrusted'],
    [
      'one that fails, and one of somebody else',
      [
        ['fail', true],
        ['pass', false],
      ],
      false,
      'untrusted',
    ],
    ['mail that was not authenticated', null, false, 'untrusted'],
    ['a configured source, without any signature', [], true, 'complaint'],
    ['a configured source, not authenticated', null, true, 'complaint'],
  ])('%s', (_, dkim, sourceIsConfigured, expected) => {
    expect(classifyComplaint(facts('abuse', dkim, sourceIsConfigured))).toBe(expected);
  });
});

describe('the type of a complaint', () => {
  it.each<[FeedbackType, string, string]>([
    ['abuse', 'complaint', 'untrusted'],
    ['fraud', 'complaint', 'untrusted'],
    ['opt-out', 'complaint', 'untrusted'],
    ['not-spam', 'not_spam', 'untrusted'],
    ['virus', 'other', 'other'],
    ['auth-failure', 'other', 'other'],
    ['other', 'other', 'other'],
  ])('%s is %s, and of a stranger %s', (type, trusted, untrusted) => {
    expect(classifyComplaint(facts(type, [['pass', true]]))).toBe(trusted);
    expect(classifyComplaint(facts(type, null, true))).toBe(trusted);
    expect(classifyComplaint(facts(type, []))).toBe(untrusted);
  });

  it('has a meaning for every value', () => {
    for (const type of FEEDBACK_TYPES)
      expect(classifyComplaint(facts(type, null, true))).not.toBe('untrusted');
  });
});
