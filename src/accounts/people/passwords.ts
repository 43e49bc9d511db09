// Hashes passwords with Argon2id (RFC 9106) in pool threads, two at a time, because each needs 19 MiB and a core for some
// milliseconds.
import { hash, verify } from '@node-rs/argon2';
import { Refusal } from '../../contract/refusal.js';
import { normalizedPassword } from './password.rules.js';
import { createSemaphore } from '../../lib/concurrency/index.js';

/** Minimum that OWASP's Password Storage Cheat Sheet recommends for Argon2id. */
export const ARGON2_PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 } as const;
const AT_ONCE = 2;
/** More than a client address may try in a minute, and few enough that the wait stays below some seconds. */
const MAX_WAITING = 200;

/** Hash of 32 random bytes that were discarded, with the parameters above. Verified if there is no account. */
export const DUMMY_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$bgz11unAJfYvh/XaF5SSKw$+xR8JJH41rsUUbHpMIJB5QWe281ZJIx4fsYrKmC7d08';

export class Passwords {
  readonly #semaphore = createSemaphore(AT_ONCE);

  /** Returns the text for `users.password_hash`. Refuses with `rate_limited` while too many wait. */
  hash(password: string): Promise<string> {
    return this.#run(() => hash(normalizedPassword(password), ARGON2_PARAMETERS));
  }

  /** Returns false for a null hash, taking the same time as for any other. Refuses like `hash`. */
  async verify(passwordHash: string | null, password: string): Promise<boolean> {
    const normalized = normalizedPassword(password);
    const matches = await this.#run(() => verify(passwordHash ?? DUMMY_HASH, normalized));
    return matches && passwordHash !== null;
  }

  async #run<T>(work: () => Promise<T>): Promise<T> {
    const running = this.#semaphore.tryRun(work, MAX_WAITING);
    if (!running) {
      throw new Refusal('rate_limited', 'Too many sign-ins are in progress. Try again in a moment.');
    }
    return running;
  }
}
