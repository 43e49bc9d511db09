// The public DNS, on this machine: a signed root that unbound resolves from, with the customer's zone delegated to a real name
// server, and Mailkeel's zone to Mailkeel.
import { createResolver, type DnsResolver } from '../../src/lib/dns/index.js';
import { ensureNsd, startNsd, type Nsd } from './nsd.js';
import { ensureUnbound, startUnbound } from './unbound.js';

/** The zone that is delegated to Mailkeel. */
export const OUR_ZONE = 'mail.platform.example';
/** The address at which Mailkeel serves it, on port 53. */
export const OUR_ADDRESS = '127.53.2.2';

/** Returns null if it is available, otherwise the reason. */
export function ensureDelegatedDns(): string | null {
  return ensureNsd() ?? ensureUnbound();
}

export interface DelegatedDns {
  /** The name server of shop.example. */
  customer: Nsd;
  /** The public resolver. */
  resolver: DnsResolver;
  /** Its port on 127.0.0.1. */
  port: number;
  /** Settings of a server that uses this resolver. */
  env: Record<string, string>;
  /** Additional settings of a server with the zone. */
  zoneEnv: Record<string, string>;
  close(): Promise<void>;
}

export async function startDelegatedDns(): Promise<DelegatedDns> {
  const customer = await startNsd({ zone: 'shop.example', address: '127.53.2.1' });
  const unbound = await startUnbound({
    records: [
      ...customer.delegation,
      `${OUR_ZONE}. IN NS ns1.${OUR_ZONE}.`,
      `ns1.${OUR_ZONE}. IN A ${OUR_ADDRESS}`,
      'receiver.example. IN MX 10 mx.receiver.example.',
      'mx.receiver.example. IN A 127.0.0.1',
      'mta.platform.example. IN A 127.0.0.1',
    ],
    // A server that was unreachable is queried again immediately.
    settings: ['do-not-query-localhost: no', 'infra-host-ttl: 1', 'infra-keep-probing: yes'],
  });
  const resolver = createResolver({
    servers: [unbound.server],
    timeoutMs: 5_000,
    tries: 2,
    positiveTtlMs: 0,
    negativeTtlMs: 0,
    clock: Date.now,
  });
  return {
    customer,
    resolver,
    port: Number(unbound.server.split(':')[1]),
    env: { MAILKEEL_DNS_SERVERS: unbound.server },
    zoneEnv: {
      MAILKEEL_DNS_ZONE: OUR_ZONE,
      MAILKEEL_DNS_NAME_SERVERS: `ns1.${OUR_ZONE}`,
      MAILKEEL_DNS_HOST: OUR_ADDRESS,
      MAILKEEL_DNS_ADDRESSES: '127.0.0.1',
      MAILKEEL_DNS_TTL: '1s',
    },
    async close() {
      resolver.close();
      await unbound.close();
      await customer.close();
    },
  };
}
