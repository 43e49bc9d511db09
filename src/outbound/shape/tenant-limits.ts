// Limits a sub-tenant's mail to all destinations: pauses, suspensions, and a maximum number of messages per hour. Each environment
// has its own limits.
import type { ShapingContext } from './context.js';
import {
  gcraCapacity,
  gcraNextAt,
  gcraRelease,
  gcraTake,
  type RateLimit,
} from '../../lib/rate-limits/index.js';
import type { Restriction } from '../../tenants/restrictions.store.js';
import type { QueueKey, ThrottleRow } from '../schedule/queue.store.js';
import type { WakeUp } from '../schedule/wake-up.js';
import { UNLIMITED, type Hold, type Limit } from './limit.js';
import type { PersistedCounters } from './persisted-counters.js';

const HOUR_MS = 3_600_000;
/** Up to one a second, each message is written down; of faster rates the counter is once a second. */
const SLOW_PER_HOUR = 3_600;
const STOP_CODES = { paused: 'tenant_paused', suspended: 'tenant_dns_suspended' } as const;

/** A sub-tenant in one environment. '' is the workspace's own mail, which is not limited here. */
type TenantKey = Pick<QueueKey, 'environmentId' | 'subTenantKey'>;

/** Why a sub-tenant sends nothing. Both may apply at the same time. */
type StopCause = keyof typeof STOP_CODES;
/** Author of a limit: the owner, or the sweep for reputation. The lower limit is active. */
type LimitCause = 'owner' | 'reputation';

interface TenantState {
  environmentId: number;
  tenantId: string;
  owner: RateLimit | null;
  reputation: RateLimit | null;
  isPaused: boolean;
  isSuspended: boolean;
}

interface TenantLimitOptions {
  initial: readonly Restriction[];
  /** Reads the restrictions that are active now. */
  restrictions: () => Promise<readonly Restriction[]>;
  /** Messages that a sub-tenant with a bad reputation may send in any hour. */
  reputationPerHour: number;
  /** Several nodes send a sub-tenant's mail, so each claim counts it in the store. */
  isShared: boolean;
}

/** The limits, to be changed with the rows of sub-tenants. */
export type TenantControl = Pick<TenantLimits, 'limit' | 'stop' | 'forget' | 'align'>;

export class TenantLimits {
  /** Reads the restrictions that are active now. */
  readonly #restrictions: () => Promise<readonly Restriction[]>;
  readonly #counters: PersistedCounters;
  /** Messages that a sub-tenant with a bad reputation may send in any hour. */
  readonly #reputationPerHour: number;
  readonly #wakeUp: WakeUp;
  /** Whether several nodes send a sub-tenant's mail, so that each claim counts its use in the store. Default false. */
  readonly #isShared: boolean;
  readonly #tenants = new Map<string, TenantState>();
  /** For each alignment that reads now: the sub-tenants that were changed meanwhile. */
  readonly #readings = new Set<Set<string>>();

  constructor(
    { counters, wakeUp }: Pick<ShapingContext, 'counters' | 'wakeUp'>,
    { initial, restrictions, reputationPerHour, isShared }: TenantLimitOptions,
  ) {
    this.#restrictions = restrictions;
    this.#counters = counters;
    this.#reputationPerHour = reputationPerHour;
    this.#wakeUp = wakeUp;
    this.#isShared = isShared;
    for (const row of initial) this.#put(this.#fromRow(row));
  }

  readonly stops: Limit<QueueKey> = {
    name: 'tenant stop',
    check: (queue) => {
      const tenant = this.#find(queue);
      if (!tenant || !(tenant.isPaused || tenant.isSuspended)) return UNLIMITED;
      const code = STOP_CODES[tenant.isPaused ? 'paused' : 'suspended'];
      return { kind: 'closed', reason: { code, until: null, detail: '' } };
    },
    reserve: () => null,
  };

  readonly throttles: Limit<TenantKey> = {
    name: 'tenant throttle',
    check: (key, now) => {
      const tenant = this.#find(key);
      const rate = tenant ? activeRate(tenant) : null;
      if (!rate) return UNLIMITED;
      const tat = this.#readTat(key);
      const capacity = gcraCapacity(tat, rate, now);
      if (capacity > 0) return { kind: 'open', capacity };
      const why = rate === tenant?.reputation ? ' because of its reputation' : '';
      const detail = `The sub-tenant is limited to ${rate.count} messages per hour${why}.`;
      return {
        kind: 'closed',
        reason: { code: 'tenant_throttled', until: gcraNextAt(tat, rate, now), detail },
      };
    },
    reserve: (key, count, now) => this.#take(key, count, now),
  };

  /** Sets the maximum number of messages per hour for one of two causes. `null` removes the limit of that cause. */
  limit(environmentId: number, tenantId: string, cause: LimitCause, perHour: number | null): void {
    const rate = perHour === null ? null : hourlyRate(perHour);
    this.#change(environmentId, tenantId, cause === 'owner' ? { owner: rate } : { reputation: rate });
  }

  /** Stops the sub-tenant for one cause, or takes that cause back. */
  readonly stop = (environmentId: number, tenantId: string, cause: StopCause, isStopped: boolean): void => {
    const to = cause === 'paused' ? { isPaused: isStopped } : { isSuspended: isStopped };
    this.#change(environmentId, tenantId, to);
  };

