// A new password for who has lost theirs: a mailed link that works once. The answer reveals nothing: it does not wait
// for the work, so that it says no more by its time than by its words.
import { Refusal } from '../../contract/refusal.js';
import { addressKey } from '../../lib/mime/address.js';
import type { Clock } from '../../lib/runtime/clock.js';
import type { Log } from '../../lib/runtime/log.js';
import type { SealToken } from '../../lib/runtime/mailed-token.js';
import type { CountUnsolicited } from '../unsolicited-mail.js';
import { refuseWeak } from './account.js';
import type { SystemMail } from '../system-mail.js';
import { resetMail } from './account-mail.js';
import { auditEntries, type Visitor } from '../audit/audit-entry.js';
import type { Passwords } from './passwords.js';
import { newToken, tokenHashOf } from '../sign-in/tokens.js';
import { passwordResets, knownPlaces, sessions } from '../sign-in/sign-in.tables.js';
import { insert, remove, update } from '../../database/rows.js';
import { users } from './people.tables.js';
import type { AccountStores } from '../stores.js';

const AGAIN_AFTER_MS = 60_000;
/** Links of one account that work at a time: whoever asks for others' resets fills no mailbox. */
const MAX_OPEN = 5;
const MAX_PENDING = 100;

const WHAT = 'a new password';
const INSTEAD = 'or have the operator run `mailkeel admin people set-password`.';
const GONE = 'This link has expired, or has already been used or replaced.';

export interface PasswordResetsDeps {
  store: Pick<AccountStores, 'people' | 'commit'>;
  passwords: Passwords;
  systemMail: SystemMail;
  /** Seals the token of the link in the stored mail. */
  seal: SealToken;
  count: CountUnsolicited;
  clock: Clock;
  log: Log;
  wakeUps: { queue(queueIds: readonly number[]): void; events(): void };
  publicUrl: string;
  lifetimeMs: number;
}

export interface PasswordResets {
  /**
   * Mails a link to the account's address, in its own time. Refuses with `conflict` while no mail can leave, whether there
   * is such an account or not, and with `rate_limited` while too many wait.
   */
  request(email: string): Promise<void>;
  /**
   * Sets the password, ends the lock and all sessions. Refuses with `not_found` when the link does not work (any more), and with a
   * 422 of `password`.
   */
  confirm(reset: { token: string; password: string }, visitor: Visitor): Promise<void>;
  /** Resolves when nothing that was requested is under way. */
  settled(): Promise<void>;
}

export function createPasswordResets(deps: PasswordResetsDeps): PasswordResets {
  const { store, passwords, systemMail, clock, log, wakeUps, publicUrl, lifetimeMs } = deps;
  const { people } = store;
  const pending = new Set<Promise<void>>();

  async function mailLink(email: string): Promise<void> {
    const user = await people.userByEmail(addressKey(email));
    if (!user) return;
    const now = clock();
    const open = (await people.passwordResetsOf(user.id)).filter((reset) => reset.expires_at > now);
    const [newest] = open;
    if (open.length >= MAX_OPEN || (newest && now - newest.created_at < AGAIN_AFTER_MS)) return;
    const { token, tokenHash } = newToken();
    const link = `${publicUrl}/reset-password#${deps.seal(token, user.email_key)}`;
    // The domain may have lost its key since the request was taken.
    if ((await systemMail.problem(WHAT)) !== null) return;
    const mail = await systemMail.plan({ ...resetMail({ to: user.email, link, lifeMs: lifetimeMs }), now });
    const row = { token_hash: tokenHash, user_id: user.id, expires_at: now + lifetimeMs, created_at: now };
    const counted = deps.count({
      kind: 'password_reset',
      emailKey: user.email_key,
      askedBy: null,
      now,
    });
    const { queueIds } = await store.commit([counted, insert(passwordResets, { row }), ...mail]);
    wakeUps.queue(queueIds);
    wakeUps.events();
  }

  return {
    async request(email) {
      const problem = await systemMail.problem(WHAT, INSTEAD);
      if (problem !== null) throw new Refusal('conflict', problem);
      if (pending.size >= MAX_PENDING) throw new Refusal('rate_limited');
      const work = mailLink(email)
        .catch((error: unknown) => {
          // Enough mail of the kind has gone to the address; the answer does not say so.
          if (error instanceof Refusal && error.code === 'rate_limited') return;
          log.error({ err: error }, 'password reset failed');
        })
        .finally(() => pending.delete(work));
      pending.add(work);
    },

    async confirm({ token, password }, visitor) {
      const tokenHash = tokenHashOf(token);
      const reset = tokenHash === null ? null : await people.passwordReset(tokenHash);
      const user = reset && reset.expires_at > clock() ? await people.user(reset.user_id) : null;
      if (!user || tokenHash === null) throw new Refusal('not_found', GONE);
      refuseWeak(password, user.email, 'password');
      const passwordHash = await passwords.hash(password);
      const now = clock();
      const where = { user_id: user.id };
      await store.commit([
        remove(passwordResets, {
          where: { ...where, token_hash: tokenHash },
          otherwise: { code: 'not_found', message: GONE },
        }),
        remove(passwordResets, { where }),
        ...planNewPassword(user.id, passwordHash, now),
        ...auditEntries({
          organizationIds: await people.organizationIdsOf(user.id),
          action: 'auth.resetPassword',
          actor: { kind: 'user', id: user.id },
          targetId: user.id,
          visitor,
          now,
        }),
      ]);
    },

    async settled() {
      while (pending.size > 0) await Promise.all(pending);
    },
  };
}

/** Sets a password, ends the lock and all sessions; a second factor stays. */
export function planNewPassword(userId: string, passwordHash: string, now: number) {
  return [
    update(users, {
      set: {
        password_hash: passwordHash,
        password_changed_at: now,
        failures: 0,
        locked_until: null,
        updated_at: now,
      },
      where: { id: userId },
    }),
    update(knownPlaces, { set: { failures: 0, locked_until: null }, where: { user_id: userId } }),
    remove(sessions, { where: { user_id: userId } }),
  ] as const;
}
