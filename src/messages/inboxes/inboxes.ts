// Creates, changes and removes inboxes.
import { randomInt } from 'node:crypto';
import { lineProblem } from '../../contract/plain-text.js';
import { invalidFields, Refusal } from '../../contract/refusal.js';
import { insert, remove, update } from '../../database/rows.js';
import type { Scope } from '../../database/scope.js';
import { addressDomain, addressKey, addressProblem } from '../../lib/mime/index.js';
import { newId } from '../../lib/runtime/index.js';
import type { SubmissionContext } from '../accept/accept.js';
import { SIGNED_PREFIX } from '../mail-tokens.rules.js';
import { cancelForwarded, type CancelContext } from './cancel-forwarded.js';
import { forgetForwardsOfInbox } from './forwards.store.js';
import { assertMayForward } from './forwards.js';
import { isSameKey, usableKey } from './policy-key.js';
import type { InboxCreate, InboxUpdate } from './inbox.schema.js';
import { type Inbox, inboxes } from './inboxes.tables.js';
import { LOCAL_PARTS, readableLocalPart } from './local-part.rules.js';

const MOST_INBOXES = 10_000;
/** Attempts to find an unused local part. */
const TRIES = 5;
const TAKEN = { code: 'conflict', message: 'An inbox with this address already exists.' } as const;

/** The caller that creates or changes an inbox. */
type Changer = Pick<SubmissionContext, 'actor' | 'keyId' | 'policy'>;

export interface InboxContext extends CancelContext {
  /** Reads the owner of a customer's inbound domain, or `null`. */
  inboundOwner: (domain: string) => Promise<{ takesMail: boolean; scope: Scope } | null>;
}

export class Inboxes {
  readonly #context: InboxContext;

  constructor(context: InboxContext) {
    this.#context = context;
  }

  /**
   * Creates an inbox, or returns the one that was created with the same `client_id` and parameters. Refused with `conflict` for
   * other parameters, and for an address that already has an inbox.
   */
  async create(
    callerScope: Scope,
    request: InboxCreate,
    changer: Changer,
  ): Promise<{ inbox: Inbox; isNew: boolean }> {
    const { store } = this.#context;
    const scope = await this.#scopeOfDomain(callerScope, domainIn(request));
    const requested = JSON.stringify([
      request.address ?? null,
      request.domain ?? null,
      request.name ?? null,
      request.policy_key ?? null,
    ]);
    for (let tries = 1; ; tries++) {
      const known = await store.inboxes.inboxOfClient(scope, request.client_id);
      if (known !== null) return { inbox: sameRequest(known, requested), isNew: false };
      await this.#checkPolicyKey(scope, request.policy_key ?? null, changer);
      await this.#assertUnusedAddress(scope, request, changer);
      if ((await store.inboxes.countInboxes(scope)) >= MOST_INBOXES) {
        throw new Refusal('conflict', `The workspace has reached its limit of ${MOST_INBOXES} inboxes.`);
      }
      const row = this.#row(scope, request, requested);
      try {
        await store.commit([insert(inboxes, { row, conflict: TAKEN })]);
        return { inbox: row, isNew: true };
      } catch (error) {
        if (!(error instanceof Refusal && error.code === 'conflict')) throw error;
        // The same request on another connection or node was faster, or the local part was taken.
        const winner = await store.inboxes.inboxOfClient(scope, request.client_id);
        if (winner === null && (request.address !== undefined || tries >= TRIES)) throw error;
      }
    }
  }

