// The sweep that scores sub-tenants: what was counted of each in the trailing window makes it warned, throttled, paused, or
// brings it back. Each environment stands for itself.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Refusal } from '../contract/refusal.js';
import type { Clock } from '../lib/runtime/clock.js';
import type { Log } from '../lib/runtime/log.js';
import type { EnvironmentRef } from '../accounts/accounts.store.js';
import type { TenantScore } from './reputation.store.js';
import { judge, type Move, type ReputationSettings } from './judge.js';
import type { ReputationStores } from './stores.js';

const HOUR_MS = 3_600_000;
const HOURS_A_DAY = 24;
/** Changes that are committed together. */
const TOGETHER = 50;

export interface ReputationSweepDeps {
  store: Pick<ReputationStores, 'accounts' | 'reputations' | 'commit'>;
  settings: ReputationSettings;
  /** Called when the rows have changed: delivery reads them again. */
  tenants: {
    limit(environmentId: number, tenantId: string, cause: 'reputation', perHour: number | null): void;
    stop(environmentId: number, tenantId: string, cause: 'paused', isStopped: boolean): void;
    /** Applies what the rows say. */
    align(): Promise<void>;
  };
  clock: Clock;
  log: Log;
  wakeUps: { events(): void };
}

export interface ReputationSweep {
  /** One round over all environments. Rejects at the end when one of them could not be scored. */
  run(): Promise<void>;
}

export function createReputationSweep(deps: ReputationSweepDeps): ReputationSweep {
  const { store, settings, tenants, clock, log, wakeUps } = deps;
  /** Old hours are dropped once a day. */
  let prunedOn: number | null = null;

  async function sweep(environment: EnvironmentRef, fromHour: number): Promise<number> {
    const { environmentId } = environment;
    let moved = 0;
    for (let after = ''; ;) {
      const page = await store.reputations.scores(environmentId, fromHour, after);
      if (!page) return moved;
      after = page.last;
      const now = clock();
      const scores = page.scores.filter((score) => !score.isDeleted);
      const changed = scores.filter(hasChanged);
      if (changed.length > 0) await store.reputations.record(environmentId, changed, now);
      const moves = scores.flatMap((score) => judge(score, settings, environment, now) ?? []);
      for (let i = 0; i < moves.length; i += TOGETHER) {
        const made = await Promise.all(moves.slice(i, i + TOGETHER).map((move) => make(environmentId, move)));
        moved += made.filter(Boolean).length;
      }
      await nextTurn();
    }
  }

  /** False when the row has changed meanwhile: the next sweep decides by what it finds then. */
  async function make(environmentId: number, move: Move): Promise<boolean> {
    const { subTenantId, plan, state, isPaused } = move;
    try {
      await store.commit(plan);
    } catch (error) {
      if (error instanceof Refusal && error.code === 'conflict') return false;
      throw error;
    }
    const perHour = state === 'throttled' ? settings.reputationThrottlePerHour : null;
    tenants.limit(environmentId, subTenantId, 'reputation', perHour);
    if (isPaused) tenants.stop(environmentId, subTenantId, 'paused', true);
    wakeUps.events();
    log.info({ sub_tenant: subTenantId, state, paused: isPaused }, 'sub-tenant reputation changed');
    return true;
  }

  return {
    async run() {
      const now = clock();
      const thisHour = Math.floor(now / HOUR_MS);
      const fromHour = Math.floor((now - settings.reputationWindowMs) / HOUR_MS);
      const faults: unknown[] = [];
      for (const environment of await store.accounts.environments()) {
        try {
          await sweep(environment, fromHour);
          if (prunedOn !== Math.floor(thisHour / HOURS_A_DAY)) {
            await store.reputations.prune(environment.environmentId, fromHour);
          }
        } catch (error) {
          faults.push(error);
        }
      }
      if (faults.length === 0) prunedOn = Math.floor(thisHour / HOURS_A_DAY);
      // Also for changes that were committed without a notification.
      await tenants.align();
      if (faults.length > 0) throw new AggregateError(faults, 'sub-tenants could not be scored');
    },
  };
}

function hasChanged({ reputation, sent, delivered, bounced, complained }: TenantScore): boolean {
  if (!reputation) return sent + delivered + bounced + complained > 0;
  return (
    reputation.sent !== sent ||
    reputation.delivered !== delivered ||
    reputation.bounced !== bounced ||
    reputation.complained !== complained
  );
}
