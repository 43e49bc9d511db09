// Changes the roles of an organization's members and removes members.
import { Refusal } from '../../contract/refusal.js';
import type { Role } from '../../contract/names.js';
import { roleChangeProblem } from './role.rules.js';
import type { CredentialCache } from '../api-keys/credential-cache.js';
import type { Clock } from '../../lib/runtime/index.js';
import type { Member } from './people.store.js';
import type { AccountContext } from '../context.js';
import type { AccountStores } from '../stores.js';

/** The member who makes the change. */
export interface ActingMember {
  organizationId: string;
  /** Id of the user or key. */
  id: string;
  role: Role;
  /** The person who acts or owns the key; null for a key of the operator. */
  personId: string | null;
}

export class Members {
  readonly #people: AccountStores['people'];
  readonly #credentials: CredentialCache;
  readonly #clock: Clock;

  constructor({ store, credentials, clock }: AccountContext) {
    this.#people = store.people;
    this.#credentials = credentials;
    this.#clock = clock;
  }

  /** Refuses with `not_found`. */
  async read(acting: Pick<ActingMember, 'organizationId'>, userId: string): Promise<Member> {
    const member = await this.#people.member(acting.organizationId, userId);
    if (!member) throw new Refusal('not_found');
    return member;
  }

  /** Refuses with `last_owner` if no owner would be left. */
  async changeRole(acting: ActingMember, userId: string, to: Role): Promise<Member> {
    const { organizationId } = acting;
    const { role: from } = await this.read(acting, userId);
    refuseUnlessMay(roleChangeProblem({ by: acting.role, from, to }));
    if (from !== to) {
      await this.#people.changeRole({ organizationId, userId, from, to, now: this.#clock() });
      this.#credentials.forget(userId);
    }
    return this.read(acting, userId);
  }

  /** Grants or revokes a member's permission to approve messages. Refuses with `forbidden`. */
  async setCanApprove(acting: ActingMember, userId: string, to: boolean): Promise<Member> {
    const { organizationId } = acting;
    const { role } = await this.read(acting, userId);
    refuseUnlessMay(roleChangeProblem({ by: acting.role, from: role, to: role }));
    await this.#people.setCanApprove({ organizationId, userId, to, now: this.#clock() });
    return this.read(acting, userId);
  }

  /**
   * Removes a member and revokes their API keys. All members but the last owner may remove themselves. An account without
   * an organization is deleted with its sessions.
   */
  async remove(acting: ActingMember, userId: string): Promise<void> {
    const { organizationId } = acting;
    const isLeaving = acting.id === userId;
    // Members without the right to manage people must not learn the roles of others.
    if (!isLeaving) refuseUnlessMay(roleChangeProblem({ by: acting.role, from: null, to: null }));
    const { role: from } = await this.read(acting, userId);
    if (!isLeaving) refuseUnlessMay(roleChangeProblem({ by: acting.role, from, to: null }));
    await this.#people.removeMember({ organizationId, userId, from, now: this.#clock() });
    this.#credentials.forget(userId);
  }
}

/** Refuses with the sentence, if there is one. */
export function refuseUnlessMay(problem: string | null): void {
  if (problem !== null) throw new Refusal('forbidden', problem);
}