  /** The sub-tenant was deleted. Its mail passes, so that it can fail. */
  forget(tenantId: string): void {
    for (const [key, tenant] of this.#tenants) {
      if (tenant.tenantId !== tenantId) continue;
      for (const changed of this.#readings) changed.add(key);
      this.#tenants.delete(key);
    }
    this.#wakeUp.notify();
  }

  /** Applies the rows, except for limits that were changed while they were read. */
  async align(): Promise<void> {
    const changedMeanwhile = new Set<string>();
    this.#readings.add(changedMeanwhile);
    try {
      const rows = new Map(
        (await this.#restrictions()).map((row) => [
          tenantKey(row.environmentId, row.tenantId),
          this.#fromRow(row),
        ]),
      );
      let hasChanged = false;
      for (const key of new Set([...rows.keys(), ...this.#tenants.keys()])) {
        if (changedMeanwhile.has(key)) continue;
        const [before, after] = [this.#tenants.get(key), rows.get(key)];
        if (isSame(before, after)) continue;
        hasChanged = true;
        if (after) this.#tenants.set(key, after);
        else this.#tenants.delete(key);
      }
      if (hasChanged) this.#wakeUp.notify();
    } finally {
      this.#readings.delete(changedMeanwhile);
    }
  }

  /** Returns the row that a claim must count in the store, or null if the tenant has no rate or this process counts it alone. */
  throttleOf(queue: TenantKey): ThrottleRow | null {
    const tenant = this.#isShared ? this.#find(queue) : undefined;
    const rate = tenant ? activeRate(tenant) : null;
    return rate === null ? null : { key: tatKey(queue), rate };
  }

  /** Takes over the state that the store has counted. */
  learn(key: string, tat: number): void {
    this.#counters.learn(key, tat);
  }

  #find({ environmentId, subTenantKey }: TenantKey): TenantState | undefined {
    return this.#tenants.size === 0 ? undefined : this.#tenants.get(tenantKey(environmentId, subTenantKey));
  }

  #readTat(key: TenantKey): number | undefined {
    return this.#counters.get(tatKey(key)) as number | undefined;
  }

  #take(key: TenantKey, count: number, now: number): Hold | null {
    const tenant = this.#find(key);
    const rate = tenant ? activeRate(tenant) : null;
    if (!rate || this.#isShared) return null;
    const tat = gcraTake(this.#readTat(key), rate, now, count);
    // Before the claim that it is for: a kill between the two must not make room for one more in the hour.
    if (rate.count <= SLOW_PER_HOUR) this.#counters.putAtOnce(tatKey(key), tat);
    else this.#counters.put(tatKey(key), tat);
    return (ended, isSent) => !isSent && this.#release(key, ended);
  }

  #release(key: TenantKey, count: number): boolean {
    const tenant = this.#find(key);
    const rate = tenant ? activeRate(tenant) : null;
    const tat = this.#readTat(key);
    if (!rate || tat === undefined) return false;
    this.#counters.put(tatKey(key), gcraRelease(tat, rate, count));
    return true;
  }

  #change(environmentId: number, tenantId: string, to: Partial<TenantState>): void {
    const key = tenantKey(environmentId, tenantId);
    for (const changed of this.#readings) changed.add(key);
    this.#put({ ...(this.#tenants.get(key) ?? unlimited(environmentId, tenantId)), ...to });
    this.#wakeUp.notify();
  }

  #put(tenant: TenantState): void {
    const key = tenantKey(tenant.environmentId, tenant.tenantId);
    if (isLimited(tenant)) this.#tenants.set(key, tenant);
    else this.#tenants.delete(key);
  }

  #fromRow(row: Restriction): TenantState {
    const { environmentId, tenantId, isPaused, isSuspended } = row;
    return {
      environmentId,
      tenantId,
      owner: row.perHour === null ? null : hourlyRate(row.perHour),
      reputation: row.isThrottled ? hourlyRate(this.#reputationPerHour) : null,
      isPaused,
      isSuspended,
    };
  }
}

function tenantKey(environmentId: number, tenantId: string): string {
  return `${environmentId} ${tenantId}`;
}

function tatKey({ environmentId, subTenantKey }: TenantKey): string {
  return `throttle ${environmentId} ${subTenantKey}`;
}

function unlimited(environmentId: number, tenantId: string): TenantState {
  return {
    environmentId,
    tenantId,
    owner: null,
    reputation: null,
    isPaused: false,
    isSuspended: false,
  };
}

function isLimited({ owner, reputation, isPaused, isSuspended }: TenantState): boolean {
  return owner !== null || reputation !== null || isPaused || isSuspended;
}

function isSame(a: TenantState | undefined, b: TenantState | undefined): boolean {
  return (
    a?.owner?.count === b?.owner?.count &&
    a?.reputation?.count === b?.reputation?.count &&
    a?.isPaused === b?.isPaused &&
    a?.isSuspended === b?.isSuspended
  );
}

function activeRate({ owner, reputation }: TenantState): RateLimit | null {
  if (owner === null || reputation === null) return owner ?? reputation;
  return reputation.count < owner.count ? reputation : owner;
}

/** Evenly: any trailing hour holds the number and no more. */
function hourlyRate(perHour: number): RateLimit {
  return { count: perHour, perMs: HOUR_MS, burst: 1 };
}
