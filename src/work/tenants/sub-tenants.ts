// A platform's own customers: set up, changed, paused, removed. Their domain and keys never change.
import { Refusal } from '../../contract/refusal.js';
import type { Clock } from '../../runtime/clock.js';
import { newId } from '../../runtime/ids.js';
import type { Plan } from '../../store/plan.js';
import type { Scope } from '../../store/scope.js';
import type { Store } from '../../store/store.js';
import type { Sender, SubTenant } from '../../store/tenants.js';
import type { TenantChecks } from './checks.js';
import { makeDkimKeys, retireKeys } from './dkim-keys.js';
import { readSendingDomain } from './domain-name.js';

const PAGE = 100;
const EXTERNAL_ID_TAKEN = {
  code: 'conflict',
  message: 'Another sub-tenant has this external_id.',
  param: 'external_id',
} as const;
const DELETED_MEANWHILE = { code: 'not_found' } as const;

export interface NewSubTenant {
  name: string;
  sendingDomain: string;
  externalId: string | null;
}

export interface SubTenantsDeps {
  store: Pick<Store, 'tenants' | 'accounts' | 'commit'>;
  checks: Pick<TenantChecks, 'checkSubTenant'>;
  masterKey: Buffer;
  /** The appliance's host name and its bounce, inbound and platform domains: no customer may set them up. */
  ownNames: readonly string[];
  clock: Clock;
  bells: { events(): void };
  /** Tells delivery; the row says it already. */
  throttle: (tenantId: string, perHour: number | null) => void;
  /** Tells delivery what routes may call it by. */
  nameTenant: (tenantId: string, externalId: string | null) => void;
}

export type SubTenants = ReturnType<typeof createSubTenants>;

