// Finds mail hosts of domains that are known to accept mail. Their reaction to a connection shows the state of the local network.
import { type AddressFamily, canonicalHost } from '../dns-answers/index.js';
import type { DnsResolver } from '../dns/index.js';

const MAX_TARGETS = 3;

/**
 * Resolves to the best mail host of each domain with one address; hosts that cannot be found are left out.
 */
export async function knownMailHosts(
  resolver: Pick<DnsResolver, 'mx' | 'addresses'>,
  domains: readonly string[],
  family: AddressFamily,
): Promise<{ host: string; address: string }[]> {
  const found = await Promise.all(
    domains.slice(0, MAX_TARGETS).map(async (domain) => {
      const mx = await resolver.mx(domain);
      if (mx.kind !== 'found') return [];
      const [best] = [...mx.records].sort((a, b) => a.preference - b.preference);
      if (!best || canonicalHost(best.exchange) === '') return [];
      const answer = await resolver.addresses(best.exchange, [family]);
      const [address] = answer.kind === 'found' ? answer.records : [];
      return address === undefined ? [] : [{ host: best.exchange, address }];
    }),
  );
  return found.flat();
}
