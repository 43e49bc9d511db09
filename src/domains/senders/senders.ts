// Sender identities: addresses that their owners confirmed, and domains that DNS proves.
import { invalidFields, Refusal } from '../../contract/refusal.js';
import { addressKey, addressProblem } from '../../lib/mime/address.js';
import { senderCheck } from './sender.rules.js';
import type { Clock } from '../../lib/runtime/clock.js';
import { newId } from '../../lib/runtime/ids.js';
import type { Scope } from '../../database/scope.js';
import type { DomainStores } from '../stores.js';
import type { TenantChecks } from '../checks.js';
import type { Confirmations } from './confirmations.js';
import { makeDkimKeys, retireKeys } from '../keys/dkim-keys.js';
import { readSendingDomain } from '../domain-name.js';
import { type Sender, senders as sendersTable } from '../domains.tables.js';
import type { Change, Plan } from '../../database/change.js';
import { update, insert } from '../../database/rows.js';
import { settleAddresses } from '../apply-domains.store.js';

const GONE = { code: 'not_found' } as const;
/** The columns of a domain that was lost to a newer proof, and is claimed again. */
export const CLAIMED_ANEW = {
  status: 'pending_verification',
  taken_over_at: null,
  dns_results: null,
} as const;

export type NewSender =
  | { kind: 'address'; email: string; name: string | null }
  | { kind: 'domain'; domain: string };

export interface SendersDeps {
  store: Pick<DomainStores, 'tenants' | 'domains' | 'commit'>;
  checks: Pick<TenantChecks, 'checkSender'>;
  confirmations: Pick<Confirmations, 'prepare' | 'refuseTooSoon'>;
  masterKey: Buffer;
  clock: Clock;
  wakeUps: { queue(queueIds: readonly number[]): void };
}

export class Senders {
  readonly #deps: SendersDeps;

  constructor(deps: SendersDeps) {
    this.#deps = deps;
  }

  async read(scope: Scope, id: string): Promise<Sender> {
    const { store } = this.#deps;
    const sender = await store.domains.sender(scope, id);
    if (!sender) throw new Refusal('not_found');
    return sender;
  }

  /**
   * For the scope's sub-tenant, else the workspace. A domain comes with its own keys. An address on a verified domain is verified at once; any other gets a mail
   * with a link (asked for with a live key), which is refused with `conflict` where the appliance cannot send mail of its own.
   */
  async create(scope: Scope, input: NewSender): Promise<Sender> {
    const id =
      input.kind === 'domain'
        ? await this.#createDomain(scope, input.domain)
        : await this.#createAddress(scope, input.email, input.name);
    return this.read(scope, id);
  }

  /**
   * Checks a domain's DNS now, or makes new records where another workspace has proved it; mails an address's owner a new link,
   * which ends the old one.
   */
  async verify(scope: Scope, id: string): Promise<Sender> {
    const sender = await this.read(scope, id);
    refuseVerifiedInTest(scope, sender);
    if (sender.kind === 'domain') await this.#verifyDomain(sender);
    else await this.#verifyAddress(scope, sender);
    return this.read(scope, id);
  }

