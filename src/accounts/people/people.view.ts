// Users, sessions, members and invitations as /v1 shows them.
import type { InvitationWire } from './invitation.schema.js';
import type { MemberWire } from './member.schema.js';
import type { SessionWire } from '../sign-in/session.schema.js';
import type { UserWire } from './user.schema.js';
import type { Invitation, Member, Session, User } from './people.store.js';
import { invitationStatus } from './invitations.js';
import { recoveryCodesLeft } from '../sign-in/totp.js';
import { iso, isoOrNull } from '../../contract/time.js';

export function presentUser(row: User): UserWire {
  return {
    id: row.id,
    object: 'user',
    email: row.email,
    name: row.name,
    totp: row.totp_confirmed_at !== null,
    recovery_codes_left: recoveryCodesLeft(row.recovery_codes),
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  };
}

export function presentSession(row: Session, currentId: string): SessionWire {
  return {
    id: row.id,
    object: 'session',
    is_current: row.id === currentId,
    ip: row.ip,
    user_agent: row.user_agent,
    last_used_at: iso(row.last_used_at),
    expires_at: iso(row.expires_at),
    created_at: iso(row.created_at),
  };
}

export function presentMember(row: Member): MemberWire {
  return {
    id: row.user_id,
    object: 'member',
    email: row.email,
    name: row.name,
    role: row.role,
    totp: row.totp_confirmed_at !== null,
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  };
}

export function presentInvitation(row: Invitation, now: number): InvitationWire {
  return {
    id: row.id,
    object: 'invitation',
    email: row.email,
    role: row.role,
    status: invitationStatus(row, now),
    invited_by: row.invited_by,
    expires_at: iso(row.expires_at),
    accepted_at: isoOrNull(row.accepted_at),
    created_at: iso(row.created_at),
  };
}
