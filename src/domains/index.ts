// Wires domains: sub-tenants and senders, the checks of their domains, their keys, and the name server of the delegated zone.
import type { Routes } from '../http/api.js';
import { createNameServer, type DnsResolver, type NameServerListening } from '../lib/dns/index.js';
import type { Job } from '../lib/concurrency/index.js';
import type { Keys } from '../lib/secrets/index.js';
import { type Certificate, coversName } from '../lib/tls/index.js';
import { createTrackingHostCheck } from '../lib/http/index.js';
import type { Config } from '../settings/settings.js';
import { createRecordCheck } from './check-records.js';
import { TenantChecks } from './checks.js';
import type { DomainContext, DomainServices } from './context.js';
import { createCurrentRecords } from './current-records.js';
import { DomainChecks } from './domain-checks-sweep.js';
import type { KeyGeneration } from './keys/key-generation.js';
import { KeyRotation } from './keys/key-rotation-sweep.js';
import { lifecycleSettings, Rotations } from './keys/rotation.js';
import { inboundPolicy, reportAddresses } from './platform.js';
import { withReportAddress } from './report-addresses.rules.js';
import { confirmSenderRoutes } from './senders/confirm-sender.pages.js';
import { Confirmations } from './senders/confirmations.js';
import { senderRoutes } from './senders/senders.routes.js';
import { Senders } from './senders/senders.js';
import { subTenantDkimRoutes } from './sub-tenants/dkim.routes.js';
import { subTenantRoutes } from './sub-tenants/sub-tenants.routes.js';
import { SubTenants } from './sub-tenants/sub-tenants.js';
import {
  namesOfZone,
  effectiveSpfMechanisms,
  zoneFacts,
  type ZoneFacts,
  type ZoneSource,
} from './zone/zone-facts.rules.js';
import type { ZonePolicy } from './zone/zone-records.rules.js';
import { Zone } from './zone/zone.js';

/** Sources that mail is sent from. Reloading replaces `egress`. */
export interface SendingSources {
  readonly egress: { readonly sources: ReadonlyMap<string, ZoneSource> };
}

interface DomainsGiven extends DomainServices {
  config: Config;
  keys: Pick<Keys, 'masterKey'>;
  rules: SendingSources;
  resolver: DnsResolver;
  /** Incremented when DKIM keys change. */
  keyGeneration: KeyGeneration;
}

export type Domains = ReturnType<typeof createDomains>;

export function createDomains(given: DomainsGiven) {
  const context = contextFrom(given);
  const checks = new TenantChecks(context);
  const senders = new Senders(context, checks);
  const subTenants = new SubTenants(context, checks);
  const rotations = new Rotations(context);
  const keyRotation = new KeyRotation(context, rotations);
  const domainChecks = new DomainChecks(context, checks);
  const routes: Routes[] = [
    (api) => senderRoutes(api, context, senders),
    (api) => confirmSenderRoutes(api, new Confirmations(context)),
    (api) => subTenantRoutes(api, context, subTenants),
    (api) => subTenantDkimRoutes(api, context, { subTenants, rotations }),
  ];
  const jobs: Job[] = [
    {
      ...{ name: 'domain checks', at: 'minute' },
      run: () => domainChecks.run(),
      stop: () => domainChecks.stop(),
    },
    { name: 'key rotation', at: 'minute', run: () => keyRotation.run() },
  ];
  return {
    recordCheck: context.recordCheck,
    checks,
    senders,
    subTenants,
    lookAtRecords: createCurrentRecords(context),
    routes,
    jobs,
  };
}

function contextFrom(given: DomainsGiven): DomainContext {
  const { config, keys, resolver, clock, keyGeneration } = given;
  return {
    ...given,
    masterKey: keys.masterKey,
    settings: { ...config, ...domainSettings(given) },
    zone: config.dnsZone,
    serverNames: serverNames(given),
    recordCheck: createRecordCheck({ resolver, askAuthority: config.dnsServers.length === 0, clock }),
    trackingProblem: createTrackingHostCheck({ publicUrl: config.publicUrl, resolver }),
    lifecycle: lifecycleSettings(config),
    intervals: {
      usualMs: config.dnsCheckIntervalMs,
      driftMs: config.dnsDriftCheckIntervalMs,
      keyMs: config.dkimCheckIntervalMs,
    },
    driftGraceMs: config.dnsDriftGraceMs,
    rotationMs: config.dkimRotationMs,
    checksPerRun: config.domainChecksPerMinute,
    forgetKeys: () => keyGeneration.bump(),
  };
}

/** Returns Mailkeel's own host names, which no customer may use. */
function serverNames({ config, rules }: DomainsGiven): string[] {
  const { hostname, bounceDomain, inboundDomain, platformDomain } = config;
  const facts = readZoneFacts(config, rules);
  const names = [hostname, bounceDomain, inboundDomain, platformDomain].filter((name) => name !== null);
  return [...new Set([...names, ...(facts === null ? [] : namesOfZone(facts))])];
}

/** Returns the settings for the records of a domain. */
export function domainSettings({ config, rules }: Pick<DomainsGiven, 'config' | 'rules'>) {
  const { hostname, publicUrl, dnsZone, dnsDmarc } = config;
  return {
    hostname,
    trackingHost: new URL(publicUrl).hostname,
    spfMechanisms: () => effectiveSpfMechanisms(config, [...rules.egress.sources.values()]),
    dnsZone,
    dnsDmarc,
    ...reportAddresses(config),
  };
}

interface ZoneServerGiven extends Pick<DomainServices, 'store' | 'clock' | 'log'> {
  config: Config;
  rules: SendingSources;
  certificates: { current(): Certificate };
}

export interface ZoneServer {
  /** Returns null without a zone. A port that cannot be opened does not prevent the start. */
  start(): Promise<NameServerListening | null>;
  stop(): Promise<void>;
}

export function createZoneServer(given: ZoneServerGiven): ZoneServer {
  const { config, rules, clock, log } = given;
  const first = readZoneFacts(config, rules);
  if (first === null) return { start: () => Promise.resolve(null), stop: () => Promise.resolve() };
  let known = { egress: rules.egress, facts: first };
  /** Computed again when the sources are reloaded. */
  const facts = (): ZoneFacts => {
    const { egress } = rules;
    if (known.egress !== egress) known = { egress, facts: readZoneFacts(config, { egress }) ?? first };
    return known.facts;
  };
  const zone = new Zone(given, facts, zonePolicy(given));
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

/** Returns null without a zone. */
function readZoneFacts(config: Config, { egress }: SendingSources): ZoneFacts | null {
  const { dmarcReportAddress: address, tlsReportAddress } = reportAddresses(config);
  const dnsDmarc = address === undefined ? config.dnsDmarc : withReportAddress(config.dnsDmarc, address);
  return zoneFacts({ ...config, dnsDmarc, tlsReportAddress }, [...egress.sources.values()]);
}

/** Serves no policy without a trusted certificate, because the policy would then block inbound mail (RFC 8461 section 3.3). */
function zonePolicy({ config, certificates }: ZoneServerGiven): ZonePolicy | null {
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
