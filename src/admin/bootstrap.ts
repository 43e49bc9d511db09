// Creates the first organization and its keys, before the first start or beside a running server.
import type { Clock } from '../lib/runtime/index.js';
import type { Config } from '../settings/settings.js';
import { type Bootstrapped, bootstrap } from '../accounts/bootstrap.js';
import { withAppliance } from '../app/installation/open-appliance.js';

export function adminBootstrap(config: Config, clock: Clock): Promise<Bootstrapped> {
  return withAppliance(config, ({ store }) => bootstrap(store, { clock }));
}
