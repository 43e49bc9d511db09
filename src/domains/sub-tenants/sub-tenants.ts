// Creates, changes and removes sub-tenants. A sub-tenant's sending domain never changes.
import { Refusal, invalidFields } from '../../contract/refusal.js';
import { type Clock, newId } from '../../lib/runtime/index.js';
import type { Scope } from '../../database/scope.js';
import type { DomainContext } from '../context.js';
import type { DomainStores } from '../stores.js';
import type { SubTenant, SubTenantRow } from '../../tenants/tenants.store.js';
import type { TenantChecks } from '../checks.js';
import { makeDkimKeys, retireKeys } from '../keys/dkim-keys.js';
import { RECLAIMED } from '../senders/senders.js';
import {
  forgetBranding,
  planBranding,
  type BrandingChange,
} from '../../accounts/branding/branding-plan.store.js';
import { changedNames, chooseNames, namesTaken, type WantedNames } from './custom-names.js';
import type { DkimMode } from '../keys/dkim-publication.rules.js';
import { labelsBelow } from '../../lib/dns-answers/index.js';
import { readSendingDomain } from '../domain-name.js';
import { type Sender, senders as sendersTable } from '../domains.tables.js';
import type { Change, Plan } from '../../database/change.js';
import { update, remove, insert } from '../../database/rows.js';
import { tenantReputations, subTenants } from '../../tenants/tenants.tables.js';
import { apiKeys } from '../../accounts/api-keys/api-keys.tables.js';

const PAGE = 100;
const EXTERNAL_ID_TAKEN = {
  code: 'conflict',
  message: 'Another sub-tenant already uses this external_id.',
  param: 'external_id',
} as const;
/** Time (ms) that a request waits for the first check of a domain in the delegated zone. */
const FIRST_CHECK_MS = 2_000;
const NO_NAMES = { return_path_domain: null, inbound_domain: null, tracking_domain: null };
const DELETED_MEANWHILE = { code: 'not_found' } as const;

interface NewSubTenant {
  name: string;
  sendingDomain: string;
  externalId: string | null;
  /** How its keys are published. `null` for the server's default. */
  dkim: 'txt' | 'cname' | null;
  /** Names that replace the defaults below its domain. */
  names?: WantedNames;
}

type SubTenantContext = Pick<
  DomainContext,
  'store' | 'masterKey' | 'serverNames' | 'zone' | 'clock' | 'log' | 'nameTenant' | 'alsoRemoved'
> & { tenants: Pick<DomainContext['tenants'], 'limit' | 'forget'> };

export class SubTenants {
  readonly #context: SubTenantContext;
  readonly #store: DomainStores;
  readonly #clock: Clock;
  readonly #checks: Pick<TenantChecks, 'checkSubTenant'>;

  constructor(context: SubTenantContext, checks: Pick<TenantChecks, 'checkSubTenant'>) {
    this.#context = context;
    this.#store = context.store;
    this.#clock = context.clock;
    this.#checks = checks;
  }

  async read(scope: Scope, id: string): Promise<SubTenant> {
    const tenant = await this.#store.tenants.subTenant(scope, id);
    if (!tenant) throw new Refusal('not_found');
    return tenant;
  }

  /**
   * Creates the sub-tenant and its keys. Refuses with `domain_taken`, or with `conflict` for a used `external_id`. A domain in
   * the delegated zone has its records immediately, so it is verified in the same request if DNS shows them within a moment.
   */
  async create(scope: Scope, input: NewSubTenant): Promise<SubTenant> {
    const { row, changes } = await this.plan(scope, input);
    const { id } = row;
    try {
      await this.#store.commit(changes);
    } catch (error) {
      // Several columns are unique, so find out which value was taken in the meantime.
      await this.#refuseTakenExternalId(scope, input.externalId);
      throw error;
    }
    this.announce(row);
    if (row.dkim_mode !== 'zone') return { ...row, reputation: null };
    await this.#firstCheck(id);
    return this.read(scope, id);
  }

  /** Lets routes refer to a sub-tenant by its `external_id`. Call it when a plan is committed. */
  announce({ id, external_id: externalId }: Pick<SubTenantRow, 'id' | 'external_id'>): void {
    this.#context.nameTenant(id, externalId);
  }

