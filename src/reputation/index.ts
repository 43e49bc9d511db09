// Wires the reputation of sub-tenants: how it is judged, and how they are paused.
import type { Routes } from '../http/api.js';
import { domainSettings, type SendingSources } from '../domains/index.js';
import type { WakeUps } from '../events/wake-ups.js';
import type { Clock } from '../lib/runtime/clock.js';
import type { Job } from '../lib/runtime/cron.js';
import type { Log } from '../lib/runtime/log.js';
import type { TenantControl } from '../outbound/shape/tenant-limits.js';
import type { Config } from '../settings/settings.js';
import type { ReputationStores } from './stores.js';
import { createPausing } from './pausing.js';
import { subTenantReputationRoutes } from './reputation.routes.js';
import { createReputationSweep } from './sweep.js';

export interface ReputationDeps {
  store: ReputationStores;
  config: Config;
  rules: SendingSources;
  clock: Clock;
  log: Log;
  wakeUps: WakeUps;
  /** Limits of sub-tenants in delivery. */
  tenants: TenantControl;
}

export type Reputation = ReturnType<typeof createReputation>;

export function createReputation(deps: ReputationDeps) {
  const { store, config, clock, log, wakeUps, tenants } = deps;
  const pausing = createPausing({ store, clock, wakeUps, stop: (...cause) => tenants.stop(...cause) });
  const sweep = createReputationSweep({ store, settings: config, tenants, clock, log, wakeUps });
  const settings = { ...config, ...domainSettings(deps) };
  const routes: Routes[] = [(api) => subTenantReputationRoutes(api, { store, pausing, settings, clock })];
  const jobs: Job[] = [{ name: 'reputation', at: { pattern: config.sweepSchedule }, run: () => sweep.run() }];
  return { pausing, routes, jobs };
}
