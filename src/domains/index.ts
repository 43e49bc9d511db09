// Wires domains: sub-tenants and senders, the checks of their domains, their keys, and the name server of the delegated zone.
import type { CredentialCache } from '../accounts/api-keys/credential-cache.js';
import type { SystemMail } from '../accounts/system-mail.js';
import type { Routes } from '../http/api.js';
import { createNameServer, type NameServerListening } from '../lib/dns/name-server.js';
import type { DnsResolver } from '../lib/dns/resolver.js';
import type { Clock } from '../lib/runtime/clock.js';
import type { Job } from '../lib/runtime/cron.js';
import type { Keys } from '../lib/runtime/key-files.js';
import type { Log } from '../lib/runtime/log.js';
import { type Certificate, coversName } from '../lib/tls/certificate.js';
import { createTrackingHostCheck } from '../lib/tls/tracking-host.js';
import type { WakeUps } from '../events/wake-ups.js';
import { createSealToken } from '../lib/runtime/mailed-token.js';
import { createUnsolicitedMailLimit } from '../accounts/unsolicited-mail.js';
import { withReportAddress } from './report-addresses.rules.js';
import type { Config } from '../settings/settings.js';
import type { DomainStores } from './stores.js';
import { createRecordCheck } from './check-records.js';
import { createTenantChecks } from './checks.js';
import { createRecordLook } from './current-records.js';
import { createDomainChecks } from './domain-checks-sweep.js';
import type { DomainSettings } from './domain-records.js';
import type { KeyGeneration } from './keys/key-generation.js';
import { createKeyRotation } from './keys/key-rotation-sweep.js';
import { createRotations, lifecycleSettings } from './keys/rotation.js';
import { inboundPolicy, reportAddresses } from './platform.js';
import { confirmSenderRoutes } from './senders/confirm-sender.pages.js';
import { createConfirmations } from './senders/confirmations.js';
import { senderRoutes } from './senders/senders.routes.js';
import { Senders } from './senders/senders.js';
import { subTenantDkimRoutes } from './sub-tenants/dkim.routes.js';
import { subTenantRoutes } from './sub-tenants/sub-tenants.routes.js';
import { SubTenants, type SubTenantsDeps } from './sub-tenants/sub-tenants.js';
import {
  namesOfZone,
  spfMechanismsOf,
  zoneFacts,
  type ZoneFacts,
  type ZoneSource,
} from './zone/zone-facts.rules.js';
import type { ZonePolicy } from './zone/zone-records.rules.js';
import { createZone } from './zone/zone.js';

/** The sources that mail is sent from: another object once they were reloaded. */
export interface SendingSources {
  readonly egress: { readonly sources: ReadonlyMap<string, ZoneSource> };
}

export interface DomainsDeps {
  store: DomainStores;
  config: Config;
  keys: Pick<Keys, 'masterKey'>;
  rules: SendingSources;
  systemMail: SystemMail;
  resolver: DnsResolver;
  clock: Clock;
  log: Log;
  wakeUps: WakeUps;
  credentials: Pick<CredentialCache, 'forget'>;
  /** Told of changes that the rows already have: delivery then holds or releases the mail of a sub-tenant at once. */
  tenants: SubTenantsDeps['tenants'] & {
    stop(environmentId: number, tenantId: string, cause: 'suspended', isStopped: boolean): void;
  };
  /** Sets the name that routes may use for a sub-tenant. */
  nameTenant: SubTenantsDeps['nameTenant'];
  alsoRemoved: SubTenantsDeps['alsoRemoved'];
  /** Raised when DKIM keys have moved. */
  keyGeneration: KeyGeneration;
}

export type Domains = ReturnType<typeof createDomains>;

export function createDomains(deps: DomainsDeps) {
  const { store, config, clock, log, wakeUps, tenants, nameTenant, alsoRemoved, credentials } = deps;
  const { masterKey } = deps.keys;
  const { publicUrl, dnsZone: zone } = config;
  const settings = domainSettings(deps);
  const lookUps = lookUpsOf(deps, settings);
  const checks = createChecks(deps, lookUps);
  const confirmations = createConfirmations({
    ...{ store, clock, publicUrl, systemMail: deps.systemMail },
    seal: createSealToken(masterKey),
    count: createUnsolicitedMailLimit(masterKey),
  });
  const senders = new Senders({ store, checks, confirmations, masterKey, clock, wakeUps });
  const rotation = { zone, lifecycle: lifecycleSettings(config), rotationMs: config.dkimRotationMs };
  const forgetKeys = (): void => deps.keyGeneration.bump();
  const rotations = createRotations({ store, masterKey, settings: rotation, clock, wakeUps, forgetKeys });
  const keyRotation = createKeyRotation({ store, rotations, settings: rotation, clock, forgetKeys });
  const domainChecks = createDomainChecks({
    ...{ store, checks, clock },
    intervals: intervalsOf(config),
    perRun: config.domainChecksPerMinute,
  });
  const ownNames = ownNamesOf(deps);
  const subTenants = new SubTenants({
    ...{ store, checks, masterKey, ownNames, zone, clock, log, tenants, nameTenant, alsoRemoved },
  });
  const shown = { ...config, ...settings };
  const routes: Routes[] = [
    (api) => senderRoutes(api, { store, senders, settings }),
    (api) => confirmSenderRoutes(api, { confirmations }),
    (api) => subTenantRoutes(api, { store, subTenants, settings: shown, credentials }),
    (api) => subTenantDkimRoutes(api, { store, subTenants, rotations, settings: shown }),
  ];
  const jobs: Job[] = [
    { name: 'domain checks', at: 'minute', run: () => domainChecks.run() },
    { name: 'key rotation', at: 'minute', run: () => keyRotation.run() },
  ];
  return {
    recordCheck: lookUps.recordCheck,
    checks,
    senders,
    subTenants,
    lookAtRecords: createRecordLook({ store, clock, ...lookUps }),
    routes,
    jobs,
  };
}

