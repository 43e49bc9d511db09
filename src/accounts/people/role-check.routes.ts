// Checks who may read and manage the people of an organization: people, by their role, and keys of permission `admin`, as an
// admin. A key that ends, or that only some addresses may use, manages nobody: a person whom it added would stay.
import { Refusal } from '../../contract/refusal.js';
import type { Caller } from '../api-keys/credential-cache.js';
import type { ActingMember } from './members.js';

/** The organization whose people the caller sees. Refuses with `forbidden` a request that is narrowed to a sub-tenant. */
export function organizationSeenBy({ scope }: Caller): string {
  if (scope.subTenantId !== null) {
    throw new Refusal(
      'forbidden',
      'The people of the organization are out of reach of a request for one sub-tenant.',
    );
  }
  return scope.organizationId;
}

/** For routes that are marked `admin`. Refuses with `forbidden`. */
export function actingMemberOf(caller: Caller): ActingMember {
  const organizationId = organizationSeenBy(caller);
  const { actor, role, isBounded } = caller;
  if (isBounded) {
    throw new Refusal(
      'forbidden',
      'The key ends, or is limited to addresses: it cannot let people in who are not. Use another key, or sign in.',
    );
  }
  return { organizationId, id: actor.id, role: role ?? 'admin' };
}
