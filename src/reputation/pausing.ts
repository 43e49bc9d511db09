// Pauses and resumes a sub-tenant in one environment by request. Its queued mail waits, and new mail is refused.
import type { Actor } from '../contract/names.js';
import { Refusal } from '../contract/refusal.js';
import type { Clock } from '../lib/runtime/index.js';
import type { Scope } from '../database/scope.js';
import { tenantEntry } from '../tenants/tenant-entry.store.js';
import type { SubTenant } from '../tenants/tenants.store.js';
import { type TenantReputation, tenantReputations } from '../tenants/tenants.tables.js';
import type { Change } from '../database/change.js';
import type { ReputationContext } from './context.js';
import type { ReputationStores } from './stores.js';
import { insert, update } from '../database/rows.js';

const HOUR_MS = 3_600_000;
const MOVED_MEANWHILE = {
  code: 'conflict',
  message: 'The sub-tenant was changed by another request. Try again.',
} as const;

type PausingContext = Pick<ReputationContext, 'clock' | 'wakeUps'> & {
  store: Pick<ReputationStores, 'tenants' | 'reputations' | 'commit'>;
  tenants: Pick<ReputationContext['tenants'], 'stop'>;
};

export class Pausing {
  readonly #context: PausingContext;
  readonly #store: PausingContext['store'];
  readonly #clock: Clock;

  constructor(context: PausingContext) {
    this.#context = context;
    this.#store = context.store;
    this.#clock = context.clock;
  }

  /** A second pause changes nothing. */
  async pause(scope: Scope, id: string, actor: Actor): Promise<SubTenant> {
    const tenant = await this.#read(scope, id);
    if (tenant.status === 'paused') return tenant;
    const now = this.#clock();
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
    return this.#move(scope, { id, plan, isPaused: true });
  }

  /**
   * Ends a pause, also an automatic one. Changes nothing if the sub-tenant is not paused. Refused with `conflict` if it is
   * suspended instead.
   */
  async resume(scope: Scope, id: string, actor: Actor): Promise<SubTenant> {
    const tenant = await this.#read(scope, id);
    const { reputation } = tenant;
    if (reputation === null || reputation.paused_at === null) {
      if (tenant.status === 'suspended' && scope.mode === 'live') {
        throw new Refusal('conflict', 'The sub-tenant is suspended until its DNS records are correct again.');
      }
      return tenant;
    }
    const now = this.#clock();
    const hour = Math.floor(now / HOUR_MS);
    const sums = await this.#store.reputations.sums(scope.environmentId, id, hour);
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
    return this.#move(scope, { id, plan, isPaused: false });
  }

  async #read(scope: Scope, id: string): Promise<SubTenant> {
    const tenant = await this.#store.tenants.subTenant(scope, id);
    if (!tenant) throw new Refusal('not_found');
    return tenant;
  }

  /** Commits the plan and returns the sub-tenant. If another request was faster, its outcome counts if it is the same. */
  async #move(
    scope: Scope,
    { id, plan, isPaused }: { id: string; plan: Change[]; isPaused: boolean },
  ): Promise<SubTenant> {
    try {
      await this.#store.commit(plan);
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'conflict') throw error;
      const found = await this.#read(scope, id);
      if ((found.status === 'paused') !== isPaused) throw error;
      return found;
    }
    this.#context.tenants.stop(scope.environmentId, id, 'paused', isPaused);
    this.#context.wakeUps.events();
    return this.#read(scope, id);
  }
}

/** The columns of a new reputation, except for its key. */
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
