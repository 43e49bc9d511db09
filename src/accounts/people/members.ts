// The people of an organization: what they may do, and who leaves.
import { Refusal } from '../../contract/refusal.js';
import type { Role } from '../../contract/names.js';
import { roleChangeProblem } from './role.rules.js';
import type { CredentialCache } from '../api-keys/credential-cache.js';
import type { Clock } from '../../lib/runtime/clock.js';
import type { Member } from './people.store.js';
import type { AccountStores } from '../stores.js';

/** The member who makes the change. */
export interface ActingMember {
  organizationId: string;
  /** Of the user, or of the key. */
  id: string;
  role: Role;
  /** The person who acts, or to whom the key belongs; null for a key of the operator. */
  personId: string | null;
}

export interface MembersDeps {
  store: Pick<AccountStores, 'people'>;
  /** Keys of the person are looked up again. */
  credentials: Pick<CredentialCache, 'forget'>;
  clock: Clock;
}

export type Members = ReturnType<typeof createMembers>;

export function createMembers({ store, credentials, clock }: MembersDeps) {
  const { people } = store;

  /** Refuses with `not_found`. */
  async function read(acting: Pick<ActingMember, 'organizationId'>, userId: string): Promise<Member> {
    const member = await people.member(acting.organizationId, userId);
    if (!member) throw new Refusal('not_found');
    return member;
  }

  return {
    read,

    /** Refuses with `last_owner` where no owner would be left. */
    async changeRole(acting: ActingMember, userId: string, to: Role): Promise<Member> {
      const { organizationId } = acting;
      const { role: from } = await read(acting, userId);
      refuseUnlessMay(roleChangeProblem({ by: acting.role, from, to }));
      if (from !== to) {
        await people.changeRole({ organizationId, userId, from, to, now: clock() });
        credentials.forget(userId);
      }
      return read(acting, userId);
    },

    /**
     * Everybody may leave; the last owner may not. The person's API keys are revoked. An account without any organization is gone, with
     * its sessions.
     */
    async remove(acting: ActingMember, userId: string): Promise<void> {
      const { organizationId } = acting;
      const isLeaving = acting.id === userId;
      // Members without the right to manage people must not learn the roles of others.
      if (!isLeaving) refuseUnlessMay(roleChangeProblem({ by: acting.role, from: null, to: null }));
      const { role: from } = await read(acting, userId);
      if (!isLeaving) refuseUnlessMay(roleChangeProblem({ by: acting.role, from, to: null }));
      await people.removeMember({ organizationId, userId, from, now: clock() });
      credentials.forget(userId);
    },
  };
}

/** `problem` is a sentence, or null where nothing is wrong. */
export function refuseUnlessMay(problem: string | null): void {
  if (problem !== null) throw new Refusal('forbidden', problem);
}
