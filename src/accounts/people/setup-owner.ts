// The setup link of the first start, which makes the owner's account, a session and the first API keys.
import { invalidFields, Refusal } from '../../contract/refusal.js';
import type { Change } from '../../database/change.js';
import { addressKey } from '../../lib/mime/index.js';
import type { KeyMaker } from '../api-keys/api-key-plan.js';
import type { Visitor } from '../audit/audit-entry.js';
import type { AccountContext } from '../context.js';
import { useSetupToken, type SetupKeys } from '../first-start.js';
import { planPlaces } from '../sign-in/known-places.js';
import { planSession } from '../sign-in/sessions.js';
import { planOwner, type OwnerAccount } from './owner.js';

/** Cookies of the new owner. */
interface OwnerSession {
  token: string;
  browserToken: string;
}

interface PlannedOwner {
  plan: Change[];
  made: OwnerSession;
  /** Owner of the keys that the setup creates. */
  maker: KeyMaker;
}

export class SetupOwner {
  readonly #context: AccountContext;

  constructor(context: AccountContext) {
    this.#context = context;
  }

  /** Whether the organization has no owner's account yet. */
  async isNeeded(): Promise<boolean> {
    return (await this.#unowned()) !== null;
  }

  /**
   * Uses the setup link. Refuses with `forbidden` if it is not or no longer valid, and an invalid `email` or `password` with a
   * 422.
   */
  async setUp(
    token: string,
    owner: Partial<OwnerAccount>,
    visitor: Visitor,
  ): Promise<SetupKeys<OwnerSession>> {
    const { store, clock } = this.#context;
    const planMore = () => this.#plan(owner, visitor);
    const keys = await useSetupToken(store, token, { now: clock(), planMore });
    if (keys) return keys;
    throw new Refusal(
      'forbidden',
      'This setup link has expired, or has already been used or replaced. Restart the server to get a new one.',
    );
  }

  async #unowned(): Promise<string | null> {
    const { store } = this.#context;
    const organization = await store.accounts.firstOrganization();
    return organization && !(await store.people.hasOwner(organization.id)) ? organization.id : null;
  }

  async #plan({ email, password }: Partial<OwnerAccount>, visitor: Visitor): Promise<PlannedOwner> {
    const { store, passwords, clock, settings } = this.#context;
    const organizationId = await this.#unowned();
    if (organizationId === null) {
      throw new Refusal(
        'forbidden',
        'The organization already has an owner, so the setup link is no longer valid. Sign in instead.',
      );
    }
    if (email === undefined || password === undefined) {
      const missing = [
        ...(email === undefined ? ['email'] : []),
        ...(password === undefined ? ['password'] : []),
      ];
      throw invalidFields(missing.map((path) => ({ path, message: 'is required' })));
    }
    if (await store.people.userByEmail(addressKey(email))) {
      throw new Refusal('conflict', 'An account with this email address already exists.', { param: 'email' });
    }
    const now = clock();
    const { userId, plan } = await planOwner(passwords, { email, password, organizationId }, now, visitor);
    const session = planSession(userId, [], { visitor, settings, now });
    const places = planPlaces(userId, visitor, { isBrowserKnown: false, now });
    return {
      plan: [...plan, ...session.plan, ...places.plan],
      made: { token: session.token, browserToken: places.token },
      maker: { id: userId, email },
    };
  }
}