function createChecks(deps: DomainsDeps, lookUps: ReturnType<typeof lookUpsOf>) {
  const { store, config, clock, wakeUps, tenants } = deps;
  return createTenantChecks({
    store,
    ...lookUps,
    lifecycle: lifecycleSettings(config),
    intervals: intervalsOf(config),
    driftGraceMs: config.dnsDriftGraceMs,
    stop: (...cause) => tenants.stop(...cause),
    notifyEvents: () => wakeUps.events(),
    forgetKeys: () => deps.keyGeneration.bump(),
    clock,
  });
}

function lookUpsOf({ config, resolver, clock }: DomainsDeps, settings: DomainSettings) {
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
function ownNamesOf({ config, rules }: DomainsDeps): string[] {
  const { hostname, bounceDomain, inboundDomain, platformDomain } = config;
  const facts = zoneFactsOf(config, rules);
  const names = [hostname, bounceDomain, inboundDomain, platformDomain].filter((name) => name !== null);
  return [...new Set([...names, ...(facts === null ? [] : namesOfZone(facts))])];
}

/** Settings that the records of a domain are made of. */
export function domainSettings({ config, rules }: Pick<DomainsDeps, 'config' | 'rules'>) {
  const { hostname, publicUrl, dnsZone, dnsDmarc } = config;
  return {
    hostname,
    trackingHost: new URL(publicUrl).hostname,
    spfMechanisms: () => spfMechanismsOf(config, [...rules.egress.sources.values()]),
    dnsZone,
    dnsDmarc,
    ...reportAddresses(config),
  };
}

export interface ZoneServerDeps {
  store: DomainStores;
  config: Config;
  rules: SendingSources;
  certificates: { current(): Certificate };
  clock: Clock;
  log: Log;
}

export interface ZoneServer {
  /** Null without a zone; a port that cannot be had keeps nothing else from starting. */
  start(): Promise<NameServerListening | null>;
  stop(): Promise<void>;
}

export function createZoneServer(deps: ZoneServerDeps): ZoneServer {
  const { store, config, rules, clock, log } = deps;
  const first = zoneFactsOf(config, rules);
  if (first === null) return { start: () => Promise.resolve(null), stop: () => Promise.resolve() };
  let known = { egress: rules.egress, facts: first };
  /** Made anew when the sources were reloaded. */
  const facts = (): ZoneFacts => {
    const { egress } = rules;
    if (known.egress !== egress) known = { egress, facts: zoneFactsOf(config, { egress }) ?? first };
    return known.facts;
  };
  const zone = createZone({ store, facts, policy: policyOf(deps), clock });
  const server = createNameServer({
    host: config.dnsHost,
    port: config.dnsPort,
    limits: {
      perNetworkPerMinute: config.dnsRatePerMinute,
      totalPerMinute: config.dnsTotalRatePerMinute,
      connections: config.dnsConnections,
      idleMs: config.dnsIdleMs,
    },
    answer: (question) => zone.answer(question),
    clock,
    log,
  });
  return {
    async start() {
      const listening = await server.start();
      if (!listening.ok) log.error({ reason: listening.reason }, 'name server not available');
      return listening;
    },
    stop: () => server.stop(),
  };
}

/** Null without a zone. */
function zoneFactsOf(config: Config, { egress }: SendingSources): ZoneFacts | null {
  const { dmarcReportAddress: address, tlsReportAddress } = reportAddresses(config);
  const dnsDmarc = address === undefined ? config.dnsDmarc : withReportAddress(config.dnsDmarc, address);
  return zoneFacts({ ...config, dnsDmarc, tlsReportAddress }, [...egress.sources.values()]);
}

/** A policy whose host has no certificate that others know would keep their mail away (RFC 8461 section 3.3). */
function policyOf({ config, certificates }: ZoneServerDeps): ZonePolicy | null {
  const policy = config.https ? inboundPolicy(config) : null;
  if (policy === null) return null;
  return {
    policyText: policy.policyText,
    isServedFor: (domain) => {
      const certificate = certificates.current();
      return certificate.origin !== 'self-signed' && coversName(certificate, `mta-sts.${domain}`);
    },
  };
}
