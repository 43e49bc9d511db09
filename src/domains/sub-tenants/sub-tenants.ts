// A platform's own customers: set up, changed, removed. Their sending domain never changes.
import { Refusal, invalidFields } from '../../contract/refusal.js';
import type { Clock } from '../../lib/runtime/clock.js';
import { newId } from '../../lib/runtime/ids.js';
import type { Log } from '../../lib/runtime/log.js';
import type { Scope } from '../../database/scope.js';
import type { DomainStores } from '../stores.js';
import type { SubTenant, SubTenantRow } from '../../tenants/tenants.store.js';
import type { TenantChecks } from '../checks.js';
import { makeDkimKeys, retireKeys } from '../keys/dkim-keys.js';
import { CLAIMED_ANEW } from '../senders/senders.js';
import {
  forgetBranding,
  planBranding,
  type BrandingChange,
} from '../../accounts/branding/branding-plan.store.js';
import { changedNames, chooseNames, namesTaken, type WantedNames } from './own-domains.js';
import type { DkimMode } from '../keys/dkim-publication.rules.js';
import { labelsBelow } from '../../lib/dns/dns-answer.rules.js';
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
/** Time (ms) that a request waits for the first check of a domain below our zone. */
const FIRST_CHECK_MS = 2_000;
const NO_NAMES = { return_path_domain: null, inbound_domain: null, tracking_domain: null };
const DELETED_MEANWHILE = { code: 'not_found' } as const;

export interface NewSubTenant {
  name: string;
  sendingDomain: string;
  externalId: string | null;
  /** Publication of its keys; null: the default of this appliance. */
  dkim: 'txt' | 'cname' | null;
  /** Names of its own in place of those below its domain. */
  names?: WantedNames;
}

export interface SubTenantsDeps {
  store: Pick<DomainStores, 'tenants' | 'domains' | 'accounts' | 'zone' | 'domainChecks' | 'commit'>;
  checks: Pick<TenantChecks, 'checkSubTenant'>;
  masterKey: Buffer;
  /** The appliance's host name and its bounce, inbound and platform domains: no customer may set them up. */
  ownNames: readonly string[];
  /** The zone that is delegated to us, where sub-tenants have nothing to publish; null: none is. */
  zone: string | null;
  clock: Clock;
  log: Pick<Log, 'warn'>;
  /** Tells delivery; the rows say it already. */
  tenants: {
    limit(environmentId: number, tenantId: string, cause: 'owner', perHour: number | null): void;
    forget(tenantId: string): void;
  };
  /** Tells delivery what routes may call it by. */
  nameTenant: (tenantId: string, externalId: string | null) => void;
  /** Changes that remove what else belongs to a sub-tenant. */
  alsoRemoved: (subTenantId: string, now: number) => readonly Change[];
}

export class SubTenants {
  readonly #deps: SubTenantsDeps;

  constructor(deps: SubTenantsDeps) {
    this.#deps = deps;
  }

  async read(scope: Scope, id: string): Promise<SubTenant> {
    const { store } = this.#deps;
    const tenant = await store.tenants.subTenant(scope, id);
    if (!tenant) throw new Refusal('not_found');
    return tenant;
  }