  /** The From of messages that name none, for its owner (workspace or sub-tenant), in place of the last one. */
  async makeDefault(scope: Scope, id: string): Promise<Sender> {
    const { clock } = this.#deps;
    const sender = await this.read(scope, id);
    refuseVerifiedInTest(scope, sender);
    if (sender.kind === 'domain') {
      throw new Refusal(
        'conflict',
        'A domain cannot be the default sender. Add an address on the domain and make it the default.',
      );
    }
    const now = clock();
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
   * Removes the domain with everything that only it allowed: addresses below it, and waiting mail. Refused with
   * `forbidden` for a test key once the domain was verified: live mail depends on it.
   */
  async remove(scope: Scope, id: string): Promise<void> {
    const { clock } = this.#deps;
    const sender = await this.read(scope, id);
    refuseVerifiedInTest(scope, sender);
    const now = clock();
    const set = { deleted_at: now, updated_at: now, is_default: 0, confirmation_hash: null } as const;
    const where = { id: sender.id, deleted_at: null };
    await this.#commit([
      update(sendersTable, { set, where, otherwise: GONE }),
      retireKeys(sender.id),
      this.#settled({ ...scope, subTenantId: sender.sub_tenant_id }),
    ]);
  }

  async #commit(plan: Plan): Promise<void> {
    const { store, wakeUps } = this.#deps;
    const { queueIds } = await store.commit(plan);
    if (queueIds.length > 0) wakeUps.queue(queueIds);
  }

  /** Whether the address is on a domain that is verified for the same owner. */
  async #isCovered(scope: Scope, email: string): Promise<boolean> {
    const { store } = this.#deps;
    const tenantId = scope.subTenantId;
    const tenant = tenantId === null ? null : await store.tenants.subTenant(scope, tenantId);
    const senders = await store.domains.verifiedSenders(scope);
    const domains = senders.filter((sender) => sender.kind === 'domain');
    return senderCheck({ mode: 'live', fromEmail: email, tenant, senders: domains }).isAllowed;
  }

  async #createAddress(scope: Scope, email: string, name: string | null): Promise<string> {
    const { confirmations, clock } = this.#deps;
    const problem = addressProblem(email);
    if (problem !== null) throw invalidFields([{ path: 'email', message: problem }]);
    const identity = addressKey(email);
    const row = { ...newRow(scope, clock()), kind: 'address' as const, identity, name };
    const conflict = {
      code: 'conflict',
      message: `${identity} already exists as a sender.`,
      param: 'email',
    } as const;
    if (await this.#isCovered(scope, identity)) {
      if (scope.mode === 'test') {
        throw new Refusal(
          'forbidden',
          `${identity} is on a verified domain, so adding it would verify it immediately. Use a live key.`,
        );
      }
      const verified = { ...row, status: 'verified' as const, verified_at: row.created_at };
      await this.#commit([insert(sendersTable, { row: verified, conflict }), this.#settled(scope)]);
      return row.id;
    }
    if (scope.mode === 'test') {
      // Nothing leaves the sandbox: the mail waits for a live key's verify.
      await this.#commit([insert(sendersTable, { row, conflict })]);
      return row.id;
    }
    const { set, mail } = await confirmations.prepare(scope, identity);
    await this.#commit([insert(sendersTable, { row: { ...row, ...set }, conflict }), ...mail]);
    return row.id;
  }

  async #createDomain(scope: Scope, input: string): Promise<string> {
    const { masterKey, clock } = this.#deps;
    const domain = readSendingDomain(input, 'domain');
    const now = clock();
    const ofDomain = { kind: 'domain' as const, identity: domain, name: null, next_check_at: now };
    const row = { ...newRow(scope, now), ...ofDomain };
    const keys = await makeDkimKeys({ ownerId: row.id, domain, masterKey, now });
    const conflict = { code: 'domain_taken', param: 'domain' } as const;
    await this.#commit([insert(sendersTable, { row, conflict }), ...keys.changes]);
    return row.id;
  }

  async #verifyAddress(scope: Scope, sender: Sender): Promise<void> {
    const { confirmations, clock } = this.#deps;
    if (sender.status === 'verified') return;
    const now = clock();
    const where = { id: sender.id, deleted_at: null };
    const change = (set: Partial<Sender>): Change => {
      const whole = { ...set, updated_at: now };
      return update(sendersTable, { set: whole, where, otherwise: GONE });
    };
    const owner = { ...scope, subTenantId: sender.sub_tenant_id };
    if (await this.#isCovered(owner, sender.identity)) {
      const set = { status: 'verified', verified_at: now, confirmation_hash: null } as const;
      await this.#commit([change(set), this.#settled(owner)]);
      return;
    }
    if (scope.mode === 'test') {
      throw new Refusal('forbidden', 'The confirmation email is sent as live mail. Use a live key.');
    }
    confirmations.refuseTooSoon(sender);
    const { set, mail } = await confirmations.prepare(scope, sender.identity);
    await this.#commit([change(set), ...mail]);
  }

  /** Whatever vouched for an address may have gone since it was read. */
  #settled({ workspaceId, subTenantId }: Scope): Change {
    const { clock } = this.#deps;
    return settleAddresses({ workspaceId, subTenantId, at: clock() });
  }

  /** Takes another proof: records that were not in DNS when the domain was lost. */
  async #claimAnew(sender: Sender, takenOverAt: number): Promise<void> {
    const { masterKey, clock } = this.#deps;
    const now = clock();
    const { id, identity: domain } = sender;
    const keys = await makeDkimKeys({ ownerId: id, domain, masterKey, now });
    await this.#commit([
      update(sendersTable, {
        set: { ...CLAIMED_ANEW, updated_at: now, next_check_at: now },
        where: { id, taken_over_at: takenOverAt, deleted_at: null },
        otherwise: GONE,
      }),
      retireKeys(id),
      ...keys.changes,
    ]);
  }

  async #verifyDomain(sender: Sender): Promise<void> {
    const { checks, clock } = this.#deps;
    if (sender.taken_over_at !== null) return this.#claimAnew(sender, sender.taken_over_at);
    const now = clock();
    const where = { id: sender.id, deleted_at: null };
    await this.#commit([
      update(sendersTable, { set: { updated_at: now }, where, otherwise: GONE }),
      update(sendersTable, {
        // Should the check below not come to its end, the sweep goes on.
        set: { status: 'pending_verification', next_check_at: now },
        where: { ...where, status: 'failed' },
      }),
    ]);
    await checks.checkSender(sender);
  }
}

/** Live mail goes by a sender once it was verified. */
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
