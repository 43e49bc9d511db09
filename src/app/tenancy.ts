// Wires who sends: sub-tenants and senders, the checks of their domains, their keys. Composition, nothing decided.
import type { Routes } from '../api/api.js';
import { senderRoutes } from '../domains/senders/senders.routes.js';
import { subTenantDkimRoutes } from '../domains/dkim.routes.js';
import { subTenantReputationRoutes } from '../tenants/reputation/reputation.routes.js';
import { subTenantRoutes } from '../tenants/sub-tenants.routes.js';
import type { OutboundRules } from '../outbound/route/outbound-rules.js';
import { confirmSenderRoutes } from '../domains/senders/confirm-sender.pages.js';
import { createRecordCheck, type RecordCheck } from '../domains/check-records.js';
import type { DnsResolver } from '../lib/dns/resolver.js';
import { namesOfZone, spfMechanismsOf } from '../domains/zone/zone-facts.rules.js';
import { createTrackingHostCheck } from '../lib/tls/tracking-host.js';
import type { Clock } from '../lib/runtime/clock.js';
import type { Config } from '../settings/settings.js';
import type { Keys } from '../lib/runtime/key-files.js';
import type { Log } from '../lib/runtime/log.js';
import type { Store } from '../store/store.js';
import type { Job } from './schedules.js';
import type { CredentialCache } from '../accounts/api-keys/credential-cache.js';
import type { WakeUps } from '../messages/accept/accept.js';
import { createSealToken } from '../messages/rendering/mailed-links.js';
import { createUnsolicitedMailLimit } from '../messages/system-mail/unsolicited-mail.js';
import type { KeyGeneration } from '../outbound/deliver/key-generation.js';
import { createReputationSweep } from '../tenants/reputation/sweep.js';
import { createDomainChecks } from '../domains/domain-checks-sweep.js';
import { createKeyRotation } from '../domains/keys/key-rotation-sweep.js';
import { createTenantChecks, type TenantChecks } from '../domains/checks.js';
import { createConfirmations } from '../domains/senders/confirmations.js';
import type { DomainSettings } from '../domains/domain-records.js';
import { createPausing, type Pausing } from '../tenants/reputation/pausing.js';
import { createRecordLook, type LookAtRecords } from '../domains/current-records.js';
import { createRotations, lifecycleSettings } from '../domains/keys/rotation.js';
import { Senders } from '../domains/senders/senders.js';
import { SubTenants } from '../tenants/sub-tenants.js';
import type { TenantLimits } from '../outbound/shape/tenant-limits.js';
import { zoneFactsOf } from './zone.js';

export interface TenancyDeps {
  store: Store;
  config: Config;
  keys: Keys;
  rules: OutboundRules;
  resolver: DnsResolver;
  clock: Clock;
  log: Log;
  wakeUps: WakeUps;
  credentials: CredentialCache;
  /** Limits of sub-tenants in delivery. */
  tenants: TenantLimits;
  /** Sets the name that routes may use for a sub-tenant. */
  nameTenant: (tenantId: string, externalId: string | null) => void;
  /** Raised when DKIM keys have moved. */
  keyGeneration: KeyGeneration;
}

export interface Tenancy {
  lookAtRecords: LookAtRecords;
  recordCheck: RecordCheck;
  checks: TenantChecks;
  senders: Senders;
  subTenants: SubTenants;
  pausing: Pausing;
  routes: Routes[];
  jobs: Job[];
}

