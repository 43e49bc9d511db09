// Tests signed return paths: Mailkeel's are read in any case, and all others are ignored.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unsubscribeToken } from '../../src/contacts/unsubscribe.rules.js';
import { readReturnPathLocal, returnPathLocal } from '../../src/messages/verp.rules.js';
import { newId } from '../../src/lib/runtime/index.js';
import { anyText } from '../support/any-text.js';

const old = { id: 30, secret: Buffer.alloc(32, 1) };
const current = { id: 31, secret: Buffer.alloc(32, 2) };
const messageId = newId('msg', 1_770_000_000_000);
const domain = 'bounce.example.com';
const local = returnPathLocal({ messageId, domain, key: current });

describe('the return path', () => {
  it('fits a local part and is plain lowercase ASCII', () => {
    expect(local).toMatch(/^b-[0-9a-z]{43}$/);
  });

  it('is the same for the same message, key and domain', () => {
    expect(returnPathLocal({ messageId, domain, key: current })).toBe(local);
  });

  it.each([local, local.toUpperCase(), local.replace('b-', 'B-')])('reads %s', (given) => {
    expect(readReturnPathLocal(given, domain, [current])).toBe(messageId);
    expect(readReturnPathLocal(given, 'Bounce.EXAMPLE.com', [old, current])).toBe(messageId);
  });

  it('reads tokens signed by an older key of the ring', () => {
    const before = returnPathLocal({ messageId, domain, key: old });
    expect(readReturnPathLocal(before, domain, [current, old])).toBe(messageId);
    expect(readReturnPathLocal(before, domain, [current])).toBeNull();
  });

  it.each([
    ['another domain', local, 'bounce.example.net', [current]],
    ['another secret under the same key id', local, domain, [{ id: 31, secret: Buffer.alloc(32, 9) }]],
    ['no keys', local, domain, []],
    ['the empty string', '', domain, [current]],
    ['the prefix alone', 'b-', domain, [current]],
    ['a token without its prefix', local.slice(2), domain, [current]],
    ['one character less', local.slice(0, -1), domain, [current]],
    ['one character more', `${local}0`, domain, [current]],
    ['a letter outside the alphabet', `${local.slice(0, -1)}u`, domain, [current]],
    ['a letter that folds to ascii', local.replace(/k|$/, '\u212a'), domain, [current]],
    ['an unsubscribe token', `b-${unsubscribeToken(messageId, current)}`, domain, [current]],
  ])('does not read %s', (_name, given, at, keys) => {
    expect(readReturnPathLocal(given, at, keys)).toBeNull();
  });

  it('is invalid after a change of any character', () => {
    for (let i = 2; i < local.length; i++) {
      const changed = local.charAt(i) === '0' ? '1' : '0';
      expect(
        readReturnPathLocal(local.slice(0, i) + changed + local.slice(i + 1), domain, [old, current]),
      ).toBeNull();
    }
  });

  it('parses any text without throwing', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 100 }), (text) => {
        expect(readReturnPathLocal(`b-${text}`, domain, [current])).toBeNull();
      }),
    );
  });

  it('is only created for message ids and one-character key ids', () => {
    expect(() => returnPathLocal({ messageId: 'evt_x', domain, key: current })).toThrow(Error);
    for (const id of [-1, 32, 1.5]) {
      expect(() => returnPathLocal({ messageId, domain, key: { id, secret: old.secret } })).toThrow(Error);
    }
  });
});
