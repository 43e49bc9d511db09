// `posthorn admin dns`: what to publish for the appliance's own domain.
import type { Config } from '../runtime/config/schema.js';
import { systemClock } from '../runtime/clock.js';
import type { ExpectedRecord } from '../rules/dns-records.js';
import { ensurePlatformKey, platformRecords } from '../work/tenants/platform.js';
import { withAppliance } from './open-appliance.js';

/** Empty without POSTHORN_PLATFORM_DOMAIN. Makes the domain's DKIM key when it is missing, as a start does. */
export function adminDns(config: Config): Promise<ExpectedRecord[]> {
  return withAppliance(config, async ({ store, keys }) => {
    const { platformDomain, hostname, bounceDomain } = config;
    await ensurePlatformKey({ store, masterKey: keys.masterKey, clock: systemClock, platformDomain });
    return platformRecords(store, { hostname, platformDomain, bounceDomain });
  });
}