export function createTenancy(deps: TenancyDeps): Tenancy {
  const { store, config, keys, clock, log, wakeUps, credentials, tenants } = deps;
  const settings = domainSettings(deps);
  const shown = { ...config, ...settings };
  const { masterKey } = keys;
  const { publicUrl, platformDomain, dnsZone: zone } = config;
  const lookUps = lookUpsOf(deps, settings);
  const stop: TenantLimits['stop'] = (...cause) => tenants.stop(...cause);
  const checks = checksOf(deps, lookUps, stop);
  const confirmations = createConfirmations({
    ...{ store, clock, publicUrl, platformDomain },
    seal: createSealToken(masterKey),
    count: createUnsolicitedMailLimit(masterKey),
  });
  const senders = new Senders({ store, checks, confirmations, masterKey, clock, wakeUps });
  const subTenants = new SubTenants({
    store,
    checks,
    masterKey,
    ownNames: ownNamesOf(deps),
    zone,
    clock,
    log,
    tenants,
    nameTenant: deps.nameTenant,
  });
  const pausing = createPausing({ store, clock, wakeUps, stop });
  const rotation = { zone, lifecycle: lifecycleSettings(config), rotationMs: config.dkimRotationMs };
  const forgetKeys = (): void => deps.keyGeneration.bump();
  const rotations = createRotations({ store, masterKey, settings: rotation, clock, wakeUps, forgetKeys });
  const keyRotation = createKeyRotation({ store, rotations, settings: rotation, clock, forgetKeys });
  const reputation = createReputationSweep({ store, settings: config, tenants, clock, log, wakeUps });
  const domainChecks = createDomainChecks({
    store,
    checks,
    clock,
    intervals: intervalsOf(config),
    perRun: config.domainChecksPerMinute,
  });
  return {
    lookAtRecords: createRecordLook({ store, clock, ...lookUps }),
    ...{ recordCheck: lookUps.recordCheck, checks, senders, subTenants, pausing },
    routes: [
      (api) => senderRoutes(api, { store, senders, settings }),
      (api) => subTenantRoutes(api, { store, subTenants, settings: shown, credentials }),
      (api) => subTenantDkimRoutes(api, { store, subTenants, rotations, settings: shown }),
      (api) => subTenantReputationRoutes(api, { store, pausing, settings: shown, clock }),
      (api) => confirmSenderRoutes(api, { confirmations }),
    ],
    jobs: [
      { name: 'domain checks', at: 'minute', run: () => domainChecks.run() },
      { name: 'key rotation', at: 'minute', run: () => keyRotation.run() },
      { name: 'reputation', at: { pattern: config.sweepSchedule }, run: () => reputation.run() },
    ],
  };
}

type LookUps = ReturnType<typeof lookUpsOf>;

function checksOf(deps: TenancyDeps, lookUps: LookUps, stop: TenantLimits['stop']): TenantChecks {
  const { store, config, clock, wakeUps } = deps;
  return createTenantChecks({
    store,
    ...lookUps,
    lifecycle: lifecycleSettings(config),
    intervals: intervalsOf(config),
    driftGraceMs: config.dnsDriftGraceMs,
    stop,
    notifyEvents: () => wakeUps.events(),
    forgetKeys: () => deps.keyGeneration.bump(),
    clock,
  });
}

function lookUpsOf({ config, resolver, clock }: TenancyDeps, settings: DomainSettings) {
  return {
    recordCheck: createRecordCheck({ resolver, askAuthority: config.dnsServers.length === 0, clock }),
    settings,
    trackingProblem: createTrackingHostCheck({ publicUrl: config.publicUrl, resolver }),
  };
}

function intervalsOf(config: Config) {
  return {
    usualMs: config.dnsCheckIntervalMs,
    driftMs: config.dnsDriftCheckIntervalMs,
    keyMs: config.dkimCheckIntervalMs,
  };
}

/** No customer may set these up. */
function ownNamesOf({ config, rules }: TenancyDeps): string[] {
  const { hostname, bounceDomain, inboundDomain, platformDomain } = config;
  const facts = zoneFactsOf(config, rules);
  const names = [hostname, bounceDomain, inboundDomain, platformDomain].filter((name) => name !== null);
  return [...new Set([...names, ...(facts === null ? [] : namesOfZone(facts))])];
}

/** Where the records of sending domains lead: mail to our name, links to the public one. */
/** Settings that the records of a domain are made of. */
export function domainSettings({ config, rules }: Pick<TenancyDeps, 'config' | 'rules'>) {
  const { hostname, publicUrl, dnsZone, dnsDmarc } = config;
  return {
    hostname,
    trackingHost: new URL(publicUrl).hostname,
    spfMechanisms: spfMechanismsOf(config, [...rules.egress.sources.values()]),
    dnsZone,
    dnsDmarc,
  };
}
