// Changes a person's own account: name, password, and second factor.
import { Refusal, invalidFields } from '../../contract/refusal.js';
import { passwordProblem } from './password.rules.js';
import type { AccountContext } from '../context.js';
import { auditEntries, type Visitor } from '../audit/audit-entry.js';
import { verifyFactors, type Factors } from '../sign-in/verify-factors.js';
import { endOtherSessions } from '../sign-in/sessions.js';
import { newRecoveryCodes, newTotp, openTotp, sealTotp, totpStep, type NewTotp } from '../sign-in/totp.js';
import { type Session, passwordResets } from '../sign-in/sign-in.tables.js';
import { type User, users } from './people.tables.js';
import { update, remove } from '../../database/rows.js';

const CHANGED = {
  code: 'conflict',
  message: 'The account was changed by another request. Try again.',
} as const;

/** Refuses a weak password with a 422 for the field. */
export function refuseWeak(password: string, email: string, field: string): void {
  const problem = passwordProblem(password, email);
  if (problem !== null) throw invalidFields([{ path: field, message: problem }]);
}

export class Account {
  readonly #context: AccountContext;

  constructor(context: AccountContext) {
    this.#context = context;
  }

  async read(userId: string): Promise<User> {
    const user = await this.#context.store.people.user(userId);
    if (!user) throw new Refusal('unauthorized', 'The account no longer exists.');
    return user;
  }

  async rename(userId: string, name: string | null): Promise<User> {
    const set = { name, updated_at: this.#context.clock() };
    await this.#context.store.commit([update(users, { set, where: { id: userId } })]);
    return this.read(userId);
  }

  /** Changes the password. Ends the person's other sessions and revokes password reset links. */
  async changePassword(
    session: Session,
    { current, next }: { current: string; next: string },
    visitor: Visitor,
  ): Promise<void> {
    const user = await this.read(session.user_id);
    refuseWeak(next, user.email, 'new');
    const factors = { password: current };
    const change = await this.#verified(user, factors, { visitor, passwordOnly: true }, 'current');
    const now = this.#context.clock();
    const passwordHash = await this.#context.passwords.hash(next);
    const set = { ...change.set, password_hash: passwordHash, password_changed_at: now, updated_at: now };
    await this.#context.store.commit([
      update(users, { ...change, set, otherwise: CHANGED }),
      remove(passwordResets, { where: { user_id: user.id } }),
      ...endOtherSessions(session),
      ...(await this.#entries(user, 'auth.changePassword', visitor, now)),
    ]);
  }

  /**
   * Returns a new secret, which is not in use yet. Requires the password, so that another person at an open browser cannot lock the
   * owner out with a second factor. Refuses with `conflict` while one is in use.
   */
  async beginTotp(session: Session, password: string, visitor: Visitor): Promise<NewTotp> {
    const user = await this.read(session.user_id);
    if (user.totp_confirmed_at !== null) {
      throw new Refusal('conflict', 'The account already has an authenticator app. Remove it first.');
    }
    const change = await this.#verified(user, { password }, { visitor, passwordOnly: true }, 'password');
    const totp = newTotp(user.email);
    const now = this.#context.clock();
    const set = {
      ...change.set,
      totp_sealed: sealTotp(this.#context.masterKey, totp.secret, user.id),
      updated_at: now,
    };
    const where = { ...change.where, totp_confirmed_at: null };
    await this.#context.store.commit([
      update(users, { ...change, set, where, otherwise: CHANGED }),
      ...(await this.#entries(user, 'auth.beginTotp', visitor, now)),
    ]);
    return totp;
  }

  /** Enables the secret and ends the person's other sessions. Returns the recovery codes, which are not stored in plain text. */
  async confirmTotp(session: Session, code: string): Promise<string[]> {
    const user = await this.read(session.user_id);
    if (user.totp_sealed === null || user.totp_confirmed_at !== null) {
      throw new Refusal('conflict', 'There is no pending authenticator app to confirm.');
    }
    const now = this.#context.clock();
    const step = totpStep(openTotp(this.#context.masterKey, user.totp_sealed, user.id), code, now);
    if (step === null) {
      throw invalidFields([{ path: 'code', message: 'is not the current code from the authenticator app' }]);
    }
    const { codes, stored } = newRecoveryCodes();
    const change = update(users, {
      set: { totp_confirmed_at: now, totp_last_step: step, recovery_codes: stored, updated_at: now },
      where: { id: user.id, totp_sealed: user.totp_sealed, totp_confirmed_at: null },
      otherwise: CHANGED,
    });
    await this.#context.store.commit([change, ...endOtherSessions(session)]);
    return codes;
  }

  /** Requires the password and a code of the app or a recovery code. Ends the person's other sessions. */
  async disableTotp(session: Session, factors: Factors, visitor: Visitor): Promise<void> {
    const user = await this.read(session.user_id);
    if (user.totp_confirmed_at === null)
      throw new Refusal('conflict', 'The account does not have an authenticator app.');
    const change = await this.#verified(user, factors, { visitor }, 'password');
    const off = { totp_sealed: null, totp_confirmed_at: null, totp_last_step: null, recovery_codes: '[]' };
    const now = this.#context.clock();
    const set = { ...change.set, ...off, updated_at: now };
    await this.#context.store.commit([
      update(users, { ...change, set, otherwise: CHANGED }),
      ...endOtherSessions(session),
      ...(await this.#entries(user, 'auth.disableTotp', visitor, now)),
    ]);
  }

  async #verified(user: User, factors: Factors, how: Parameters<typeof verifyFactors>[2], field: string) {
    const proof = await verifyFactors(this.#context, { emailKey: user.email_key, factors }, how);
    if (proof.kind === 'proven') return proof.change;
    const message = 'is incorrect, or the account is temporarily locked';
    throw invalidFields([{ path: proof.kind === 'totp_required' ? 'code' : field, message }]);
  }

  async #entries(
    user: User,
    action: 'auth.changePassword' | 'auth.beginTotp' | 'auth.disableTotp',
    visitor: Visitor,
    now: number,
  ) {
    const actor = { kind: 'user', id: user.id } as const;
    const organizationIds = await this.#context.store.people.organizationIdsOf(user.id);
    return auditEntries({ organizationIds, action, actor, targetId: user.id, visitor, now });
  }
}
