// Wires who sends: sub-tenants and senders, the checks of their domains, their keys. Nothing here decides anything.
import type { Routes } from './http/api/api.js';
import { senderRoutes } from './http/api/routes/senders.js';
import { subTenantRoutes } from './http/api/routes/sub-tenants.js';
import { confirmSenderRoutes } from './http/public/confirm-sender.js';
import { createRecordCheck } from './net/dns/check-records.js';
import type { DnsResolver } from './net/dns/resolver.js';
import { createTrackingHostCheck } from './net/tracking-host.js';
import type { Clock } from './runtime/clock.js';
import type { Config } from './runtime/config/schema.js';
import type { Keys } from './runtime/key-files.js';
import type { Log } from './runtime/log.js';
import type { Store } from './store/store.js';
import type { Job } from './sweeps.js';
import type { CredentialCache } from './work/accounts/credential-cache.js';
import type { Bells } from './work/submission/accept.js';
import { createDomainChecks } from './work/sweeps/domain-checks.js';
import { createTenantChecks } from './work/tenants/checks.js';
import { createConfirmations } from './work/tenants/confirmations.js';
import type { DomainSettings } from './work/tenants/domain-records.js';
import { createSenders } from './work/tenants/senders.js';
import { createSubTenants } from './work/tenants/sub-tenants.js';

export interface TenancyDeps {
  store: Store;
  config: Config;
  keys: Keys;
  resolver: DnsResolver;
  clock: Clock;
  log: Log;
  bells: Bells;
  credentials: CredentialCache;
  /** Most messages of a sub-tenant an hour; null: no limit. */
  throttle: (tenantId: string, perHour: number | null) => void;
  /** What routes may call a sub-tenant by. */
  nameTenant: (tenantId: string, externalId: string | null) => void;
}

export interface Tenancy {
  routes: Routes[];
  jobs: Job[];
}

export function createTenancy(deps: TenancyDeps): Tenancy {
  const { store, config, keys, resolver, clock, bells, credentials } = deps;
  const settings = domainSettings(config);
  const { masterKey } = keys;
  const { publicUrl, platformDomain } = config;
  const checks = createTenantChecks({
    store,
    recordCheck: createRecordCheck({ resolver, askAuthority: config.dnsServers.length === 0, clock }),
    settings,
    trackingProblem: createTrackingHostCheck({ publicUrl, resolver }),
    clock,
  });
  const ownNames = [
    config.hostname,
    config.bounceDomain,
    ...(platformDomain === null ? [] : [platformDomain]),
  ];
  const confirmations = createConfirmations({ store, clock, publicUrl, platformDomain });
  const senders = createSenders({ store, checks, confirmations, masterKey, clock, bells });
  const subTenants = createSubTenants({
    store,
    checks,
    masterKey,
    ownNames,
    clock,
    bells,
    throttle: deps.throttle,
    nameTenant: deps.nameTenant,
  });
  const domainChecks = createDomainChecks({ store, checks, clock, intervalMs: config.dnsCheckIntervalMs });
  return {
    routes: [
      (api) => senderRoutes(api, { store, senders, settings }),
      (api) => subTenantRoutes(api, { store, subTenants, settings, credentials }),
      (api) => confirmSenderRoutes(api, { confirmations }),
    ],
    jobs: [{ name: 'domain checks', at: 'minute', run: () => domainChecks.run() }],
  };
}

/** Where the records of sending domains lead: mail to our name, links to the public one. */
function domainSettings(config: Config): DomainSettings {
  return { hostname: config.hostname, trackingHost: new URL(config.publicUrl).hostname };
}
