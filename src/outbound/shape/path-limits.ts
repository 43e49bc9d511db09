// The limits of a path: suspensions, rates and warm-up.
import type { ShapingContext } from './context.js';
import { withoutAddresses } from '../outcome/bounce-class.rules.js';
import type { Egress } from '../route/egress.rules.js';
import type { Clock } from '../../lib/runtime/index.js';
import {
  gcraCapacity,
  gcraNextAt,
  gcraRelease,
  gcraTake,
  type RateLimit,
} from '../../lib/rate-limits/index.js';
import type { ActiveLimit, ActiveLimits } from './active-limits.js';
import { BREAKER_RULE, type SourceSite } from './circuit-breakers.js';
import { UNLIMITED, type Capacity, type Hold, type Limit } from './limit.js';
import type { Path } from './paths.js';
import { putRate, type PersistedCounters } from './persisted-counters.js';
import {
  DEFAULT_WARM_UP,
  firstWarmUp,
  warmUpCounted,
  warmUpRoom,
  type WarmUpEvent,
  type WarmUpPlan,
  type WarmUpState,
} from './warm-up.rules.js';

/** A use of a path by mail of one sub-tenant and rank. */
export interface PathUse {
  path: Path;
  site: SourceSite;
  tenantKey: string;
  rank: number;
  /** Other paths may take it when this one is closed. */
  hasOther: boolean;
}

/** Prefix of the keys of warm-up counters, before the path's key. */
export const WARM_UP_KEY = 'warm-up ';

/** Suspensions set by rules because of replies, of a path or of one sub-tenant's mail on it. */
export function createSuspensions(limits: ActiveLimits): Limit<PathUse> {
  /** The last suspension to end among those that apply to the sub-tenant's mail. */
  function find({ path, tenantKey }: PathUse): ActiveLimit | null {
    let last: ActiveLimit | null = null;
    for (const limit of limits.of(path.key)) {
      const { row } = limit;
      const isOfMail =
        (row.kind === 'suspend' && row.rule !== BREAKER_RULE) ||
        (row.kind === 'suspend_tenant' && row.sub_tenant_key === tenantKey);
      if (isOfMail && (!last || row.expires_at > last.row.expires_at)) last = limit;
    }
    return last;
  }

  return {
    name: 'suspension',
    check(use) {
      const suspension = find(use);
      if (!suspension) return UNLIMITED;
      const { id, kind, expires_at: until, reason, reply } = suspension.row;
      const code = kind === 'suspend' ? 'destination_suspended' : 'tenant_suspended';
      // Everyone whose mail waits can see this, but the reply may name another customer's recipient.
      const detail = reply === '' ? reason : `${reason}: ${withoutAddresses(reply)}`;
      return { kind: 'closed', reason: { code, until, detail, overrideId: id } };
    },
    reserve: () => null,
  };
}

/** Rate limits of paths, as configured or set by a rule because of a reply. */
export function createPathRates(limits: ActiveLimits, counters: PersistedCounters): Limit<PathUse> {
  /** The tightest of the configured and active rates. `by` is set if it is an active one. */
  function tightest(path: Path): { rate: RateLimit | null; by: ActiveLimit | null } {
    let rate = path.base.messageRate;
    let by: ActiveLimit | null = null;
    for (const limit of limits.of(path.key)) {
      if (limit.row.kind !== 'rate') continue;
      const other = limit.value as RateLimit;
      if (rate && other.count / other.perMs >= rate.count / rate.perMs) continue;
      rate = other;
      by = limit;
    }
    return { rate, by };
  }

  const tatKey = (path: Path): string => `rate ${path.key}`;
  const readTat = (path: Path): number | undefined => counters.get(tatKey(path)) as number | undefined;

  function release(path: Path, count: number): boolean {
    const { rate } = tightest(path);
    const tat = readTat(path);
    if (!rate || tat === undefined) return false;
    counters.put(tatKey(path), gcraRelease(tat, rate, count));
    return true;
  }

  return {
    name: 'path rate',
    check({ path }, now) {
      const { rate, by } = tightest(path);
      if (!rate) return UNLIMITED;
      const tat = readTat(path);
      const capacity = gcraCapacity(tat, rate, now);
      if (capacity > 0) return { kind: 'open', capacity };
      const detail = `${path.key} has reached its rate limit${by ? ` (rule ${by.row.rule})` : ''}.`;
      const reason = { code: 'rate_limited', until: gcraNextAt(tat, rate, now), detail } as const;
      return { kind: 'closed', reason: by ? { ...reason, overrideId: by.row.id } : reason };
    },
    reserve({ path }, count, now): Hold | null {
      const { rate } = tightest(path);
      if (!rate) return null;
      putRate(counters, tatKey(path), gcraTake(readTat(path), rate, now, count), rate);
      return (ended, isSent) => !isSent && release(path, ended);
    },
  };
}

/** A cap per day on paths from sources that are being warmed up. */
export class WarmUps implements Limit<PathUse> {
  readonly name = 'warm-up';
  readonly #egress: Egress;
  readonly #counters: PersistedCounters;
  readonly #clock: Clock;

  constructor({ egress, counters, clock }: Pick<ShapingContext, 'egress' | 'counters' | 'clock'>) {
    this.#egress = egress;
    this.#counters = counters;
    this.#clock = clock;
  }

  check({ path, rank }: PathUse, now: number): Capacity {
    const warming = this.#find(path);
    if (!warming) return UNLIMITED;
    const found = warmUpRoom(warming.state, warming.plan, { now, rank });
    if (!('until' in found)) return { kind: 'open', capacity: found.room };
    const detail = `${path.plan.source} is being warmed up and has reached its current limit.`;
    return { kind: 'closed', reason: { code: 'warm_up', until: found.until, detail } };
  }

  reserve({ path }: PathUse, count: number): Hold | null {
    if (!this.count(path, 'sent', count)) return null;
    return (ended, isSent) => !isSent && this.count(path, 'unsent', ended);
  }

  /** False when the path is not being warmed up. */
  count(path: Path, event: WarmUpEvent, count = 1): boolean {
    const warming = this.#find(path);
    if (!warming) return false;
    this.#counters.put(WARM_UP_KEY + path.key, warmUpCounted(warming.state, event, this.#clock(), count));
    return true;
  }

  #find({ key, plan: { via, source } }: Path): { state: WarmUpState; plan: WarmUpPlan } | null {
    const warmUp = via === 'mta' ? this.#egress.sources.get(source)?.warmUp : null;
    if (!warmUp) return null;
    const plan = warmUp.dailyCaps ? { dailyCaps: warmUp.dailyCaps } : DEFAULT_WARM_UP;
    const stored = this.#counters.get(WARM_UP_KEY + key) as WarmUpState | undefined;
    const state = stored ?? firstWarmUp({ startedAt: Date.parse(warmUp.startedOn), now: this.#clock() });
    return { state, plan };
  }
}