  async change(scope: Scope, id: string, request: InboxUpdate, changer: Changer): Promise<Inbox> {
    const found = await this.#find(scope, id);
    const { name = found.name, policy_key: keyId = found.policy_key_id } = request;
    if (name === found.name && keyId === found.policy_key_id) return found;
    assertName(name);
    await this.#assertOwnInbox(scope, found, changer);
    if (keyId !== found.policy_key_id) {
      assertOwnPolicy(changer, keyId);
      await this.#checkPolicyKey({ ...scope, subTenantId: found.sub_tenant_id }, keyId, changer);
    }
    // Only these, because another request may change the other one.
    const set = {
      ...(request.name === undefined ? {} : { name }),
      ...(request.policy_key === undefined ? {} : { policy_key_id: keyId }),
      updated_at: this.#context.clock(),
    };
    await this.#context.store.commit([
      update(inboxes, { set, where: { id }, otherwise: { code: 'not_found' } }),
    ]);
    return { ...found, ...set };
  }

  /** Keeps its messages and threads. Refused with `forbidden` for a key with a send policy if the inbox forwards mail. */
  async remove(scope: Scope, id: string, changer: Changer): Promise<void> {
    const { store } = this.#context;
    await this.#assertOwnInbox(scope, await this.#find(scope, id), changer);
    const forwards = await store.forwards.forwards(id);
    if (forwards.length > 0) assertMayForward(changer.policy);
    await store.commit([forgetForwardsOfInbox(id), remove(inboxes, { where: { id } })]);
    const ending = { reason: 'forwarding_removed', actor: changer.actor } as const;
    for (const forward of forwards) await cancelForwarded(this.#context, forward, ending);
  }

  /** A key with a send policy must not lift the policy that others reply with, or make them reply with its own. */
  async #assertOwnInbox(
    scope: Scope,
    { policy_key_id: owner }: Inbox,
    { keyId, policy }: Changer,
  ): Promise<void> {
    if (policy === null) return;
    if (owner !== null && keyId !== null && (await isSameKey(this.#context, scope, owner, keyId))) return;
    throw new Refusal(
      'forbidden',
      'An API key with a send policy can change and delete only inboxes whose policy key it is.',
    );
  }

  /** A key with a send policy must not become the policy key of an address that people answer, as in `#assertOwnInbox`. */
  async #assertUnusedAddress(
    { environmentId }: Scope,
    { address, policy_key: keyId }: InboxCreate,
    { policy }: Changer,
  ): Promise<void> {
    if (policy === null || address === undefined || (keyId ?? null) === null) return;
    const [newest] = await this.#context.store.inboxes.newestAt([
      { environmentId, addressKey: addressKey(address.trim()) },
    ]);
    if (newest === 0) return;
    throw new Refusal(
      'forbidden',
      'An API key with a send policy cannot set itself as the policy key of an address that already receives mail.',
    );
  }

  async #find(scope: Scope, id: string): Promise<Inbox> {
    const found = await this.#context.store.inboxes.inbox(scope, id);
    if (found === null) throw new Refusal('not_found');
    return found;
  }

  /** Returns the scope of the domain's owner. Refused if the caller does not own the domain or the domain receives no mail. */
  async #scopeOfDomain(scope: Scope, { domain, path }: { domain: string; path: string }): Promise<Scope> {
    if (scope.mode !== 'live') {
      throw new Refusal(
        'conflict',
        'Inbound domains receive mail in the live environment only. Create the inbox with a live key.',
      );
    }
    const owner = await this.#context.inboundOwner(domain);
    const isOwn =
      owner?.scope.environmentId === scope.environmentId &&
      (scope.subTenantId === null || owner.scope.subTenantId === scope.subTenantId);
    if (!isOwn) {
      throw invalidFields([
        { path, message: `${domain} is not a verified inbound domain of yours. Verify the domain first` },
      ]);
    }
    if (!owner.takesMail) {
      throw invalidFields([
        {
          path,
          message: `${domain} does not receive mail yet. Publish its MX record and check the domain again`,
        },
      ]);
    }
    return owner.scope;
  }

  async #checkPolicyKey(scope: Scope, keyId: string | null, changer: Changer): Promise<void> {
    if (keyId === null) return;
    assertOwnPolicy(changer, keyId);
    const key = await usableKey(this.#context, scope, keyId);
    const problem =
      key === null
        ? 'is not an active API key of this environment'
        : key.permission !== 'send'
          ? 'must be an API key with the permission send'
          : null;
    if (problem !== null) throw invalidFields([{ path: 'policy_key', message: problem }]);
  }

  #row(scope: Scope, request: InboxCreate, requested: string): Inbox {
    const now = this.#context.clock();
    const { name = null, client_id, policy_key = null } = request;
    assertName(name);
    const address =
      request.address?.trim() ?? `${readableLocalPart(randomInt(LOCAL_PARTS))}@${domainIn(request).domain}`;
    return {
      id: newId('ibx', now),
      environment_id: scope.environmentId,
      sub_tenant_id: scope.subTenantId,
      address,
      address_key: addressKey(address),
      name,
      client_id,
      requested,
      policy_key_id: policy_key,
      created_at: now,
      updated_at: now,
    };
  }
}

function domainIn({ address, domain }: InboxCreate): { domain: string; path: string } {
  if ((address === undefined) === (domain === undefined)) {
    throw invalidFields([{ path: 'address', message: 'or domain is required, but not both' }]);
  }
  const email = address?.trim() ?? `inbox@${domain?.trim()}`;
  const path = address === undefined ? 'domain' : 'address';
  const problem = addressProblem(email);
  if (problem !== null) throw invalidFields([{ path, message: `is not usable. ${problem}` }]);
  if (SIGNED_PREFIX.test(email)) {
    throw invalidFields([
      { path, message: 'must not begin with reply+ or unsubscribe+, which Mailkeel signs' },
    ]);
  }
  return { domain: addressDomain(email), path };
}

/** A key with a send policy must not cause replies to be sent with another key. */
function assertOwnPolicy({ keyId, policy }: Changer, wanted: string | null): void {
  if (policy === null || wanted === keyId) return;
  throw new Refusal('forbidden', 'An API key with a send policy can set only itself as the policy key.');
}

function assertName(name: string | null): void {
  const problem = name === null ? null : lineProblem(name);
  if (problem !== null) throw invalidFields([{ path: 'name', message: problem }]);
}

function sameRequest(inbox: Inbox, requested: string): Inbox {
  if (inbox.requested === requested) return inbox;
  throw new Refusal('conflict', 'An inbox with this client ID was created with different parameters.', {
    param: 'client_id',
  });
}
