// Tests that links are stored sealed, and are only opened in the copy of their recipient.
import { describe, expect, it } from 'vitest';
import { createOpenTokens, createSealToken } from '../../../src/lib/secrets/mailed-token.js';

const KEY = Buffer.alloc(32, 5);
const seal = createSealToken(KEY);
const open = createOpenTokens(KEY);

describe('a mailed link', () => {
  it('is decrypted for its recipient, in text and HTML', () => {
    const link = `https://mail.example/confirm/${seal('the-token', 'ann@example.com')}`;
    expect(link).not.toContain('the-token');
    expect(open(`Open ${link}\n`, 'ann@example.com')).toBe('Open https://mail.example/confirm/the-token\n');
    expect(open(`<a href="${link}">x</a>`, 'ann@example.com')).toContain(
      'href="https://mail.example/confirm/the-token"',
    );
  });

  it.each([
    ['another recipient', KEY, 'bob@example.com'],
    ['another key', Buffer.alloc(32, 6), 'ann@example.com'],
  ])('stays sealed for %s', (_, key, recipient) => {
    const text = `https://mail.example/confirm/${seal('the-token', 'ann@example.com')}`;
    expect(createOpenTokens(key)(text, recipient)).toBe(text);
  });

  it('does not change text that only looks like one', () => {
    const text = `~s1.short and ~s1.${'A'.repeat(100)}`;
    expect(open(text, 'ann@example.com')).toBe(text);
  });
});