export function createSubTenants(deps: SubTenantsDeps) {
  const { store, checks, masterKey, ownNames, clock, bells } = deps;

  async function read(scope: Scope, id: string): Promise<SubTenant> {
    const tenant = await store.tenants.subTenant(scope, id);
    if (!tenant) throw new Refusal('not_found');
    return tenant;
  }

  async function refuseTakenExternalId(scope: Scope, externalId: string | null, butFor?: string) {
    if (externalId === null) return;
    const page = { limit: 1, after: null };
    const found = await store.tenants.subTenants({ ...scope, subTenantId: null }, page, { externalId });
    if (found.rows.some((row) => row.id !== butFor)) {
      throw new Refusal(EXTERNAL_ID_TAKEN.code, EXTERNAL_ID_TAKEN.message, {
        param: EXTERNAL_ID_TAKEN.param,
      });
    }
  }

  /** Moves the status and says so in the tenant's trail, of the live environment: test mail is not held back. */
  async function moveStatus(scope: Scope, tenant: SubTenant, move: StatusMove): Promise<SubTenant> {
    const now = clock();
    const live = await store.accounts.environmentOf(scope.workspaceId, 'live');
    await store.commit([
      {
        kind: 'update',
        table: 'sub_tenants',
        set: { status: move.to, updated_at: now },
        where: { id: tenant.id, deleted_at: null, status: tenant.status },
        otherwise: { code: 'conflict', message: 'The sub-tenant was changed at the same time; try again.' },
      },
      {
        kind: 'append',
        event: {
          environmentId: live.environmentId,
          workspaceNumber: live.workspaceNumber,
          messageId: null,
          subjectId: tenant.id,
          event: move.event,
          actor: 'api',
          occurredAt: now,
          detail: { metadata: { cause: move.cause } },
        },
      },
    ]);
    bells.events();
    return read(scope, tenant.id);
  }

  return {
    read,

    /** Makes the sub-tenant and its keys. Refuses `domain_taken` and, for a used external_id, `conflict`. */
    async create(scope: Scope, input: NewSubTenant): Promise<SubTenant> {
      const domain = readSendingDomain(input.sendingDomain, 'sending_domain', ownNames);
      await refuseTakenExternalId(scope, input.externalId);
      const now = clock();
      const id = newId('tnt', now);
      const keys = await makeDkimKeys({ ownerId: id, domain, masterKey, now });
      const tenant: SubTenant = {
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
        next_check_at: null,
        drifting_since: null,
        dkim_mode: 'txt',
        return_path_domain: null,
        inbound_domain: null,
        tracking_domain: null,
        created_at: now,
        updated_at: now,
        deleted_at: null,
      };
      const conflict = { code: 'domain_taken', param: 'sending_domain' } as const;
      try {
        await store.commit([{ kind: 'insert', into: 'sub_tenants', row: tenant, conflict }, ...keys.changes]);
      } catch (error) {
        // The table has two unique columns, and the other may have been taken in the meantime.
        await refuseTakenExternalId(scope, input.externalId);
        throw error;
      }
      deps.nameTenant(id, input.externalId);
      return tenant;
    },

    async update(
      scope: Scope,
      id: string,
      change: { name?: string; externalId?: string | null; throttlePerHour?: number | null },
    ): Promise<SubTenant> {
      await read(scope, id);
      await refuseTakenExternalId(scope, change.externalId ?? null, id);
      const set = {
        ...(change.name === undefined ? {} : { name: change.name }),
        ...(change.externalId === undefined ? {} : { external_id: change.externalId }),
        ...(change.throttlePerHour === undefined ? {} : { throttle_per_hour: change.throttlePerHour }),
        updated_at: clock(),
      };
      const where = { id, deleted_at: null };
      await store.commit([
        {
          kind: 'update',
          table: 'sub_tenants',
          set,
          where,
          otherwise: DELETED_MEANWHILE,
          conflict: EXTERNAL_ID_TAKEN,
        },
      ]);
      if (change.throttlePerHour !== undefined) deps.throttle(id, change.throttlePerHour);
      if (change.externalId !== undefined) deps.nameTenant(id, change.externalId);
      return read(scope, id);
    },

    /** Checks DNS now. The tenant as it is afterwards, verified or not. */
    async verify(scope: Scope, id: string): Promise<SubTenant> {
      const tenant = await read(scope, id);
      const now = clock();
      const where = { id, deleted_at: null };
      await store.commit([
        {
          kind: 'update',
          table: 'sub_tenants',
          set: { updated_at: now },
          where,
          otherwise: DELETED_MEANWHILE,
        },
        {
          kind: 'update',
          table: 'sub_tenants',
          set: { status: 'pending_verification' },
          where: { ...where, status: 'failed' },
        },
      ]);
      await checks.checkSubTenant({ ...tenant, updated_at: now });
      return read(scope, id);
    },

    /** Live sends are refused and queued mail waits until `resume`. Pausing twice changes nothing. */
    async pause(scope: Scope, id: string): Promise<SubTenant> {
      const tenant = await read(scope, id);
      if (tenant.status === 'paused') return tenant;
      refuseSuspended(tenant);
      return moveStatus(scope, tenant, { to: 'paused', event: 'tenant_paused', cause: 'requested' });
    },

    /** Mail goes again, if the domain was verified before. Resuming what is not paused changes nothing. */
    async resume(scope: Scope, id: string): Promise<SubTenant> {
      const tenant = await read(scope, id);
      refuseSuspended(tenant);
      if (tenant.status !== 'paused') return tenant;
      const to = tenant.verified_at === null ? 'pending_verification' : 'verified';
      return moveStatus(scope, tenant, { to, event: 'tenant_recovered', cause: 'resumed' });
    },

    /** Removes it with its keys, senders and templates, and revokes the API keys pinned to it. */
    async remove(scope: Scope, id: string): Promise<void> {
      await read(scope, id);
      await store.commit(removalPlan(id, await sendersOf(scope, id), clock()));
    },
  };

  async function sendersOf(scope: Scope, id: string): Promise<Sender[]> {
    const all: Sender[] = [];
    for (let after: string | null = null; ;) {
      const page = await store.tenants.senders({ ...scope, subTenantId: id }, { limit: PAGE, after });
      all.push(...page.rows);
      if (page.next === null) return all;
      after = page.next;
    }
  }
}

interface StatusMove {
  to: SubTenant['status'];
  event: 'tenant_paused' | 'tenant_recovered';
  cause: string;
}

function refuseSuspended(tenant: SubTenant): void {
  if (tenant.status === 'suspended') {
    throw new Refusal('conflict', 'The sub-tenant is suspended until its DNS records are right again.');
  }
}

/** Its queued mail is failed by the delivery workers, which see that the tenant is gone. */
function removalPlan(id: string, senders: readonly Sender[], now: number): Plan {
  const ofTenant = { sub_tenant_id: id, deleted_at: null };
  const gone = { deleted_at: now, updated_at: now };
  return [
    {
      kind: 'update',
      table: 'sub_tenants',
      set: gone,
      where: { id, deleted_at: null },
      otherwise: DELETED_MEANWHILE,
    },
    retireKeys(id),
    ...senders.map((sender) => retireKeys(sender.id)),
    { kind: 'update', table: 'senders', set: { ...gone, confirmation_hash: null }, where: ofTenant },
    { kind: 'update', table: 'templates', set: gone, where: ofTenant },
    {
      kind: 'update',
      table: 'api_keys',
      set: { revoked_at: now },
      where: { sub_tenant_id: id, revoked_at: null },
    },
  ];
}
