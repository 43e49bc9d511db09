// The owner's account: of the first start, by the set-up link or unattended.
import { Refusal, invalidFields } from '../../contract/refusal.js';
import { addressKey, addressProblem } from '../../lib/mime/address.js';
import { passwordProblem } from './password.rules.js';
import type { Clock } from '../../lib/runtime/clock.js';
import { ConfigProblems } from '../../settings/load.js';
import type { Config } from '../../settings/settings.js';
import type { Log } from '../../lib/runtime/log.js';
import type { AccountStores } from '../stores.js';
import { refuseWeak } from './account.js';
import { auditEntries, type Visitor } from '../audit/audit-entry.js';
import type { Passwords } from './passwords.js';
import { planPerson } from './person.js';
import { planPlaces } from '../sign-in/known-places.js';
import { planSession, type SessionSettings } from '../sign-in/sessions.js';
import type { Change } from '../../database/change.js';
import { marks } from '../accounts.tables.js';
import { insert } from '../../database/rows.js';

export interface OwnerAccount {
  email: string;
  password: string;
}

/** The owner that the settings name, if any. Throws ConfigProblems where they cannot be one. */
export function ownerOfSettings({
  ownerEmail,
  ownerPassword,
}: Pick<Config, 'ownerEmail' | 'ownerPassword'>): OwnerAccount | null {
  if (ownerEmail === null && ownerPassword === null) return null;
  if (ownerEmail === null || ownerPassword === null) {
    throw new ConfigProblems(['MAILKEEL_OWNER_EMAIL and MAILKEEL_OWNER_PASSWORD must be set together']);
  }
  const address = addressProblem(ownerEmail);
  const password = passwordProblem(ownerPassword, ownerEmail);
  const problems = [
    ...(address === null ? [] : [`MAILKEEL_OWNER_EMAIL: ${address}`]),
    ...(password === null ? [] : [`MAILKEEL_OWNER_PASSWORD ${password}`]),
  ];
  if (problems.length > 0) throw new ConfigProblems(problems);
  return { email: ownerEmail, password: ownerPassword };
}

export interface EnsureOwnerDeps {
  store: Pick<AccountStores, 'people' | 'accounts' | 'commit'>;
  passwords: Passwords;
  clock: Clock;
  log: Log;
}

/** Makes the owner of the first organization, which must exist, unless it has one. */
export async function ensureOwner(deps: EnsureOwnerDeps, owner: OwnerAccount): Promise<void> {
  const { store, passwords, clock, log } = deps;
  const organization = await store.accounts.firstOrganization();
  if (!organization)
    throw new Error('No organization exists yet. Start the server or run "mailkeel admin bootstrap" first.');
  const settings = ['MAILKEEL_OWNER_EMAIL', 'MAILKEEL_OWNER_PASSWORD'];
  if (await store.people.hasOwner(organization.id)) {
    log.info(
      { settings },
      'MAILKEEL_OWNER_EMAIL and MAILKEEL_OWNER_PASSWORD ignored: the organization already has an owner',
    );
    return;
  }
  const { plan } = await planOwner(passwords, { ...owner, organizationId: organization.id }, clock(), null);
  await store.commit(plan);
}

/**
 * The changes that make an owner, with their audit entry; the actor is the operator without a visitor. Refuses with a 422 of
 * `email` or `password`.
 */
export async function planOwner(
  passwords: Passwords,
  owner: OwnerAccount & { organizationId: string; name?: string | null },
  now: number,
  visitor: Visitor | null,
): Promise<{ userId: string; plan: Change[] }> {
  const { email, password, organizationId, name = null } = owner;
  const problem = addressProblem(email);
  if (problem !== null) throw invalidFields([{ path: 'email', message: problem }]);
  refuseWeak(password, email, 'password');
  const passwordHash = await passwords.hash(password);
  const { userId, plan } = planPerson({ email, name, passwordHash, organizationId, role: 'owner' }, now);
  const entries = auditEntries({
    organizationIds: [organizationId],
    action: visitor === null ? 'members.makeOwner' : 'organization.setUp',
    actor: visitor === null ? { kind: 'operator' } : { kind: 'user', id: userId },
    targetId: userId,
    visitor,
    now,
  });
  // The link of the set-up ends with the first owner, also one that comes at the same time.
  const linkEnds: Change[] =
    visitor === null
      ? [
          insert(marks, {
            row: { name: 'setup_link_used', value: null, created_at: now },
            conflict: 'ignore',
          }),
        ]
      : [];
  return { userId, plan: [...plan, ...entries, ...linkEnds] };
}

export interface SetupOwnerDeps {
  store: Pick<AccountStores, 'people' | 'accounts'>;
  passwords: Passwords;
  settings: SessionSettings;
  clock: Clock;
}

/** The cookies of who has just become the owner. */
export interface OwnerSession {
  token: string;
  browserToken: string;
}

export interface PlannedOwner {
  plan: Change[];
  made: OwnerSession;
  /** The keys of the set-up belong to the new owner. */
  maker: { id: string; email: string };
}

/** Objects that the set-up link creates besides its keys. */
export interface SetupOwner {
  /** Whether the account is still to be made. */
  isNeeded(): Promise<boolean>;
  /** The account and its first session. Refuses with a 422 of `email` or `password`, and with `forbidden` once there is an owner. */
  plan(owner: Partial<OwnerAccount>, visitor: Visitor): Promise<PlannedOwner>;
}

export function createSetupOwner({ store, passwords, settings, clock }: SetupOwnerDeps): SetupOwner {
  async function unowned(): Promise<string | null> {
    const organization = await store.accounts.firstOrganization();
    return organization && !(await store.people.hasOwner(organization.id)) ? organization.id : null;
  }

  return {
    isNeeded: async () => (await unowned()) !== null,

    async plan({ email, password }, visitor) {
      const organizationId = await unowned();
      if (organizationId === null) {
        throw new Refusal(
          'forbidden',
          'The organization already has an owner, so the setup link is no longer valid. Sign in instead.',
        );
      }
      if (email === undefined || password === undefined) {
        const missing = [
          ...(email === undefined ? ['email'] : []),
          ...(password === undefined ? ['password'] : []),
        ];
        throw invalidFields(missing.map((path) => ({ path, message: 'is required' })));
      }
      if (await store.people.userByEmail(addressKey(email))) {
        throw new Refusal('conflict', 'An account with this email address already exists.', {
          param: 'email',
        });
      }
      const now = clock();
      const { userId, plan } = await planOwner(passwords, { email, password, organizationId }, now, visitor);
      const session = planSession(userId, [], { visitor, settings, now });
      const places = planPlaces(userId, visitor, { isBrowserKnown: false, now });
      return {
        plan: [...plan, ...session.plan, ...places.plan],
        made: { token: session.token, browserToken: places.token },
        maker: { id: userId, email },
      };
    },
  };
}