  /** Plans the sub-tenant and its keys. Refuses as `create` does. */
  async plan(scope: Scope, input: NewSubTenant): Promise<{ row: SubTenantRow; changes: Change[] }> {
    const { domain, dkimMode, slot } = await newDomain(this.#context, scope, input);
    await this.#refuseUsedName(scope, domain);
    await this.#refuseTakenExternalId(scope, input.externalId);
    const now = this.#clock();
    const id = newId('tnt', now);
    const unnamed = {
      id,
      workspace_id: scope.workspaceId,
      sending_domain: domain,
      dkim_mode: dkimMode,
      ...NO_NAMES,
    };
    const names = await chooseNames(this.#context, unnamed, input.names ?? {});
    const keys = await makeDkimKeys({ ownerId: id, domain, masterKey: this.#context.masterKey, now, slot });
    const row: SubTenantRow = {
      id,
      workspace_id: scope.workspaceId,
      name: input.name,
      external_id: input.externalId,
      sending_domain: domain,
      status: 'pending_verification',
      verified_at: null,
      last_checked_at: null,
      return_path_ok: 0,
      inbound_ok: 0,
      tracking_ok: 0,
      dns_results: null,
      throttle_per_hour: null,
      next_check_at: now,
      drifting_since: null,
      taken_over_at: null,
      dkim_mode: dkimMode,
      ...names,
      created_at: now,
      updated_at: now,
      deleted_at: null,
    };
    const conflict = { code: 'domain_taken', param: 'sending_domain' } as const;
    return { row, changes: [insert(subTenants, { row, conflict }), ...keys.changes] };
  }

  /** Changes a sub-tenant. Changing the throttle requires a live scope, because it applies to live mail. */
  async update(
    scope: Scope,
    id: string,
    change: {
      name?: string;
      externalId?: string | null;
      throttlePerHour?: number | null;
      names?: WantedNames;
      branding?: BrandingChange;
    },
  ): Promise<SubTenant> {
    const tenant = await this.read(scope, id);
    refuseVerifiedInTest(scope, tenant);
    await this.#refuseTakenExternalId(scope, change.externalId ?? null, id);
    const names = changedNames(tenant, await chooseNames(this.#context, tenant, change.names ?? {}));
    const hasNewNames = Object.keys(names).length > 0;
    const set = {
      ...(change.name === undefined ? {} : { name: change.name }),
      ...(change.externalId === undefined ? {} : { external_id: change.externalId }),
      ...(change.throttlePerHour === undefined ? {} : { throttle_per_hour: change.throttlePerHour }),
      ...(hasNewNames ? { ...names, next_check_at: this.#clock() } : {}),
      updated_at: this.#clock(),
    };
    const where = { id, deleted_at: null };
    const conflict = hasNewNames ? namesTaken(names) : EXTERNAL_ID_TAKEN;
    try {
      await this.#store.commit([
        update(subTenants, { set, where, otherwise: DELETED_MEANWHILE, conflict }),
        ...(change.branding === undefined ? [] : planBranding(id, change.branding, set.updated_at)),
      ]);
    } catch (error) {
      // Several columns are unique, so find out which value was taken in the meantime.
      await this.#refuseTakenExternalId(scope, change.externalId ?? null, id);
      throw error;
    }
    if (change.throttlePerHour !== undefined) {
      this.#context.tenants.limit(scope.environmentId, id, 'owner', change.throttlePerHour);
    }
    if (change.externalId !== undefined) this.#context.nameTenant(id, change.externalId);
    return this.read(scope, id);
  }

  /**
   * Checks DNS now, or creates new records if another workspace has proved the domain. Returns the sub-tenant, whether it is
   * verified or not.
   */
  async verify(scope: Scope, id: string): Promise<SubTenant> {
    const tenant = await this.read(scope, id);
    refuseVerifiedInTest(scope, tenant);
    if (tenant.taken_over_at !== null) {
      await this.#reclaim(tenant, tenant.taken_over_at);
      return this.read(scope, id);
    }
    const now = this.#clock();
    const where = { id, deleted_at: null };
    await this.#store.commit([
      update(subTenants, { set: { updated_at: now }, where, otherwise: DELETED_MEANWHILE }),
      update(subTenants, {
        // If the check below does not finish, the sweep continues.
        set: { status: 'pending_verification', next_check_at: now },
        where: { ...where, status: 'failed' },
      }),
    ]);
    await this.#checks.checkSubTenant({ id }, 'api');
    return this.read(scope, id);
  }

  /**
   * Removes a sub-tenant with its keys, senders and templates, and revokes the API keys pinned to it. Refuses with
   * `forbidden` in test once it was verified, because live mail depends on it.
   */
  async remove(scope: Scope, id: string): Promise<void> {
    refuseVerifiedInTest(scope, await this.read(scope, id));
    const [senders, now] = [await this.#sendersOf(scope, id), this.#clock()];
    await this.#store.commit([...removalPlan(id, senders, now), ...this.#context.alsoRemoved(id, now)]);
    // Queued mail is released so that it can fail.
    this.#context.tenants.forget(id);
  }

  async #refuseTakenExternalId(scope: Scope, externalId: string | null, butFor?: string) {
    if (externalId === null) return;
    const page = { limit: 1, after: null };
    const found = await this.#store.tenants.subTenants({ ...scope, subTenantId: null }, page, { externalId });
    if (found.rows.some((row) => row.id !== butFor)) {
      throw new Refusal(EXTERNAL_ID_TAKEN.code, EXTERNAL_ID_TAKEN.message, {
        param: EXTERNAL_ID_TAKEN.param,
      });
    }
  }

  /**
   * Refuses a name that another sub-tenant of the workspace uses for bounces, replies or links. Other workspaces do not
   * prevent a claim, because the newest proof counts.
   */
  async #refuseUsedName({ workspaceId }: Scope, domain: string): Promise<void> {
    const owners = await this.#store.domainChecks.ownersOfName(domain);
    if (owners.some((owner) => owner.workspaceId === workspaceId && owner.subTenantId !== null)) {
      throw new Refusal('domain_taken', undefined, { param: 'sending_domain' });
    }
  }

  /** Waits only briefly. The sweep repeats a check that takes longer. */
  async #firstCheck(id: string): Promise<void> {
    const check = this.#checks.checkSubTenant({ id }, 'api').catch((err: unknown) => {
      this.#context.log.warn({ err, sub_tenant_id: id }, 'first domain check of sub-tenant failed');
    });
    let timer: NodeJS.Timeout | undefined;
    const isLate = new Promise<void>((resolve) => (timer = setTimeout(resolve, FIRST_CHECK_MS)));
    await Promise.race([check, isLate]);
    clearTimeout(timer);
  }

