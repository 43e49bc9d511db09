// Who sees the people of an organization, which a live key for the whole workspace does too, and who decides about them:
// people alone. A role holds for the whole organization, and a workspace's key must not get out of its workspace by giving one.
import { Refusal } from '../../contract/refusal.js';
import type { Caller } from '../../work/accounts/credential-cache.js';
import type { Decider } from '../../work/people/members.js';

/**
 * The organization whose people the caller sees. Refuses with `forbidden` for a key of the test environment, and for a
 * request that is narrowed to a sub-tenant.
 */
export function organizationSeenBy({ role, scope }: Caller): string {
  if (scope.subTenantId !== null) {
    throw new Refusal(
      'forbidden',
      'The people of the organization are out of reach of a request for one sub-tenant.',
    );
  }
  if (role === null && scope.mode === 'test') {
    throw new Refusal('forbidden', 'The people of the organization take a live key.');
  }
  return scope.organizationId;
}

/** For routes that are marked `session`. Refuses with `forbidden` where the request is narrowed to a sub-tenant. */
export function deciderOf(caller: Caller): Decider {
  const organizationId = organizationSeenBy(caller);
  const { actor, role } = caller;
  if (role === null) throw new Error('A route for people was reached by a key.');
  return { organizationId, id: actor.id, role };
}
