// The context of the reputation of sub-tenants, which src/app fills.
import type { SendingSources } from '../domains/index.js';
import type { WakeUps } from '../events/wake-ups.js';
import type { Clock, Log } from '../lib/runtime/index.js';
import type { TenantControl } from '../outbound/shape/tenant-limits.js';
import type { Config } from '../settings/settings.js';
import type { ReputationStores } from './stores.js';

export interface ReputationContext {
  store: ReputationStores;
  config: Config;
  rules: SendingSources;
  clock: Clock;
  log: Log;
  wakeUps: Pick<WakeUps, 'events'>;
  /** Limits of sub-tenants in delivery. */
  tenants: Pick<TenantControl, 'limit' | 'stop' | 'align'>;
}
