// The sweep that scores sub-tenants. The counts of the trailing window decide whether a sub-tenant is warned, throttled, paused or
// recovered, separately in each environment.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Refusal } from '../contract/refusal.js';
import type { Clock } from '../lib/runtime/index.js';
import type { EnvironmentRef } from '../accounts/accounts.store.js';
import type { TenantScore } from './reputation.store.js';
import { judge, type Move, type ReputationConfig } from './judge.js';
import type { ReputationContext } from './context.js';
import type { ReputationStores } from './stores.js';

const HOUR_MS = 3_600_000;
const HOURS_A_DAY = 24;
/** Changes that are committed together. */
const TOGETHER = 50;

type SweepContext = Pick<ReputationContext, 'tenants' | 'clock' | 'log' | 'wakeUps'> & {
  store: Pick<ReputationStores, 'accounts' | 'reputations' | 'commit'>;
  config: ReputationConfig;
};

export class ReputationSweep {
  readonly #context: SweepContext;
  readonly #store: SweepContext['store'];
  readonly #config: ReputationConfig;
  readonly #clock: Clock;
  /** Old hours are deleted once a day. */
  #prunedOn: number | null = null;

  constructor(context: SweepContext) {
    this.#context = context;
    this.#store = context.store;
    this.#config = context.config;
    this.#clock = context.clock;
  }

  /** Scores every environment. Rejects at the end if one of them could not be scored. */
  async run(): Promise<void> {
    const now = this.#clock();
    const today = Math.floor(Math.floor(now / HOUR_MS) / HOURS_A_DAY);
    const fromHour = Math.floor((now - this.#config.reputationWindowMs) / HOUR_MS);
    const faults: unknown[] = [];
    for (const environment of await this.#store.accounts.environments()) {
      try {
        await this.#sweep(environment, fromHour);
        if (this.#prunedOn !== today) {
          await this.#store.reputations.prune(environment.environmentId, fromHour);
        }
      } catch (error) {
        faults.push(error);
      }
    }
    if (faults.length === 0) this.#prunedOn = today;
    // Also applies changes that were committed without a notification.
    await this.#context.tenants.align();
    if (faults.length > 0) throw new AggregateError(faults, 'sub-tenants could not be scored');
  }

  async #sweep(environment: EnvironmentRef, fromHour: number): Promise<void> {
    const { environmentId } = environment;
    for (let after = ''; ;) {
      const page = await this.#store.reputations.scores(environmentId, fromHour, after);
      if (!page) return;
      after = page.last;
      const now = this.#clock();
      const scores = page.scores.filter((score) => !score.isDeleted);
      const changed = scores.filter(hasChanged);
      if (changed.length > 0) await this.#store.reputations.record(environmentId, changed, now);
      const moves = scores.flatMap((score) => judge(score, this.#config, environment, now) ?? []);
      for (let i = 0; i < moves.length; i += TOGETHER) {
        await Promise.all(moves.slice(i, i + TOGETHER).map((move) => this.#make(environmentId, move)));
      }
      await nextTurn();
    }
  }

  /** Does nothing if the row has changed meanwhile. The next sweep decides again. */
  async #make(environmentId: number, { subTenantId, plan, state, isPaused }: Move): Promise<void> {
    const { tenants, wakeUps, log } = this.#context;
    try {
      await this.#store.commit(plan);
    } catch (error) {
      if (error instanceof Refusal && error.code === 'conflict') return;
      throw error;
    }
    const perHour = state === 'throttled' ? this.#config.reputationThrottlePerHour : null;
    tenants.limit(environmentId, subTenantId, 'reputation', perHour);
    if (isPaused) tenants.stop(environmentId, subTenantId, 'paused', true);
    wakeUps.events();
    log.info({ sub_tenant: subTenantId, state, paused: isPaused }, 'sub-tenant reputation changed');
  }
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
