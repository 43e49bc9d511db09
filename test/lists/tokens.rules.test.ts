// Tests the tokens of sign-up pages and confirmations.
import { describe, expect, it } from 'vitest';
import {
  confirmationToken,
  readConfirmationToken,
  readSignUpToken,
  signUpToken,
} from '../../src/lists/sign-up/tokens.rules.js';

const KEY = { id: 3, secret: Buffer.alloc(32, 5) };
const OTHER = { id: 3, secret: Buffer.alloc(32, 6) };
const listId = 'lst_01kdyak3se4w5amvgkazjzkvb7';
const contactId = 'cnt_01kdyak3sezbxyenfkwdfcqtcv';

describe.each(['live', 'test'] as const)('tokens of %s', (mode) => {
  it('can be read in any letter case, with their key only', () => {
    const page = signUpToken({ listId, mode }, KEY);
    expect(readSignUpToken(page.toUpperCase(), [KEY])).toEqual({ listId, mode });
    expect(readSignUpToken(page, [OTHER])).toBeNull();
    const pending = { listId, mode, contactId, hour: 490_123 };
    const token = confirmationToken(pending, KEY);
    expect(readConfirmationToken(token, [OTHER, KEY])).toBeNull();
    expect(readConfirmationToken(token, [KEY])).toEqual(pending);
  });

  it('are valid for one use, and not after any change', () => {
    const page = signUpToken({ listId, mode }, KEY);
    expect(readConfirmationToken(page, [KEY])).toBeNull();
    for (let i = 0; i < page.length; i++) {
      const changed = `${page.slice(0, i)}${page[i] === '0' ? '2' : '0'}${page.slice(i + 1)}`;
      expect(readSignUpToken(changed, [KEY])).toBeNull();
    }
    expect(readSignUpToken('', [KEY])).toBeNull();
  });
});
