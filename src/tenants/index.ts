// Wires sub-tenants: their keys and domains, their reputation, and how they are paused.
import type { CredentialCache } from '../accounts/api-keys/credential-cache.js';
import type { Routes } from '../api/api.js';
import { subTenantDkimRoutes } from '../domains/dkim.routes.js';
import { domainSettings, zoneFactsOf, type Domains } from '../domains/index.js';
import { namesOfZone } from '../domains/zone/zone-facts.rules.js';
import type { Clock } from '../lib/runtime/clock.js';
import type { Job } from '../lib/runtime/cron.js';
import type { Keys } from '../lib/runtime/key-files.js';
import type { Log } from '../lib/runtime/log.js';
import type { WakeUps } from '../events/wake-ups.js';
import type { OutboundRules } from '../outbound/route/outbound-rules.js';
import type { TenantLimits } from '../outbound/shape/tenant-limits.js';
import type { Config } from '../settings/settings.js';
import type { Store } from '../store/store.js';
import { createPausing, type Pausing } from './reputation/pausing.js';
import { subTenantReputationRoutes } from './reputation/reputation.routes.js';
import { createReputationSweep } from './reputation/sweep.js';
import { subTenantRoutes } from './sub-tenants.routes.js';
import { SubTenants } from './sub-tenants.js';

export interface TenantsDeps {
  store: Store;
  config: Config;
  keys: Pick<Keys, 'masterKey'>;
  rules: Pick<OutboundRules, 'egress'>;
  domains: Pick<Domains, 'checks' | 'rotations'>;
  clock: Clock;
  log: Log;
  wakeUps: WakeUps;
  credentials: CredentialCache;
  /** Limits of sub-tenants in delivery. */
  tenants: TenantLimits;
  /** Sets the name that routes may use for a sub-tenant. */
  nameTenant: (tenantId: string, externalId: string | null) => void;
}

export interface Tenants {
  subTenants: SubTenants;
  pausing: Pausing;
  routes: Routes[];
  jobs: Job[];
}

export function createTenants(deps: TenantsDeps): Tenants {
  const { store, config, clock, log, wakeUps, credentials, tenants, nameTenant } = deps;
  const { checks, rotations } = deps.domains;
  const { masterKey } = deps.keys;
  const settings = { ...config, ...domainSettings(deps) };
  const subTenants = new SubTenants({
    store,
    checks,
    masterKey,
    ownNames: ownNamesOf(deps),
    zone: config.dnsZone,
    clock,
    log,
    tenants,
    nameTenant,
  });
  const pausing = createPausing({ store, clock, wakeUps, stop: (...cause) => tenants.stop(...cause) });
  const reputation = createReputationSweep({ store, settings: config, tenants, clock, log, wakeUps });
  return {
    subTenants,
    pausing,
    routes: [
      (api) => subTenantRoutes(api, { store, subTenants, settings, credentials }),
      (api) => subTenantDkimRoutes(api, { store, subTenants, rotations, settings }),
      (api) => subTenantReputationRoutes(api, { store, pausing, settings, clock }),
    ],
    jobs: [{ name: 'reputation', at: { pattern: config.sweepSchedule }, run: () => reputation.run() }],
  };
}

/** No customer may set these up. */
function ownNamesOf({ config, rules }: TenantsDeps): string[] {
  const { hostname, bounceDomain, inboundDomain, platformDomain } = config;
  const facts = zoneFactsOf(config, rules);
  const names = [hostname, bounceDomain, inboundDomain, platformDomain].filter((name) => name !== null);
  return [...new Set([...names, ...(facts === null ? [] : namesOfZone(facts))])];
}
