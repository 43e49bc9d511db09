// A sub-tenant is paused and resumed by request, in one environment: its mail there waits, and new mail is refused.
import type { Actor } from '../contract/names.js';
import { Refusal } from '../contract/refusal.js';
import type { Clock } from '../lib/runtime/clock.js';
import type { Scope } from '../database/scope.js';
import { tenantEntry } from '../tenants/tenant-entry.store.js';
import type { SubTenant } from '../tenants/tenants.store.js';
import { type TenantReputation, tenantReputations } from '../tenants/tenants.tables.js';
import type { Change } from '../database/change.js';
import type { ReputationStores } from './stores.js';
import { insert, update } from '../database/rows.js';

const HOUR_MS = 3_600_000;
const MOVED_MEANWHILE = {
  code: 'conflict',
  message: 'The sub-tenant was changed by another request. Try again.',
} as const;

export interface PausingDeps {
  store: Pick<ReputationStores, 'tenants' | 'reputations' | 'commit'>;
  clock: Clock;
  wakeUps: { events(): void };
  /** Called when the row has changed: delivery reads it again. */
  stop: (environmentId: number, tenantId: string, cause: 'paused', isStopped: boolean) => void;
}

export interface Pausing {
  /** Pausing twice changes nothing, whoever paused it first. */
  pause(scope: Scope, id: string, actor: Actor): Promise<SubTenant>;
  /**
   * Ends a pause, an automatic one too. Resuming what is not paused changes nothing; refused with `conflict` when it is
   * not paused but suspended.
   */
  resume(scope: Scope, id: string, actor: Actor): Promise<SubTenant>;
}

export function createPausing({ store, clock, wakeUps, stop }: PausingDeps): Pausing {
  async function read(scope: Scope, id: string): Promise<SubTenant> {
    const tenant = await store.tenants.subTenant(scope, id);
    if (!tenant) throw new Refusal('not_found');
    return tenant;
  }

  /** As it is afterwards. What another made of it at the same time is as good, if it is what was asked for. */
  async function move(scope: Scope, id: string, plan: Change[], isPaused: boolean): Promise<SubTenant> {
    try {
      await store.commit(plan);
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'conflict') throw error;
      const found = await read(scope, id);
      if ((found.status === 'paused') !== isPaused) throw error;
      return found;
    }
    stop(scope.environmentId, id, 'paused', isPaused);
    wakeUps.events();
    return read(scope, id);
  }

  return {
    async pause(scope, id, actor) {
      const tenant = await read(scope, id);
      if (tenant.status === 'paused') return tenant;
      const now = clock();
      const key = { environment_id: scope.environmentId, sub_tenant_id: id };
      const set = { paused_at: now, pause_cause: 'requested', changed_at: now } as const;
      const plan: Change[] = [
        insert(tenantReputations, { row: { ...key, ...NOTHING_COUNTED }, conflict: 'ignore' }),
        update(tenantReputations, { set, where: { ...key, paused_at: null }, otherwise: MOVED_MEANWHILE }),
        tenantEntry(
          { ...scope, subTenantId: id },
          { event: 'tenant_paused', actor, at: now, metadata: { cause: 'requested' } },
        ),
      ];
      return move(scope, id, plan, true);
    },

    async resume(scope, id, actor) {
      const tenant = await read(scope, id);
      const { reputation } = tenant;
      if (reputation === null || reputation.paused_at === null) {
        if (tenant.status === 'suspended' && scope.mode === 'live') {
          throw new Refusal(
            'conflict',
            'The sub-tenant is suspended until its DNS records are correct again.',
          );
        }
        return tenant;
      }
      const now = clock();
      const hour = Math.floor(now / HOUR_MS);
      const sums = await store.reputations.sums(scope.environmentId, id, hour);
      const { paused_at, pause_cause, state } = reputation;
      const plan: Change[] = [
        update(tenantReputations, {
          set: {
            paused_at: null,
            pause_cause: null,
            changed_at: now,
            resumed_hour: hour,
            resumed_sums: JSON.stringify(sums),
          },
          where: { environment_id: scope.environmentId, sub_tenant_id: id, paused_at },
          otherwise: MOVED_MEANWHILE,
        }),
        tenantEntry(
          { ...scope, subTenantId: id },
          {
            event: 'tenant_recovered',
            actor,
            at: now,
            metadata: { cause: 'resumed', from: 'paused', to: state, paused_for: pause_cause },
          },
        ),
      ];
      return move(scope, id, plan, false);
    },
  };
}

/** The columns of a reputation before anything was held against the sub-tenant, but for its key. */
const NOTHING_COUNTED = {
  state: 'ok',
  changed_at: null,
  paused_at: null,
  pause_cause: null,
  resumed_hour: null,
  resumed_sums: null,
  sent: 0,
  delivered: 0,
  bounced: 0,
  complained: 0,
  complaint_ppm: null,
  bounce_ppm: null,
  scored_at: null,
} as const satisfies Omit<TenantReputation, 'environment_id' | 'sub_tenant_id'>;
