// Users, sessions, members and invitations as /v1 shows them.
import { wireOf } from '../../contract/codec.js';
import { session } from '../sign-in/session.schema.js';
import { isApprover } from './role.rules.js';
import { remainingRecoveryCodes } from '../sign-in/totp.js';
import { invitation } from './invitation.schema.js';
import { invitationStatus } from './invitations.js';
import { member } from './member.schema.js';
import type { Member } from './people.store.js';
import { user } from './user.schema.js';
import type { Invitation, User } from './people.tables.js';
import type { Session } from '../sign-in/sign-in.tables.js';

export const presentUser = wireOf(user).from<User>({
  totp: (row) => row.totp_confirmed_at !== null,
  recovery_codes_left: (row) => remainingRecoveryCodes(row.recovery_codes),
});

/** `currentId` is the session of the request. */
export const presentSession = wireOf(session).from<Session, { currentId: string }>({
  is_current: (row, { currentId }) => row.id === currentId,
});

export const presentMember = wireOf(member).from<Member>({
  id: 'user_id',
  can_approve: (row) => isApprover(row.role, row.can_approve === 1),
  totp: (row) => row.totp_confirmed_at !== null,
});

export const presentInvitation = wireOf(invitation).from<Invitation, { now: number }>({
  status: (row, { now }) => invitationStatus(row, now),
});
