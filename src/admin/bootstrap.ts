// `posthorn admin bootstrap`: the first organization and its keys, before the first start or beside a running server.
import type { Clock } from '../runtime/clock.js';
import type { Config } from '../runtime/config/schema.js';
import type { Bootstrapped } from '../work/accounts/bootstrap.js';
import { bootstrap } from '../work/accounts/bootstrap.js';
import { withAppliance } from './open-appliance.js';

export function adminBootstrap(config: Config, clock: Clock): Promise<Bootstrapped> {
  return withAppliance(config, ({ store }) => bootstrap(store, { clock }));
}
