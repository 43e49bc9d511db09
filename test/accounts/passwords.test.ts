// Tests stored passwords and recovery codes.
import { parseOptions } from '@node-rs/argon2';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ARGON2_PARAMETERS, Passwords, DUMMY_HASH } from '../../src/accounts/people/passwords.js';
import {
  newRecoveryCodes,
  openTotp,
  remainingRecoveryCodes,
  sealTotp,
  totpStep,
  withoutRecoveryCode,
} from '../../src/accounts/sign-in/totp.js';
import { useCheapCosts, useRealCosts } from '../support/cheap-hashes.js';

const ARGON2ID = 2;

beforeAll(useRealCosts);
afterAll(useCheapCosts);

it('use the same Argon2id parameters for unknown accounts, so that both take equally long', async () => {
  const passwords = new Passwords();
  const made = await passwords.hash('the lamp is on the left side');
  for (const hash of [made, DUMMY_HASH]) {
    expect(parseOptions(hash)).toMatchObject({ ...ARGON2_PARAMETERS, algorithm: ARGON2ID, saltLen: 16 });
  }
  expect(await passwords.verify(made, 'the lamp is on the left side')).toBe(true);
  expect(await passwords.verify(made, 'the lamp is on the right side')).toBe(false);
  expect(await passwords.verify(null, 'the lamp is on the left side')).toBe(false);
  expect(await passwords.hash('the lamp is on the left side')).not.toBe(made);
});

it('accept either Unicode spelling of a letter', async () => {
  const passwords = new Passwords();
  expect(await passwords.verify(await passwords.hash('caf\u00e9 au lait'), 'cafe\u0301 au lait')).toBe(true);
});

it("don't block the event loop", async () => {
  const passwords = new Passwords();
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 1);
  await Promise.all(Array.from({ length: 6 }, () => passwords.hash('the lamp is on the left side')));
  clearInterval(timer);
  expect(turns).toBeGreaterThan(3);
});

it('have authenticator codes according to RFC 6238', () => {
  // appendix B: the secret in Base32, the last six of its eight digits
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
  expect(totpStep(secret, '287082', 59_000)).toBe(1);
  expect(totpStep(secret, '081804', 1_111_111_109_000)).toBe(37_037_036);
  expect(totpStep(secret, '287082', 89_000)).toBe(1); // one step late
  expect(totpStep(secret, '287082', 29_000)).toBe(1); // one step early
  expect(totpStep(secret, '287082', 90_000)).toBeNull();
  for (const code of ['', '28708', '2870822', 'abcdef', '２８７０８２'])
    expect(totpStep(secret, code, 59_000)).toBeNull();
});

it('have a TOTP secret that only its owner can decrypt', () => {
  const key = Buffer.alloc(32, 3);
  const sealed = sealTotp(key, 'GEZDGNBVGY3TQOJQ', 'usr_one');
  expect(openTotp(key, sealed, 'usr_one')).toBe('GEZDGNBVGY3TQOJQ');
  expect(() => openTotp(key, sealed, 'usr_two')).toThrow();
});

it('have recovery codes that work once each', () => {
  const { codes, stored } = newRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  expect(stored).not.toContain(codes[0]);
  let left = stored;
  for (const code of codes) {
    const after = withoutRecoveryCode(left, code);
    expect(after).not.toBeNull();
    expect(withoutRecoveryCode(after ?? '', code)).toBeNull();
    left = after ?? '';
  }
  expect([remainingRecoveryCodes(stored), remainingRecoveryCodes(left)]).toEqual([10, 0]);
  expect(withoutRecoveryCode(stored, '')).toBeNull();
});
