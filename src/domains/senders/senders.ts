// Sender identities: addresses confirmed by their owners, and domains proved by DNS.
import { invalidFields, Refusal } from '../../contract/refusal.js';
import { addressKey, addressProblem } from '../../lib/mime/index.js';
import { senderCheck } from './sender.rules.js';
import { type Clock, newId } from '../../lib/runtime/index.js';
import type { Scope } from '../../database/scope.js';
import type { DomainContext } from '../context.js';
import type { DomainStores } from '../stores.js';
import type { TenantChecks } from '../checks.js';
import { Confirmations } from './confirmations.js';
import { makeDkimKeys, retireKeys } from '../keys/dkim-keys.js';
import { readSendingDomain } from '../domain-name.js';
import { type Sender, senders as sendersTable } from '../domains.tables.js';
import type { Change, Plan } from '../../database/change.js';
import { update, insert } from '../../database/rows.js';
import { applyDomainStatus } from '../apply-domain-status.store.js';

const GONE = { code: 'not_found' } as const;
/** Columns of a domain that was lost to a newer proof and is reclaimed. */
export const RECLAIMED = {
  status: 'pending_verification',
  taken_over_at: null,
  dns_results: null,
} as const;

export type NewSender =
  | { kind: 'address'; email: string; name: string | null }
  | { kind: 'domain'; domain: string };

export class Senders {
  readonly #store: DomainStores;
  readonly #clock: Clock;
  readonly #masterKey: Buffer;
  readonly #wakeUps: DomainContext['wakeUps'];
  readonly #checks: TenantChecks;
  readonly #confirmations: Confirmations;

  constructor(context: DomainContext, checks: TenantChecks) {
    this.#store = context.store;
    this.#clock = context.clock;
    this.#masterKey = context.masterKey;
    this.#wakeUps = context.wakeUps;
    this.#checks = checks;
    this.#confirmations = new Confirmations(context);
  }

  async read(scope: Scope, id: string): Promise<Sender> {
    const sender = await this.#store.domains.sender(scope, id);
    if (!sender) throw new Refusal('not_found');
    return sender;
  }

  /**
   * Creates a sender of the scope's sub-tenant or workspace. A domain gets its own keys. An address on a verified domain is
   * verified immediately. With a live key, any other address receives a confirmation link, which is refused with `conflict` if
   * Mailkeel cannot send its own mail.
   */
  async create(scope: Scope, input: NewSender): Promise<Sender> {
    const id =
      input.kind === 'domain'
        ? await this.#createDomain(scope, input.domain)
        : await this.#createAddress(scope, input.email, input.name);
    return this.read(scope, id);
  }

  /**
   * Checks a domain's DNS now, or creates new records if another workspace has proved the domain. The owner of an address
   * receives a new link, which replaces the old one.
   */
  async verify(scope: Scope, id: string): Promise<Sender> {
    const sender = await this.read(scope, id);
    refuseVerifiedInTest(scope, sender);
    if (sender.kind === 'domain') await this.#verifyDomain(sender);
    else await this.#verifyAddress(scope, sender);
    return this.read(scope, id);
  }

