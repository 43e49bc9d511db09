// Creates the account of an organization's owner.
import { invalidFields } from '../../contract/refusal.js';
import { addressProblem } from '../../lib/mime/index.js';
import { passwordProblem } from './password.rules.js';
import { ConfigProblems } from '../../settings/load.js';
import type { Config } from '../../settings/settings.js';
import type { AccountContext } from '../context.js';
import { refuseWeak } from './account.js';
import { auditEntries, type Visitor } from '../audit/audit-entry.js';
import type { Passwords } from './passwords.js';
import { planPerson } from './person.js';
import type { Change } from '../../database/change.js';
import { marks } from '../accounts.tables.js';
import { insert } from '../../database/rows.js';

export interface OwnerAccount {
  email: string;
  password: string;
}

/** Reads the owner that the settings name, if any. Throws ConfigProblems if the account is invalid. */
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

/** Creates the owner of the first organization unless it has one. The organization must exist. */
export async function ensureOwner(
  { store, passwords, clock, log }: Pick<AccountContext, 'store' | 'passwords' | 'clock' | 'log'>,
  owner: OwnerAccount,
): Promise<void> {
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
 * Plans an owner with their audit entry. Without a visitor, the actor is the operator. Refuses an invalid `email` or
 * `password` with a 422.
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
  // The first owner invalidates the setup link, even if it is used at the same time.
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
