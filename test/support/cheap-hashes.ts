// Set up in each worker. Hashes passwords (Argon2id) and passphrases (scrypt) at the lowest cost that the formats allow. At the
// program's costs, a password takes 16 ms of a core and a backup's passphrase 300 ms. `useRealCosts` is for tests of the costs.
import crypto, { type ScryptOptions } from 'node:crypto';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import type * as argon2Module from '@node-rs/argon2';

/** The cost in `src/lib/secrets/passphrase.ts`, and the replacement, for sealing and opening in this process. */
const SCRYPT_N = { asked: 65_536, given: 1_024 };
/** KiB, and passes over them. */
const ARGON2_LEAST = { memoryCost: 8, timeCost: 1 };

/** A hash of no real password, which contains its own costs (src/accounts/people/passwords.ts). It never matches. */
const NOBODYS = '$argon2id$v=19$m=19456,t=2,p=1$bgz11unAJfYvh/XaF5SSKw$';
const NOBODYS_LEAST = NOBODYS.replace(
  'm=19456,t=2',
  `m=${ARGON2_LEAST.memoryCost},t=${ARGON2_LEAST.timeCost}`,
);

const HASHES_CHEAPLY = Symbol.for('mailkeel.test.hashes-cheaply');
const patched = crypto as unknown as Record<PropertyKey, unknown>;
const costs = (patched[HASHES_CHEAPLY] ??= patch()) as { areReal: boolean };

/** Applies until `useCheapCosts`. */
export function useRealCosts(): void {
  costs.areReal = true;
}

export function useCheapCosts(): void {
  costs.areReal = false;
}

function patch(): { areReal: boolean } {
  const state = { areReal: false };
  const argon2 = createRequire(import.meta.url)('@node-rs/argon2') as {
    -readonly [name in keyof typeof argon2Module]: (typeof argon2Module)[name];
  };
  const realHash = argon2.hash;
  argon2.hash = (password, options, signal) =>
    realHash(password, state.areReal ? options : { ...options, ...ARGON2_LEAST }, signal);
  const realVerify = argon2.verify;
  argon2.verify = (hashed, ...rest) =>
    realVerify(
      state.areReal || typeof hashed !== 'string' ? hashed : hashed.replace(NOBODYS, NOBODYS_LEAST),
      ...rest,
    );
  const realScrypt = crypto.scrypt as unknown as (...given: unknown[]) => void;
  patched['scrypt'] = (
    password: unknown,
    salt: unknown,
    length: unknown,
    options: ScryptOptions,
    ...rest: unknown[]
  ) => {
    const isCheap = !state.areReal && options.N === SCRYPT_N.asked;
    realScrypt(password, salt, length, isCheap ? { ...options, N: SCRYPT_N.given } : options, ...rest);
  };
  syncBuiltinESMExports();
  return state;
}
