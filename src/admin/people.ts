// `posthorn admin people`: for who is locked out. Whoever may read the data folder may do everything anyway.
import { randomBytes } from 'node:crypto';
import type { Role } from '../contract/names.js';
import { Refusal } from '../contract/refusal.js';
import { addressKey } from '../lib/mime/address.js';
import type { Clock } from '../lib/runtime/clock.js';
import type { Config } from '../settings/settings.js';
import type { Member } from '../accounts/people/people.store.js';
import type { Store } from '../store/store.js';
import { refuseWeak } from '../accounts/people/account.js';
import { auditEntries } from '../accounts/audit/audit-entry.js';
import { planNewPassword } from '../accounts/people/password-reset.js';
import { planOwner } from '../accounts/people/owner.js';
import { createPasswords } from '../accounts/people/passwords.js';
import { withAppliance } from './open-appliance.js';

const PASSWORD_BYTES = 15;
const PAGE = 100;

type PeopleAccess = Pick<Store, 'people' | 'accounts' | 'commit'>;

export interface ListedPerson {
  id: string;
  email: string;
  name: string | null;
  role: Role;
  hasTotp: boolean;
}

export interface PersonWithPassword {
  id: string;
  email: string;
  /** The password where it was made here; null where it was given. */
  password: string | null;
}

export interface PasswordWish {
  email: string;
  /** Null: one is made. */
  password: string | null;
}

/** The people of the first organization. Refuses with `not_found` before the first bootstrap. */
export function adminListPeople(config: Config): Promise<ListedPerson[]> {
  return withAppliance(config, async ({ store }) => {
    const organizationId = await firstOrganizationId(store);
    const members: Member[] = [];
    for (let after: string | null = null; ;) {
      const page = await store.people.members(organizationId, { limit: PAGE, after });
      members.push(...page.rows);
      if (page.next === null) break;
      after = page.next;
    }
    return members.map(({ user_id: id, email, name, role, totp_confirmed_at }) => ({
      id,
      email,
      name,
      role,
      hasTotp: totp_confirmed_at !== null,
    }));
  });
}

/** Makes the account of another owner of the first organization. Refuses with `conflict` when the address has one. */
export function adminMakeOwner(
  config: Config,
  clock: Clock,
  wish: PasswordWish,
): Promise<PersonWithPassword> {
  return withAppliance(config, async ({ store }) => {
    const organizationId = await firstOrganizationId(store);
    const { email } = wish;
    const password = wish.password ?? newPassword();
    const { userId, plan } = await planOwner(
      createPasswords(),
      { email, password, organizationId },
      clock(),
      null,
    );
    await store.commit(plan);
    return { id: userId, email, password: wish.password === null ? password : null };
  });
}

/**
 * Sets a person's password, ends their sessions and a lock; with `turnTotpOff` the password alone is asked for again.
 * Refuses with `not_found`, and with a 422 of `password`.
 */
export function adminSetPassword(
  config: Config,
  clock: Clock,
  wish: PasswordWish & { turnTotpOff: boolean },
): Promise<PersonWithPassword> {
  return withAppliance(config, async ({ store }) => {
    const user = await store.people.userByEmail(addressKey(wish.email));
    if (!user) throw new Refusal('not_found', `There is no account with the address ${wish.email}.`);
    const password = wish.password ?? newPassword();
    refuseWeak(password, user.email, 'password');
    const now = clock();
    const off = { totp_sealed: null, totp_confirmed_at: null, totp_last_step: null, recovery_codes: '[]' };
    await store.commit([
      ...planNewPassword(user.id, await createPasswords().hash(password), now),
      { kind: 'delete', from: 'password_resets', where: { user_id: user.id } },
      ...(wish.turnTotpOff
        ? [{ kind: 'update', table: 'users', set: off, where: { id: user.id } } as const]
        : []),
      ...auditEntries({
        organizationIds: await store.people.organizationIdsOf(user.id),
        action: 'auth.setPassword',
        actor: { kind: 'operator' },
        targetId: user.id,
        detail: { totp_off: wish.turnTotpOff },
        visitor: null,
        now,
      }),
    ]);
    return { id: user.id, email: user.email, password: wish.password === null ? password : null };
  });
}

async function firstOrganizationId(store: PeopleAccess): Promise<string> {
  const organization = await store.accounts.firstOrganization();
  if (organization) return organization.id;
  throw new Refusal('not_found', 'There is no organization yet. Run first: posthorn admin bootstrap');
}

/** 120 bits in 20 characters. */
function newPassword(): string {
  return randomBytes(PASSWORD_BYTES).toString('base64url');
}
