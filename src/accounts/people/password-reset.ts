// Resets a lost password by a mailed link that works once. The response does not wait for the work, so neither its content
// nor its duration reveals whether there is an account.
import { Refusal } from '../../contract/refusal.js';
import { addressKey } from '../../lib/mime/index.js';
import type { AccountContext } from '../context.js';
import { createSealToken, type SealToken } from '../../lib/secrets/index.js';
import { createUnsolicitedMailLimit, type CountUnsolicited } from '../unsolicited-mail.js';
import { refuseWeak } from './account.js';
import type { SystemMail } from '../system-mail.js';
import { resetMail } from './account-mail.js';
import { auditEntries, type Visitor } from '../audit/audit-entry.js';
import { newToken, hashToken } from '../sign-in/tokens.js';
import { passwordResets, knownPlaces, sessions } from '../sign-in/sign-in.tables.js';
import { insert, remove, update } from '../../database/rows.js';
import { users } from './people.tables.js';
import type { AccountStores } from '../stores.js';

const AGAIN_AFTER_MS = 60_000;
/** Limits the working links of one account, so that requests for someone else cannot fill a mailbox. */
const MAX_OPEN = 5;
const MAX_PENDING = 100;

const WHAT = 'a new password';
const INSTEAD = 'or have the operator run `mailkeel admin people set-password`.';
const GONE = 'This link has expired, or has already been used or replaced.';

export class PasswordResets {
  readonly #context: AccountContext;
  readonly #store: AccountStores;
  readonly #systemMail: SystemMail;
  /** Encrypts the token of the link in the stored mail. */
  readonly #seal: SealToken;
  readonly #count: CountUnsolicited;
  readonly #pending = new Set<Promise<void>>();

  constructor(context: AccountContext) {
    this.#context = context;
    this.#store = context.store;
    this.#systemMail = context.systemMail;
    this.#seal = createSealToken(context.masterKey);
    this.#count = createUnsolicitedMailLimit(context.masterKey);
  }

  /**
   * Starts mailing a link to the account's address. Refuses with `conflict` if no mail can be sent, whether or not there is
   * an account, and with `rate_limited` while too many wait.
   */
  async request(email: string): Promise<void> {
    const problem = await this.#systemMail.problem(WHAT, INSTEAD);
    if (problem !== null) throw new Refusal('conflict', problem);
    if (this.#pending.size >= MAX_PENDING) throw new Refusal('rate_limited');
    const work = this.#mailLink(email)
      .catch((error: unknown) => {
        // The address has received enough mail of this kind, which the response must not reveal.
        if (error instanceof Refusal && error.code === 'rate_limited') return;
        this.#context.log.error({ err: error }, 'password reset failed');
      })
      .finally(() => this.#pending.delete(work));
    this.#pending.add(work);
  }

  /**
   * Sets the password, and ends the lock and all sessions. Refuses with `not_found` if the link is invalid or no longer valid,
   * and a weak password with a 422.
   */
  async confirm({ token, password }: { token: string; password: string }, visitor: Visitor): Promise<void> {
    const { clock, passwords } = this.#context;
    const { people } = this.#store;
    const tokenHash = hashToken(token);
    const reset = tokenHash === null ? null : await people.passwordReset(tokenHash);
    const user = reset && reset.expires_at > clock() ? await people.user(reset.user_id) : null;
    if (!user || tokenHash === null) throw new Refusal('not_found', GONE);
    refuseWeak(password, user.email, 'password');
    const passwordHash = await passwords.hash(password);
    const now = clock();
    const where = { user_id: user.id };
    await this.#store.commit([
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
  }

  /** Resolves when no request is in progress. */
  async settled(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending);
  }

  async #mailLink(email: string): Promise<void> {
    const { clock, settings, wakeUps } = this.#context;
    const { people } = this.#store;
    const user = await people.userByEmail(addressKey(email));
    if (!user) return;
    const now = clock();
    const open = (await people.passwordResetsOf(user.id)).filter((reset) => reset.expires_at > now);
    const [newest] = open;
    if (open.length >= MAX_OPEN || (newest && now - newest.created_at < AGAIN_AFTER_MS)) return;
    const { token, tokenHash } = newToken();
    const link = `${settings.publicUrl}/reset-password#${this.#seal(token, user.email_key)}`;
    // The domain may have lost its key since the request.
    if ((await this.#systemMail.problem(WHAT)) !== null) return;
    const lifeMs = settings.passwordResetLifetimeMs;
    const mail = await this.#systemMail.plan({ ...resetMail({ to: user.email, link, lifeMs }), now });
    const row = { token_hash: tokenHash, user_id: user.id, expires_at: now + lifeMs, created_at: now };
    const counted = this.#count({ kind: 'password_reset', emailKey: user.email_key, askedBy: null, now });
    const { queueIds } = await this.#store.commit([counted, insert(passwordResets, { row }), ...mail]);
    wakeUps.queue(queueIds);
    wakeUps.events();
  }
}

/** Sets a password, and ends the lock and all sessions. A second factor remains. */
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
