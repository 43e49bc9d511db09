// Wires the name server of the zone that is delegated to this appliance; nothing of it is there without a zone.
import type { OutboundRules } from '../outbound/route/outbound-rules.js';
import { createNameServer, type NameServerListening } from '../lib/dns/name-server.js';
import { coversName } from '../lib/tls/certificate.js';
import { zoneFacts, type ZoneFacts } from '../domains/zone/zone-facts.rules.js';
import type { ZonePolicy } from '../domains/zone/zone-records.rules.js';
import type { Clock } from '../lib/runtime/clock.js';
import type { Config } from '../settings/settings.js';
import type { Log } from '../lib/runtime/log.js';
import type { Store } from '../store/store.js';
import type { Certificates } from '../operations/certificates/certificates.js';
import { inboundPolicy } from '../domains/platform.js';
import { createZone } from '../domains/zone/zone.js';

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
  const facts = zoneFactsOf(config, rules);
  if (facts === null) return { start: () => Promise.resolve(null), stop: () => Promise.resolve() };
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
      if (!listening.ok) log.error({ reason: listening.reason }, 'no name server');
      return listening;
    },
    stop: () => server.stop(),
  };
}

/** Null without a zone. */
export function zoneFactsOf(config: Config, { egress }: Pick<OutboundRules, 'egress'>): ZoneFacts | null {
  return zoneFacts(config, [...egress.sources.values()]);
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
