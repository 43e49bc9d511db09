// Wires the reputation of sub-tenants: its sweep, and pausing.
import type { Routes } from '../http/api.js';
import { domainSettings } from '../domains/index.js';
import type { Job } from '../lib/concurrency/index.js';
import type { ReputationContext } from './context.js';
import { Pausing } from './pausing.js';
import { subTenantReputationRoutes } from './reputation.routes.js';
import { ReputationSweep } from './sweep.js';

export type Reputation = ReturnType<typeof createReputation>;

export function createReputation(context: ReputationContext) {
  const { config } = context;
  const pausing = new Pausing(context);
  const sweep = new ReputationSweep(context);
  const settings = { ...config, ...domainSettings(context) };
  const routes: Routes[] = [(api) => subTenantReputationRoutes(api, { ...context, pausing, settings })];
  const jobs: Job[] = [{ name: 'reputation', at: { pattern: config.sweepSchedule }, run: () => sweep.run() }];
  return { pausing, routes, jobs };
}
