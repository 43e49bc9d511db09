// Queries DNS for the records that the route rule needs, and applies the rule (RFC 5321 section 5).
import { randomInt } from 'node:crypto';
import { isAddress, toAscii } from '../../lib/addresses/index.js';
import { type AddressFamily, canonicalHost, type DnsAnswer } from '../../lib/dns-answers/index.js';
import { candidateHosts, planHost, planRoute, type Route, type RoutePolicy } from './mx.rules.js';
import type { DnsResolver, LookUpOptions } from '../../lib/dns/index.js';

// More hosts than a route keeps, so dead hosts at the front do not hide live ones. Limited, so that a domain with hundreds of MX
// records cannot cause hundreds of queries.
const MAX_HOSTS_LOOKED_UP = 15;

/** Looks up the MX records and addresses of a domain in parallel. Returns the route, or the reason why there is none. */
export async function lookUpRoute(
  resolver: DnsResolver,
  rawDomain: string,
  policy: RoutePolicy,
  options: LookUpOptions = {},
): Promise<Route> {
  const domain = toAscii(canonicalHost(rawDomain));
  if (domain === null || isAddress(domain)) {
    const mx = { kind: 'no_name' } as const;
    return planRoute({ domain: rawDomain, mx, addresses: new Map(), policy, shuffle: pick });
  }
  const mx = await resolver.mx(domain, options);
  const hosts = candidateHosts(domain, mx)
    .map(({ host }) => host)
    .filter((host) => !isAddress(host))
    .slice(0, MAX_HOSTS_LOOKED_UP);
  // A domain without MX is called dead only when it has no address of either family.
  const families = mx.kind === 'no_data' ? ([4, 6] as const) : policy.families;
  const addressesIn = (asked: readonly AddressFamily[]): Promise<[string, DnsAnswer<string>][]> =>
    Promise.all(
      hosts.map(async (host): Promise<[string, DnsAnswer<string>]> => [
        host,
        await resolver.addresses(host, asked, options),
      ]),
    );
  let answers = await addressesIn(families);
  // Whether the host has addresses that none of the server's sources can use.
  if (families.length < 2 && answers.every(([, { kind }]) => kind === 'no_data'))
    answers = await addressesIn([4, 6]);
  return planRoute({ domain, mx, addresses: new Map(answers), policy, shuffle: pick });
}

/**
 * Returns the route to a smarthost given by name or IP address. The operator configured its addresses, so the caller decides with
 * `policy.allowPrivate` whether private ones are allowed.
 */
export async function lookUpHost(
  resolver: DnsResolver,
  host: string,
  policy: RoutePolicy,
  options: LookUpOptions = {},
): Promise<Route> {
  const name = host.replace(/^\[(.+)\]$/, '$1');
  const answer: DnsAnswer<string> = isAddress(name)
    ? { kind: 'found', records: [name] }
    : await resolver.addresses(name, policy.families, options);
  return planHost({ host: name, answer, policy, shuffle: pick });
}

const pick = (n: number): number => (n > 1 ? randomInt(n) : 0);
