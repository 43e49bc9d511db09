// Checks which callers may read and manage the people of an organization: people by their role, and keys with permission `admin`
// as an admin. Keys with an expiry or allowed addresses cannot manage people, because a person whom they added would remain.
import { Refusal } from '../../contract/refusal.js';
import type { Caller } from '../../http/access/caller.js';
import type { ActingMember } from './members.js';
import { hasRole } from './role.rules.js';

/** Returns the organization whose people the caller may see. Refuses a request narrowed to a sub-tenant with `forbidden`. */
export function visibleOrganization({ scope }: Caller): string {
  if (scope.subTenantId !== null) {
    throw new Refusal(
      'forbidden',
      "Requests scoped to a sub-tenant cannot access the organization's members. Send the request for the whole workspace, with a key that is not pinned to a sub-tenant.",
    );
  }
  return scope.organizationId;
}

/** Returns the acting member, for `admin` routes. Refuses with `forbidden`. */
export function actingMember(caller: Caller): ActingMember {
  const organizationId = visibleOrganization(caller);
  const { actor, maker, role, isBounded } = caller;
  if (isBounded) {
    throw new Refusal(
      'forbidden',
      'API keys that expire or are restricted to IP addresses cannot add members. Use another key, or sign in.',
    );
  }
  if (role !== null) return { organizationId, id: actor.id, role, personId: actor.id };
  // A key acts as an admin, but never exceeds the role of its owner.
  const ofMaker = maker !== null && !hasRole(maker.role, 'admin') ? maker.role : 'admin';
  return { organizationId, id: actor.id, role: ofMaker, personId: maker?.id ?? null };
}
