// Plans a new account and its membership in an organization.
import type { Role } from '../../contract/names.js';
import { addressKey } from '../../lib/mime/index.js';
import { newId } from '../../lib/runtime/index.js';
import type { Change } from '../../database/change.js';
import { users, members } from './people.tables.js';
import { insert } from '../../database/rows.js';

const TAKEN = { code: 'conflict', message: 'An account with this email address already exists.' } as const;

interface NewPerson {
  email: string;
  name: string | null;
  passwordHash: string;
  organizationId: string;
  role: Role;
}

/** The commit is refused with `conflict` if the address has an account. */
export function planPerson(person: NewPerson, now: number): { userId: string; plan: Change[] } {
  const userId = newId('usr', now);
  const { email, name, passwordHash, organizationId, role } = person;
  const user: Change = insert(users, {
    row: {
      id: userId,
      email,
      email_key: addressKey(email),
      name,
      password_hash: passwordHash,
      totp_sealed: null,
      totp_confirmed_at: null,
      totp_last_step: null,
      recovery_codes: '[]',
      failures: 0,
      locked_until: null,
      password_changed_at: now,
      created_at: now,
      updated_at: now,
    },
    conflict: TAKEN,
  });
  return { userId, plan: [user, planMember(organizationId, userId, role, now)] };
}

/** Changes nothing if the person is already a member. */
export function planMember(organizationId: string, userId: string, role: Role, now: number): Change {
  const row = { organization_id: organizationId, user_id: userId, role, created_at: now, updated_at: now };
  return insert(members, { row, conflict: 'ignore' });
}
