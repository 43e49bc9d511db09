// Set up in each worker: passwords (Argon2id) and passphrases (scrypt) are hashed at the least cost that the formats allow. At the
// costs of the program a password takes 16 ms of a core and a backup's passphrase 300 ms. `useRealCosts` is for tests about them.
import crypto, { type ScryptOptions } from 'node:crypto';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import type * as argon2Module from '@node-rs/argon2';

/** What `src/lib/runtime/passphrase.ts` asks for, and what it gets here, where sealing and opening are both in this process. */
const SCRYPT_N = { asked: 65_536, given: 1_024 };
/** KiB, and passes over them. */
const ARGON2_LEAST = { memoryCost: 8, timeCost: 1 };

const HASHES_CHEAPLY = Symbol.for('posthorn.test.hashes-cheaply');
const patched = crypto as unknown as Record<PropertyKey, unknown>;
const costs = (patched[HASHES_CHEAPLY] ??= patch()) as { areReal: boolean };

/** From here to `useCheapCosts`. */
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