  /**
   * Makes the sub-tenant and its keys. Refuses `domain_taken` and, for a used external_id, `conflict`. Below our zone its
   * records are there at once: it is verified, if the world finds them within a moment.
   */
  async create(scope: Scope, input: NewSubTenant): Promise<SubTenant> {
    const { store, masterKey, clock } = this.#deps;
    const { domain, dkimMode, slot } = await newDomain(this.#deps, scope, input);
    await this.#refuseUsedName(scope, domain);
    await this.#refuseTakenExternalId(scope, input.externalId);
    const now = clock();
    const id = newId('tnt', now);
    const unnamed = {
      ...{ id, workspace_id: scope.workspaceId, sending_domain: domain, dkim_mode: dkimMode },
      ...NO_NAMES,
    };
    const names = await chooseNames(this.#deps, unnamed, input.names ?? {});
    const keys = await makeDkimKeys({ ownerId: id, domain, masterKey, now, slot });
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
    try {
      await store.commit([insert(subTenants, { row, conflict }), ...keys.changes]);
    } catch (error) {
      // Of several unique columns: which one was taken in the meantime?
      await this.#refuseTakenExternalId(scope, input.externalId);
      throw error;
    }
    this.#deps.nameTenant(id, input.externalId);
    if (dkimMode !== 'zone') return { ...row, reputation: null };
    await this.#firstCheck(id);
    return this.read(scope, id);
  }

  /** The throttle is of live mail: to change it takes a scope of the live environment. */
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
    const { store, clock } = this.#deps;
    const tenant = await this.read(scope, id);
    refuseVerifiedInTest(scope, tenant);
    await this.#refuseTakenExternalId(scope, change.externalId ?? null, id);
    const names = changedNames(tenant, await chooseNames(this.#deps, tenant, change.names ?? {}));
    const hasNewNames = Object.keys(names).length > 0;
    const set = {
      ...(change.name === undefined ? {} : { name: change.name }),
      ...(change.externalId === undefined ? {} : { external_id: change.externalId }),
      ...(change.throttlePerHour === undefined ? {} : { throttle_per_hour: change.throttlePerHour }),
      ...(hasNewNames ? { ...names, next_check_at: clock() } : {}),
      updated_at: clock(),
    };
    const where = { id, deleted_at: null };
    const conflict = hasNewNames ? namesTaken(names) : EXTERNAL_ID_TAKEN;
    try {
      await store.commit([
        update(subTenants, { set, where, otherwise: DELETED_MEANWHILE, conflict }),
        ...(change.branding === undefined ? [] : planBranding(id, change.branding, set.updated_at)),
      ]);
    } catch (error) {
      // Of several unique columns: which one was taken in the meantime?
      await this.#refuseTakenExternalId(scope, change.externalId ?? null, id);
      throw error;
    }
    if (change.throttlePerHour !== undefined) {
      this.#deps.tenants.limit(scope.environmentId, id, 'owner', change.throttlePerHour);
    }
    if (change.externalId !== undefined) this.#deps.nameTenant(id, change.externalId);
    return this.read(scope, id);
  }

  /**
   * Checks DNS now, or makes new records where another workspace has proved the domain. The tenant as it is afterwards,
   * verified or not.
   */
  async verify(scope: Scope, id: string): Promise<SubTenant> {
    const { store, checks, clock } = this.#deps;
    const tenant = await this.read(scope, id);
    refuseVerifiedInTest(scope, tenant);
    if (tenant.taken_over_at !== null) {
      await this.#claimAnew(tenant, tenant.taken_over_at);
      return this.read(scope, id);
    }
    const now = clock();
    const where = { id, deleted_at: null };
    await store.commit([
      update(subTenants, { set: { updated_at: now }, where, otherwise: DELETED_MEANWHILE }),
      update(subTenants, {
        // Should the check below not come to its end, the sweep goes on.
        set: { status: 'pending_verification', next_check_at: now },
        where: { ...where, status: 'failed' },
      }),
    ]);
    await checks.checkSubTenant({ id }, 'api');
    return this.read(scope, id);
  }

  /**
   * Removes it with its keys, senders and templates, and revokes the API keys pinned to it. Refused with `forbidden` in
   * test once it was verified: live mail goes by it.
   */
  async remove(scope: Scope, id: string): Promise<void> {
    const { store, clock } = this.#deps;
    refuseVerifiedInTest(scope, await this.read(scope, id));
    const [senders, now] = [await this.#sendersOf(scope, id), clock()];
    await store.commit([...removalPlan(id, senders, now), ...this.#deps.alsoRemoved(id, now)]);
    // Its queued mail goes through, whatever held it back, to be failed.
    this.#deps.tenants.forget(id);
  }

  async #refuseTakenExternalId(scope: Scope, externalId: string | null, butFor?: string) {
    const { store } = this.#deps;
    if (externalId === null) return;
    const page = { limit: 1, after: null };
    const found = await store.tenants.subTenants({ ...scope, subTenantId: null }, page, { externalId });
    if (found.rows.some((row) => row.id !== butFor)) {
      throw new Refusal(EXTERNAL_ID_TAKEN.code, EXTERNAL_ID_TAKEN.message, {
        param: EXTERNAL_ID_TAKEN.param,
      });
    }
  }

  /**
   * A sending domain needs records of its own where another sub-tenant's bounces, replies or links have theirs. What other
   * workspaces have keeps nobody from a claim: the newest proof counts.
   */
  async #refuseUsedName({ workspaceId }: Scope, domain: string): Promise<void> {
    const { store } = this.#deps;
    const owners = await store.domainChecks.ownersOfName(domain);
    if (owners.some((owner) => owner.workspaceId === workspaceId && owner.subTenantId !== null)) {
      throw new Refusal('domain_taken', undefined, { param: 'sending_domain' });
    }
  }

  /** The sweep goes on with what is not known in time. */
  async #firstCheck(id: string): Promise<void> {
    const { checks, log } = this.#deps;
    const check = checks.checkSubTenant({ id }, 'api').catch((err: unknown) => {
      log.warn({ err, sub_tenant_id: id }, 'first domain check of sub-tenant failed');
    });
    let timer: NodeJS.Timeout | undefined;
    const isLate = new Promise<void>((resolve) => (timer = setTimeout(resolve, FIRST_CHECK_MS)));
    await Promise.race([check, isLate]);
    clearTimeout(timer);
  }

  /** Takes another proof: records that were not in DNS when the domain was lost, which aliases of then are not. */
  async #claimAnew({ id, sending_domain: domain }: SubTenant, takenOverAt: number): Promise<void> {
    const { store, masterKey, clock } = this.#deps;
    const now = clock();
    const keys = await makeDkimKeys({ ownerId: id, domain, masterKey, now });
    await store.commit([
      update(subTenants, {
        set: { ...CLAIMED_ANEW, dkim_mode: 'txt', updated_at: now, next_check_at: now },
        where: { id, taken_over_at: takenOverAt, deleted_at: null },
        otherwise: DELETED_MEANWHILE,
      }),
      retireKeys(id),
      ...keys.changes,
    ]);
  }

  async #sendersOf(scope: Scope, id: string): Promise<Sender[]> {
    const { store } = this.#deps;
    const all: Sender[] = [];
    for (let after: string | null = null; ;) {
      const page = await store.domains.senders({ ...scope, subTenantId: id }, { limit: PAGE, after });
      all.push(...page.rows);
      if (page.next === null) return all;
      after = page.next;
    }
  }
}

/** Live mail goes by a sub-tenant once it was verified. */
function refuseVerifiedInTest(scope: Scope, tenant: SubTenant): void {
  if (scope.mode === 'live' || tenant.verified_at === null) return;
  throw new Refusal('forbidden', 'The sub-tenant is used for live mail. Use a live key to change it.');
}

/** Its queued mail is failed by the delivery workers, which see that the tenant is gone. */
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

// Set-up of a new sub-tenant's domain: below our own zone, with aliases into it, or with records of its own.
interface NewDomainDeps {
  store: Pick<DomainStores, 'zone'>;
  /** The appliance's host names and its bounce, inbound and platform domains: no customer may set them up. */
  ownNames: readonly string[];
  /** The zone that is delegated to us; null: none is. */
  zone: string | null;
}

interface NewDomain {
  domain: string;
  dkimMode: DkimMode;
  /** Which of the fixed names its first keys have; null: names of their own. */
  slot: 0 | 1 | null;
}

/**
 * Refuses 422 for what cannot be a sending domain or cannot have such keys, and `domain_taken` for a name in the zone
 * that another workspace has or ever had: nobody is to get its replies.
 */
async function newDomain(
  { store, ownNames, zone }: NewDomainDeps,
  scope: Scope,
  wanted: { sendingDomain: string; dkim: 'txt' | 'cname' | null },
): Promise<NewDomain> {
  const domain = readSendingDomain(wanted.sendingDomain, 'sending_domain', ownNames, zone);
  if (zone !== null && labelsBelow(domain, zone) !== null) {
    if (wanted.dkim !== null)
      throw invalidDkim(`A domain below ${zone} has no records to publish. Omit this field.`);
    if (await store.zone.isOfOthers(scope, domain)) {
      throw new Refusal('domain_taken', undefined, { param: 'sending_domain' });
    }
    // Others may still remember what a sub-tenant that is gone had under the name.
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