  /** Makes an address the default From of its owner's messages. */
  async makeDefault(scope: Scope, id: string): Promise<Sender> {
    const sender = await this.read(scope, id);
    refuseVerifiedInTest(scope, sender);
    if (sender.kind === 'domain') {
      throw new Refusal(
        'conflict',
        'A domain cannot be the default sender. Add an address on the domain and make it the default.',
      );
    }
    const now = this.#clock();
    const ofOwner = { workspace_id: sender.workspace_id, sub_tenant_id: sender.sub_tenant_id };
    await this.#commit([
      update(sendersTable, { set: { is_default: 0 }, where: { ...ofOwner, is_default: 1 } }),
      update(sendersTable, {
        set: { is_default: 1, updated_at: now },
        where: { id, deleted_at: null, status: 'verified' },
        otherwise: { code: 'conflict', message: 'The default sender must be verified.' },
      }),
    ]);
    return this.read(scope, id);
  }

  /**
   * Removes a sender. Addresses and queued mail that depend on its domain fail. Refuses test keys with `forbidden` once the
   * sender was verified, because live mail may depend on it.
   */
  async remove(scope: Scope, id: string): Promise<void> {
    const sender = await this.read(scope, id);
    refuseVerifiedInTest(scope, sender);
    const now = this.#clock();
    const set = { deleted_at: now, updated_at: now, is_default: 0, confirmation_hash: null } as const;
    const where = { id: sender.id, deleted_at: null };
    await this.#commit([
      update(sendersTable, { set, where, otherwise: GONE }),
      retireKeys(sender.id),
      this.#statusUpdate({ ...scope, subTenantId: sender.sub_tenant_id }),
    ]);
  }

  async #commit(plan: Plan): Promise<void> {
    const { queueIds } = await this.#store.commit(plan);
    if (queueIds.length > 0) this.#wakeUps.queue(queueIds);
  }

  /** Returns whether the address is on a domain that is verified for the same owner. */
  async #isCovered(scope: Scope, email: string): Promise<boolean> {
    const tenantId = scope.subTenantId;
    const tenant = tenantId === null ? null : await this.#store.tenants.subTenant(scope, tenantId);
    const senders = await this.#store.domains.verifiedSenders(scope);
    const domains = senders.filter((sender) => sender.kind === 'domain');
    return senderCheck({ mode: 'live', fromEmail: email, tenant, senders: domains }).isAllowed;
  }

  async #createAddress(scope: Scope, email: string, name: string | null): Promise<string> {
    const { row, conflict } = this.#newAddress(scope, email, name);
    const { identity } = row;
    if (await this.#isCovered(scope, identity)) {
      if (scope.mode === 'test') {
        throw new Refusal(
          'forbidden',
          `${identity} is on a verified domain, so adding it would verify it immediately. Use a live key.`,
        );
      }
      const verified = { ...row, status: 'verified' as const, verified_at: row.created_at };
      await this.#commit([insert(sendersTable, { row: verified, conflict }), this.#statusUpdate(scope)]);
      return row.id;
    }
    if (scope.mode === 'test') {
      // The sandbox sends no mail. A live key can send the link with `verify`.
      await this.#commit([insert(sendersTable, { row, conflict })]);
      return row.id;
    }
    const { set, mail } = await this.#confirmations.prepare(scope, identity);
    await this.#commit([insert(sendersTable, { row: { ...row, ...set }, conflict }), ...mail]);
    return row.id;
  }

  /** Plans an address that is not confirmed yet. `verify` sends its owner the link. */
  planAddress(scope: Scope, email: string, name: string | null): { id: string; changes: Change[] } {
    const { row, conflict } = this.#newAddress(scope, email, name);
    return { id: row.id, changes: [insert(sendersTable, { row, conflict })] };
  }

  #newAddress(scope: Scope, email: string, name: string | null) {
    const problem = addressProblem(email);
    if (problem !== null) throw invalidFields([{ path: 'email', message: problem }]);
    const identity = addressKey(email);
    const row = { ...newRow(scope, this.#clock()), kind: 'address' as const, identity, name };
    const message = `${identity} already exists as a sender.`;
    return { row, conflict: { code: 'conflict', message, param: 'email' } as const };
  }

  async #createDomain(scope: Scope, input: string): Promise<string> {
    const { id, changes } = await this.planDomain(scope, input);
    await this.#commit(changes);
    return id;
  }

  /** Plans a domain that is verified once its records are in DNS. Refuses a name that cannot be a sending domain. */
  async planDomain(scope: Scope, input: string): Promise<{ id: string; changes: Change[] }> {
    const domain = readSendingDomain(input, 'domain');
    const now = this.#clock();
    const ofDomain = { kind: 'domain' as const, identity: domain, name: null, next_check_at: now };
    const row = { ...newRow(scope, now), ...ofDomain };
    const keys = await makeDkimKeys({ ownerId: row.id, domain, masterKey: this.#masterKey, now });
    const conflict = { code: 'domain_taken', param: 'domain' } as const;
    return { id: row.id, changes: [insert(sendersTable, { row, conflict }), ...keys.changes] };
  }

  async #verifyAddress(scope: Scope, sender: Sender): Promise<void> {
    if (sender.status === 'verified') return;
    const now = this.#clock();
    const where = { id: sender.id, deleted_at: null };
    const change = (set: Partial<Sender>): Change => {
      const whole = { ...set, updated_at: now };
      return update(sendersTable, { set: whole, where, otherwise: GONE });
    };
    const owner = { ...scope, subTenantId: sender.sub_tenant_id };
    if (await this.#isCovered(owner, sender.identity)) {
      const set = { status: 'verified', verified_at: now, confirmation_hash: null } as const;
      await this.#commit([change(set), this.#statusUpdate(owner)]);
      return;
    }
    if (scope.mode === 'test') {
      throw new Refusal('forbidden', 'The confirmation email is sent as live mail. Use a live key.');
    }
    this.#confirmations.refuseTooSoon(sender);
    const { set, mail } = await this.#confirmations.prepare(scope, sender.identity);
    await this.#commit([change(set), ...mail]);
  }

  /** The domain that verified an address may have been removed since it was read. */
  #statusUpdate({ workspaceId, subTenantId }: Scope): Change {
    return applyDomainStatus({ workspaceId, subTenantId, at: this.#clock() });
  }

  /** Requires a new proof, with records that were not in DNS when the domain was lost. */
  async #reclaim(sender: Sender, takenOverAt: number): Promise<void> {
    const now = this.#clock();
    const { id, identity: domain } = sender;
    const keys = await makeDkimKeys({ ownerId: id, domain, masterKey: this.#masterKey, now });
    await this.#commit([
      update(sendersTable, {
        set: { ...RECLAIMED, updated_at: now, next_check_at: now },
        where: { id, taken_over_at: takenOverAt, deleted_at: null },
        otherwise: GONE,
      }),
      retireKeys(id),
      ...keys.changes,
    ]);
  }

  async #verifyDomain(sender: Sender): Promise<void> {
    if (sender.taken_over_at !== null) return this.#reclaim(sender, sender.taken_over_at);
    const now = this.#clock();
    const where = { id: sender.id, deleted_at: null };
    await this.#commit([
      update(sendersTable, { set: { updated_at: now }, where, otherwise: GONE }),
      update(sendersTable, {
        // If the check below does not finish, the sweep continues.
        set: { status: 'pending_verification', next_check_at: now },
        where: { ...where, status: 'failed' },
      }),
    ]);
    await this.#checks.checkSender(sender);
  }
}

/** A verified sender may be in use for live mail. */
function refuseVerifiedInTest(scope: Scope, sender: Sender): void {
  if (scope.mode === 'live' || sender.verified_at === null) return;
  throw new Refusal('forbidden', 'The sender is used for live mail. Use a live key to change it.');
}

function newRow(scope: Scope, now: number): Omit<Sender, 'kind' | 'identity' | 'name'> {
  return {
    id: newId('snd', now),
    workspace_id: scope.workspaceId,
    sub_tenant_id: scope.subTenantId,
    status: 'pending_verification',
    is_default: 0,
    confirmation_hash: null,
    confirmation_expires_at: null,
    verified_at: null,
    last_checked_at: null,
    return_path_ok: 0,
    inbound_ok: 0,
    tracking_ok: 0,
    dns_results: null,
    next_check_at: null,
    drifting_since: null,
    taken_over_at: null,
    confirmed_at: null,
    created_at: now,
    updated_at: now,
    deleted_at: null,
  };
}
