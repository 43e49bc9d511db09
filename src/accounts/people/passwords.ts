// Passwords as Argon2id (RFC 9106), in threads of the pool, two at a time: each takes 19 MiB and a core for some milliseconds.
import { hash, verify } from '@node-rs/argon2';
import { Refusal } from '../../contract/refusal.js';
import { normalizedPassword } from './password.rules.js';
import { createSemaphore } from '../../lib/runtime/semaphore.js';

/** The least that OWASP's password storage page recommends for Argon2id. */
export const ARGON2_PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 } as const;
const AT_ONCE = 2;
/** More than a client address may try in a minute; the wait stays below some seconds. */
const MAX_WAITING = 200;

/** Of 32 random bytes that were thrown away, with the parameters above: verified where there is no account. */
export const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$bgz11unAJfYvh/XaF5SSKw$+xR8JJH41rsUUbHpMIJB5QWe281ZJIx4fsYrKmC7d08';

export interface Passwords {
  /** The text that `users.password_hash` keeps. Refuses with `rate_limited` while too many wait. */
  hash(password: string): Promise<string>;
  /** With null, which is nobody's, it takes as long and is false. Refuses like `hash`. */
  verify(passwordHash: string | null, password: string): Promise<boolean>;
}

export function createPasswords(): Passwords {
  const semaphore = createSemaphore(AT_ONCE);

  function run<T>(work: () => Promise<T>): Promise<T> {
    const running = semaphore.tryRun(work, MAX_WAITING);
    if (!running)
      throw new Refusal('rate_limited', 'Too many sign-ins are in progress. Try again in a moment.');
    return running;
  }

  return {
    hash: async (password) => run(() => hash(normalizedPassword(password), ARGON2_PARAMETERS)),
    async verify(passwordHash, password) {
      const matches = await run(() => verify(passwordHash ?? NOBODYS_HASH, normalizedPassword(password)));
      return matches && passwordHash !== null;
    },
  };
}
