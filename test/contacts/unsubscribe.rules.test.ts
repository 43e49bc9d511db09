// Tests unsubscribe tokens and the two header fields of one-click unsubscribing.
import { describe, expect, it } from 'vitest';
import {
  listUnsubscribeHeaders,
  readUnsubscribeToken,
  SAMPLE_TOKEN,
  unsubscribeToken,
} from '../../src/contacts/unsubscribe.rules.js';
import { returnPathLocal } from '../../src/messages/verp.rules.js';
import { newId } from '../../src/lib/runtime/index.js';

const key = { id: 3, secret: Buffer.alloc(32, 7) };
const messageId = newId('msg', 1_770_000_000_000);

describe('the unsubscribe token', () => {
  const token = unsubscribeToken(messageId, key);

  it('is valid in a URL and a mail address, and readable in any case', () => {
    expect(token).toMatch(/^[0-9a-z]{53}$/);
    expect(readUnsubscribeToken(token, [key])).toBe(messageId);
    expect(readUnsubscribeToken(token.toUpperCase(), [key])).toBe(messageId);
  });

  it('cannot be forged', () => {
    expect(readUnsubscribeToken(token, [{ id: 3, secret: Buffer.alloc(32, 8) }])).toBeNull();
    expect(readUnsubscribeToken(token, [{ ...key, id: 4 }])).toBeNull();
    expect(readUnsubscribeToken(`${token.slice(0, -1)}0`, [key]) === null || token.endsWith('0')).toBe(true);
    expect(readUnsubscribeToken(returnPathLocal({ messageId, domain: '', key }).slice(2), [key])).toBeNull();
    expect(readUnsubscribeToken('', [key])).toBeNull();
  });

  it('is as long as its sample in previews', () => {
    expect(SAMPLE_TOKEN).toHaveLength(token.length);
    expect(readUnsubscribeToken(SAMPLE_TOKEN, [key])).toBeNull();
  });
});

describe('the header fields', () => {
  it('offer HTTPS and mail with one click', () => {
    expect(listUnsubscribeHeaders('https://m.example.com/u/t', 'unsubscribe+t@example.com')).toEqual([
      [
        'List-Unsubscribe',
        '<https://m.example.com/u/t>, <mailto:unsubscribe+t@example.com?subject=unsubscribe>',
      ],
      ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'],
    ]);
    expect(listUnsubscribeHeaders('https://m.example.com/u/t', null)[0]?.[1]).toBe(
      '<https://m.example.com/u/t>',
    );
  });

  it.each(['https://x/>,<https://y', 'https://x/\r\nBcc: a@b.c', 'https://x/ y'])('throw for %j', (url) => {
    expect(() => listUnsubscribeHeaders(url, null)).toThrow(Error);
    expect(() => listUnsubscribeHeaders('https://x/', url)).toThrow(Error);
  });
});
