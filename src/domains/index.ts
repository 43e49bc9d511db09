// Wires domains: senders, the checks of sending domains, their keys, and the name server of the delegated zone.
import type { Routes } from '../api/api.js';
import { createNameServer, type NameServerListening } from '../lib/dns/name-server.js';
import type { DnsResolver } from '../lib/dns/resolver.js';
import type { Clock } from '../lib/runtime/clock.js';
import type { Job } from '../lib/runtime/cron.js';
import type { Keys } from '../lib/runtime/key-files.js';
import type { Log } from '../lib/runtime/log.js';
import { coversName } from '../lib/tls/certificate.js';
import { createTrackingHostCheck } from '../lib/tls/tracking-host.js';
import type { WakeUps } from '../events/wake-ups.js';
import { createSealToken } from '../messages/rendering/mailed-links.js';
import { createUnsolicitedMailLimit } from '../messages/system-mail/unsolicited-mail.js';
import type { Certificates } from '../operations/certificates/certificates.js';
import type { KeyGeneration } from '../outbound/deliver/key-generation.js';
import type { OutboundRules } from '../outbound/route/outbound-rules.js';
import { withReportAddress } from '../inbound/reports/report-addresses.rules.js';
import type { TenantLimits } from '../outbound/shape/tenant-limits.js';
import type { Config } from '../settings/settings.js';
import type { Store } from '../store/store.js';
import { createRecordCheck, type RecordCheck } from './check-records.js';
import { createTenantChecks, type TenantChecks } from './checks.js';
import { createRecordLook, type LookAtRecords } from './current-records.js';
import { createDomainChecks } from './domain-checks-sweep.js';
import type { DomainSettings } from './domain-records.js';
import { createKeyRotation } from './keys/key-rotation-sweep.js';
import { createRotations, lifecycleSettings, type Rotations } from './keys/rotation.js';
import { inboundPolicy, reportAddresses } from './platform.js';
import { confirmSenderRoutes } from './senders/confirm-sender.pages.js';
import { createConfirmations } from './senders/confirmations.js';
import { senderRoutes } from './senders/senders.routes.js';
import { Senders } from './senders/senders.js';
import { spfMechanismsOf, zoneFacts, type ZoneFacts } from './zone/zone-facts.rules.js';
import type { ZonePolicy } from './zone/zone-records.rules.js';
import { createZone } from './zone/zone.js';

export interface DomainsDeps {
  store: Store;
  config: Config;
  keys: Pick<Keys, 'masterKey'>;
  rules: Pick<OutboundRules, 'egress'>;
  resolver: DnsResolver;
  clock: Clock;
  wakeUps: WakeUps;
  /** Holds the mail of a sub-tenant whose domain is out of order. */
  tenants: Pick<TenantLimits, 'stop'>;
  /** Raised when DKIM keys have moved. */
  keyGeneration: KeyGeneration;
}

export interface Domains {
  recordCheck: RecordCheck;
  checks: TenantChecks;
  senders: Senders;
  rotations: Rotations;
  lookAtRecords: LookAtRecords;
  routes: Routes[];
  jobs: Job[];
}

export function createDomains(deps: DomainsDeps): Domains {
  const { store, config, clock, wakeUps } = deps;
  const { masterKey } = deps.keys;
  const { publicUrl, platformDomain, dnsZone: zone } = config;
  const settings = domainSettings(deps);
  const lookUps = lookUpsOf(deps, settings);
  const checks = createChecks(deps, lookUps);
  const confirmations = createConfirmations({
    ...{ store, clock, publicUrl, platformDomain },
    seal: createSealToken(masterKey),
    count: createUnsolicitedMailLimit(masterKey),
  });
  const senders = new Senders({ store, checks, confirmations, masterKey, clock, wakeUps });
  const rotation = { zone, lifecycle: lifecycleSettings(config), rotationMs: config.dkimRotationMs };
  const forgetKeys = (): void => deps.keyGeneration.bump();
  const rotations = createRotations({ store, masterKey, settings: rotation, clock, wakeUps, forgetKeys });
  const keyRotation = createKeyRotation({ store, rotations, settings: rotation, clock, forgetKeys });
  const domainChecks = createDomainChecks({
    store,
    checks,
    clock,
    intervals: intervalsOf(config),
    perRun: config.domainChecksPerMinute,
  });
  return {
    recordCheck: lookUps.recordCheck,
    checks,
    senders,
    rotations,
    lookAtRecords: createRecordLook({ store, clock, ...lookUps }),
    routes: [
      (api) => senderRoutes(api, { store, senders, settings }),
      (api) => confirmSenderRoutes(api, { confirmations }),
    ],
    jobs: [
      { name: 'domain checks', at: 'minute', run: () => domainChecks.run() },
      { name: 'key rotation', at: 'minute', run: () => keyRotation.run() },
    ],
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
  store: Store;
  config: Config;
  rules: Pick<OutboundRules, 'egress'>;
  certificates: Pick<Certificates, 'current'>;
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
export function zoneFactsOf(config: Config, { egress }: Pick<OutboundRules, 'egress'>): ZoneFacts | null {
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
