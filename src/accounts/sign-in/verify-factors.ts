// Verifies a person's password, and the second factor if there is one. Attempts are counted in the database, so they survive a
// restart. An unknown address, a wrong password and a locked account take the same time and get the same response.
import { setTimeout as pause } from 'node:timers/promises';
import type { AccountContext } from '../context.js';
import { auditEntries, type Visitor } from '../audit/audit-entry.js';
import { visitorPlaces } from './known-places.js';
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

type UserUpdate = RowUpdate<typeof users>;

type Proof =
  /** `change` records the used factors, unless they changed in the meantime. Commit it with the changes that follow. */
  | { kind: 'proven'; user: User; change: UserUpdate; isBrowserKnown: boolean }
  | { kind: 'refused' }
  /** The password was correct, but the second factor was not given. */
  | { kind: 'totp_required' };

type ProveContext = Pick<AccountContext, 'store' | 'passwords' | 'masterKey' | 'clock' | 'settings'>;

/** Authenticates a person. With `passwordOnly`, the second factor is not required. */
export async function verifyFactors(
  context: ProveContext,
  { emailKey, factors }: { emailKey: string; factors: Factors },
  { visitor, passwordOnly = false }: { visitor: Visitor; passwordOnly?: boolean },
): Promise<Proof> {
  const { store, passwords, clock, settings } = context;
  const { people } = store;
  // Refusals take a minimum time that is longer than the work, which hides timing differences.
  const longEnough = pause(settings.signInRefusalMs, undefined, { ref: false });
  const refused = async (user: User | null, factor: string): Promise<Proof> => {
    await recordFailure(context, user, { factor, visitor });
    await longEnough;
    return { kind: 'refused' };
  };
  const places = visitorPlaces(visitor);
  const lockRule = { maxFailures: settings.signInFailures, lockMs: settings.signInLockMs };
  const attempt = await people.beginAttempt(emailKey, places, lockRule, clock());
  const user = attempt?.user ?? null;
  const isRight = await passwords.verify(user?.password_hash ?? null, factors.password);
  if (!attempt || !user || !isRight) return refused(user, 'password');
  const needsCode = user.totp_confirmed_at !== null && !passwordOnly;
  if (needsCode && factors.totp === undefined && factors.recoveryCode === undefined) {
    await people.releaseAttempt(attempt);
    return { kind: 'totp_required' };
  }
  const used = needsCode ? useCode(context, user, factors) : {};
  if (used === null) return refused(user, factors.totp === undefined ? 'recovery_code' : 'totp');
  const { id, password_hash, totp_last_step, recovery_codes } = user;
  // Attempts from other places remain counted if the person signs in from a known place.
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
}

/** Always makes one commit, because the duration must not reveal whether the account exists. */
async function recordFailure(
  { store, clock }: Pick<ProveContext, 'store' | 'clock'>,
  user: User | null,
  { factor, visitor }: { factor: string; visitor: Visitor },
): Promise<void> {
  const now = clock();
  const noted: Plan = user
    ? auditEntries({
        organizationIds: await store.people.organizationIdsOf(user.id),
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

/** Returns the change for a correct code. Null if the code is wrong or was used before. */
function useCode(
  { masterKey, clock }: Pick<ProveContext, 'masterKey' | 'clock'>,
  user: User,
  { totp, recoveryCode }: Factors,
): UserUpdate['set'] | null {
  if (user.totp_sealed === null) return null;
  if (totp !== undefined) {
    const step = totpStep(openTotp(masterKey, user.totp_sealed, user.id), totp, clock());
    return step === null || step <= (user.totp_last_step ?? -1) ? null : { totp_last_step: step };
  }
  const left = withoutRecoveryCode(user.recovery_codes, recoveryCode ?? '');
  return left === null ? null : { recovery_codes: left };
}
