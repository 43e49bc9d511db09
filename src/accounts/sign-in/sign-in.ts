// Authenticates people and starts sessions.
import { Refusal } from '../../contract/refusal.js';
import { addressKey } from '../../lib/mime/index.js';
import type { AccountContext } from '../context.js';
import { auditEntries, type Visitor } from '../audit/audit-entry.js';
import { planPlaces } from './known-places.js';
import { verifyFactors, type Factors } from './verify-factors.js';
import { planSession, readSessions } from './sessions.js';
import type { Session } from './sign-in.tables.js';
import { type User, users } from '../people/people.tables.js';
import { update } from '../../database/rows.js';

interface SignedIn {
  user: User;
  session: Session;
  /** Value of the session cookie. */
  token: string;
  /** Value of the cookie that outlives the session and identifies the browser. */
  browserToken: string;
}

type SignInContext = Pick<AccountContext, 'store' | 'passwords' | 'masterKey' | 'clock' | 'settings'>;

/** Signs a person in. Refuses with `sign_in_failed` for any reason, and with `totp_required` after the correct password. */
export async function signIn(
  context: SignInContext,
  { email, factors }: { email: string; factors: Factors },
  visitor: Visitor,
): Promise<SignedIn> {
  const { store, settings, clock } = context;
  const proof = await verifyFactors(context, { emailKey: addressKey(email), factors }, { visitor });
  if (proof.kind === 'totp_required') throw new Refusal('totp_required');
  if (proof.kind === 'refused') throw new Refusal('sign_in_failed');
  const { user, change, isBrowserKnown } = proof;
  const now = clock();
  const known = await readSessions(context, user.id);
  const { session, token, plan } = planSession(user.id, known, { visitor, settings, now });
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
}
