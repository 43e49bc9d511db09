// Somebody says who they are: the password, and the second factor where one is set. Attempts are counted in the store, so
// that a restart forgets none, and an unknown address, a wrong password and a locked account cost and say the same.
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../lib/runtime/clock.js';
import type { LockRule } from './sign-in-wait.rules.js';
import type { AccountStores } from '../stores.js';
import { auditEntries, type Visitor } from '../audit/audit-entry.js';
import type { Passwords } from '../people/passwords.js';
import { placesOf } from './known-places.js';
import { openTotp, totpStep, withoutRecoveryCode } from './totp.js';
import type { User, users } from '../people/people.tables.js';
import type { Plan } from '../../database/change.js';
import { marks } from '../accounts.tables.js';
import { upsert, type RowUpdate } from '../../database/rows.js';

export interface Factors {
  password: string;
  totp?: string | undefined;
  recoveryCode?: string | undefined;
}

export type UserUpdate = RowUpdate<typeof users>;

export type Proof =
  /** `change` notes what was used, if nothing of it was used or changed in the meantime; commit it with what follows. */
  | { kind: 'proven'; user: User; change: UserUpdate; isBrowserKnown: boolean }
  | { kind: 'refused' }
  /** The password was right, and the account has a second factor that was not given. */
  | { kind: 'totp_required' };

export interface ProveDeps {
  store: Pick<AccountStores, 'people' | 'commit'>;
  passwords: Passwords;
  masterKey: Buffer;
  clock: Clock;
  lockRule: LockRule;
  /** Minimum time (ms) of a refusal: longer than the work, whose differences it hides. */
  refusalMs: number;
}

export interface Prove {
  /** With `passwordOnly` a second factor is not asked for. */
  (emailKey: string, factors: Factors, how: { visitor: Visitor; passwordOnly?: boolean }): Promise<Proof>;
}

export function createProve({ store, passwords, masterKey, clock, lockRule, refusalMs }: ProveDeps): Prove {
  const { people } = store;

  /** One commit more, whoever it was: what it takes must not tell whether there is such an account. */
  async function note(user: User | null, factor: string, visitor: Visitor): Promise<void> {
    const now = clock();
    const noted: Plan = user
      ? auditEntries({
          organizationIds: await people.organizationIdsOf(user.id),
          action: 'auth.signInFailed',
          actor: null,
          targetId: user.id,
          detail: { factor, locked: user.locked_until !== null },
          visitor,
          now,
        })
      : [
          upsert(marks, {
            row: { name: 'sign_in_probe', value: null, created_at: now },
            key: ['name'],
            set: { created_at: now },
          }),
        ];
    await store.commit(noted);
  }

  /** Change that a right code makes; null for a wrong code, or one that was used before. */
  function useCode(user: User, { totp, recoveryCode }: Factors): UserUpdate['set'] | null {
    if (user.totp_sealed === null) return null;
    if (totp !== undefined) {
      const step = totpStep(openTotp(masterKey, user.totp_sealed, user.id), totp, clock());
      return step === null || step <= (user.totp_last_step ?? -1) ? null : { totp_last_step: step };
    }
    const left = withoutRecoveryCode(user.recovery_codes, recoveryCode ?? '');
    return left === null ? null : { recovery_codes: left };
  }

  return async (emailKey, factors, { visitor, passwordOnly = false }) => {
    const longEnough = pause(refusalMs, undefined, { ref: false });
    const refused = async (...why: Parameters<typeof note>): Promise<Proof> => {
      await note(...why);
      await longEnough;
      return { kind: 'refused' };
    };
    const places = placesOf(visitor);
    const attempt = await people.beginAttempt(emailKey, places, lockRule, clock());
    const user = attempt?.user ?? null;
    const isRight = await passwords.verify(user?.password_hash ?? null, factors.password);
    if (!attempt || !user || !isRight) return refused(user, 'password', visitor);
    const needsCode = user.totp_confirmed_at !== null && !passwordOnly;
    if (needsCode && factors.totp === undefined && factors.recoveryCode === undefined) {
      await people.releaseAttempt(attempt);
      return { kind: 'totp_required' };
    }
    const used = needsCode ? useCode(user, factors) : {};
    if (used === null) return refused(user, factors.totp === undefined ? 'recovery_code' : 'totp', visitor);
    const { id, password_hash, totp_last_step, recovery_codes } = user;
    // Attempts from elsewhere stay counted when the person signs in from a known place.
    if (attempt.place !== null) await people.clearPlace(id, attempt.place);
    const cleared = attempt.place === null ? { failures: 0, locked_until: null } : { password_hash };
    return {
      kind: 'proven',
      user,
      isBrowserKnown: visitor.browserToken !== null && attempt.place !== null && attempt.place === places[0],
      change: {
        set: { ...cleared, ...used },
        where: { id, password_hash, totp_last_step, recovery_codes },
        otherwise: { code: 'sign_in_failed' },
      },
    };
  };
}
