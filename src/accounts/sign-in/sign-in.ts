// Signing in: proof of who it is, then a session.
import { Refusal } from '../../contract/refusal.js';
import { addressKey } from '../../lib/mime/address.js';
import type { Clock } from '../../lib/runtime/clock.js';
import type { AccountStores } from '../stores.js';
import { auditEntries, type Visitor } from '../audit/audit-entry.js';
import { planPlaces } from './known-places.js';
import type { Factors, Prove } from './prove.js';
import { planSession, type Sessions, type SessionSettings } from './sessions.js';
import type { Session } from './sign-in.tables.js';
import { type User, users } from '../people/people.tables.js';
import { update } from '../../database/rows.js';

export interface SignedIn {
  user: User;
  session: Session;
  /** For the cookie. */
  token: string;
  /** For the cookie that outlives the session: the browser is known from now on. */
  browserToken: string;
}

export interface SignInDeps {
  store: Pick<AccountStores, 'people' | 'commit'>;
  prove: Prove;
  sessions: Pick<Sessions, 'list'>;
  settings: SessionSettings;
  clock: Clock;
}

/** Refuses with `sign_in_failed`, whatever the reason, and with `totp_required` once the password was right. */
export type SignIn = (email: string, factors: Factors, visitor: Visitor) => Promise<SignedIn>;

export function createSignIn({ store, prove, sessions, settings, clock }: SignInDeps): SignIn {
  return async (email, factors, visitor) => {
    const proof = await prove(addressKey(email), factors, { visitor });
    if (proof.kind === 'totp_required') throw new Refusal('totp_required');
    if (proof.kind === 'refused') throw new Refusal('sign_in_failed');
    const { user, change, isBrowserKnown } = proof;
    const now = clock();
    const { session, token, plan } = planSession(user.id, await sessions.list(user.id), {
      visitor,
      settings,
      now,
    });
    const entries = auditEntries({
      organizationIds: await store.people.organizationIdsOf(user.id),
      action: 'auth.signIn',
      actor: { kind: 'user', id: user.id },
      targetId: session.id,
      visitor,
      now,
    });
    const places = planPlaces(user.id, visitor, { isBrowserKnown, now });
    await store.commit([update(users, change), ...plan, ...places.plan, ...entries]);
    const { recovery_codes = user.recovery_codes } = change.set;
    return { user: { ...user, recovery_codes }, session, token, browserToken: places.token };
  };
}