  /** Requires a new proof, with TXT records that were not in DNS when the domain was lost. */
  async #reclaim({ id, sending_domain: domain }: SubTenant, takenOverAt: number): Promise<void> {
    const now = this.#clock();
    const keys = await makeDkimKeys({ ownerId: id, domain, masterKey: this.#context.masterKey, now });
    await this.#store.commit([
      update(subTenants, {
        set: { ...RECLAIMED, dkim_mode: 'txt', updated_at: now, next_check_at: now },
        where: { id, taken_over_at: takenOverAt, deleted_at: null },
        otherwise: DELETED_MEANWHILE,
      }),
      retireKeys(id),
      ...keys.changes,
    ]);
  }

  async #sendersOf(scope: Scope, id: string): Promise<Sender[]> {
    const all: Sender[] = [];
    for (let after: string | null = null; ;) {
      const page = await this.#store.domains.senders({ ...scope, subTenantId: id }, { limit: PAGE, after });
      all.push(...page.rows);
      if (page.next === null) return all;
      after = page.next;
    }
  }
}

/** A verified sub-tenant may be in use for live mail. */
function refuseVerifiedInTest(scope: Scope, tenant: SubTenant): void {
  if (scope.mode === 'live' || tenant.verified_at === null) return;
  throw new Refusal('forbidden', 'The sub-tenant is used for live mail. Use a live key to change it.');
}

/** Delivery workers fail its queued mail once the sub-tenant is deleted. */
function removalPlan(id: string, senders: readonly Sender[], now: number): Plan {
  const ofTenant = { sub_tenant_id: id, deleted_at: null };
  const gone = { deleted_at: now, updated_at: now };
  return [
    update(subTenants, { set: gone, where: { id, deleted_at: null }, otherwise: DELETED_MEANWHILE }),
    retireKeys(id),
    ...senders.map((sender) => retireKeys(sender.id)),
    update(sendersTable, { set: { ...gone, confirmation_hash: null }, where: ofTenant }),
    remove(tenantReputations, { where: { sub_tenant_id: id } }),
    ...forgetBranding(id),
    update(apiKeys, { set: { revoked_at: now }, where: { sub_tenant_id: id, revoked_at: null } }),
  ];
}

interface NewDomain {
  domain: string;
  dkimMode: DkimMode;
  /** Index of its first keys' fixed selectors. `null` for random selectors. */
  slot: 0 | 1 | null;
}

/**
 * Validates the domain of a new sub-tenant, which is in the delegated zone, has aliases into it, or has its own records. Refuses
 * an invalid domain or mode with 422. Refuses with `domain_taken` a name in the zone that another workspace has or ever had,
 * because its replies must not reach someone else.
 */
async function newDomain(
  { store, serverNames, zone }: Pick<DomainContext, 'store' | 'serverNames' | 'zone'>,
  scope: Scope,
  wanted: { sendingDomain: string; dkim: 'txt' | 'cname' | null },
): Promise<NewDomain> {
  const domain = readSendingDomain(wanted.sendingDomain, 'sending_domain', serverNames, zone);
  if (zone !== null && labelsBelow(domain, zone) !== null) {
    if (wanted.dkim !== null)
      throw invalidDkim(`A domain below ${zone} has no records to publish. Omit this field.`);
    if (await store.zone.isOfOthers(scope, domain)) {
      throw new Refusal('domain_taken', undefined, { param: 'sending_domain' });
    }
    // Resolvers may still have the records of a deleted sub-tenant of this name.
    const slot = (await store.zone.lastSlot(domain)) === 0 ? 1 : 0;
    return { domain, dkimMode: 'zone', slot };
  }
  if (zone === null && wanted.dkim === 'cname') {
    throw invalidDkim(
      'Aliases require a DNS zone of this service, and none is configured. Omit this field, or use txt.',
    );
  }
  const dkimMode = wanted.dkim ?? (zone === null ? 'txt' : 'cname');
  return { domain, dkimMode, slot: dkimMode === 'txt' ? null : 0 };
}

function invalidDkim(message: string): Error {
  return invalidFields([{ path: 'dkim', message }]);
}
