// Checks of the delegated zone: whether its parent delegates it to Mailkeel, and whether the name server is reachable.
import { canonicalHost, type DnsAnswer, type DnsFailure } from '../../lib/dns-answers/index.js';
import { unknownResult, type CheckResult } from './preflight.rules.js';
import type { ReachFact } from '../../lib/smtp-replies/index.js';

export interface ZoneToCheck {
  name: string;
  /** Names that the parent delegates to. The first is in the SOA record. */
  nameServers: readonly string[];
}

/** `observed` are the name servers that resolvers find for the zone. */
export function judgeDelegation(
  { name, nameServers }: ZoneToCheck,
  observed: DnsAnswer<string>,
): CheckResult {
  const wanted = nameServers.map(canonicalHost);
  const expected = wanted.join(', ');
  const question = { name: 'zone_delegation', subject: name, expected } as const;
  const isBelow = wanted.some((server) => server.endsWith(`.${canonicalHost(name)}`));
  const glue = isBelow ? '. Add glue addresses for the names inside the zone' : '';
  const remedy = `Publish NS records for ${name} in the parent zone, pointing to ${expected}${glue}.`;
  if (observed.kind === 'failed') {
    // A resolver gives the same response if the delegated server does not respond.
    const next = 'If the delegation is correct, see the name server checks. The next run checks again.';
    return unknownResult('zone_delegation', name, `DNS lookup failed (${observed.reason})`, next);
  }
  if (observed.kind !== 'found') return { ...question, status: 'fail', observed: 'none', remedy };
  const found = observed.records.map(canonicalHost).sort();
  const isSame = found.join() === [...wanted].sort().join();
  const text = found.join(', ').slice(0, 300);
  if (isSame) return { ...question, status: 'pass', observed: text, remedy: null };
  return { ...question, status: 'warn', observed: text, remedy };
}

export interface NameServerFact {
  address: string;
  /** UDP response to a query for the SOA record of the zone. */
  udp: { kind: 'soa'; primary: string } | { kind: 'none' } | { kind: 'failed'; reason: DnsFailure };
  tcp: ReachFact['outcome'];
}

/** Never fails if nothing responded, because many networks do not route back to themselves. */
export function judgeNameServer(
  server: string,
  zone: ZoneToCheck,
  tries: readonly NameServerFact[],
): CheckResult {
  const question = { name: 'name_server', subject: server, expected: `responds for ${zone.name}` } as const;
  if (tries.length === 0) {
    const remedy = `Publish an A or AAAA record for ${server}. If the name is inside the zone, set MAILKEEL_DNS_ADDRESSES.`;
    return { ...question, status: 'fail', observed: 'no IP address', remedy };
  }
  const results = tries.map((fact) => ({ fact, problem: problemOf(fact, zone) }));
  const worst =
    results.find(({ problem }) => problem?.isOther === true) ??
    results.find(({ problem }) => problem !== null);
  if (!worst?.problem) {
    const observed = tries.map(({ address }) => address).join(', ');
    return { ...question, status: 'pass', observed, remedy: null };
  }
  const { fact, problem } = worst;
  const observed = `${fact.address}: ${problem.observed}`.slice(0, 300);
  return problem.isOther
    ? {
        ...question,
        status: 'fail',
        observed,
        remedy: `Another program responds at that address. Forward UDP and TCP port 53 of ${fact.address} to Mailkeel's DNS port (MAILKEEL_DNS_PORT).`,
      }
    : {
        ...question,
        status: 'warn',
        observed,
        remedy: `Test from another network with dig @${fact.address} ${zone.name} SOA, and again with +tcp. The startup banner shows whether the port is open. A firewall may be blocking it.`,
      };
}

/** `isOther` is true if another server responds at the address. */
function problemOf(
  { udp, tcp }: NameServerFact,
  zone: ZoneToCheck,
): { observed: string; isOther: boolean } | null {
  switch (udp.kind) {
    case 'soa': {
      const isOurs = canonicalHost(udp.primary) === canonicalHost(zone.nameServers[0] ?? '');
      if (!isOurs) return { observed: `serves the zone from ${udp.primary}`, isOther: true };
      return tcp.kind === 'reached' ? null : { observed: `over TCP: ${tcp.error}`, isOther: false };
    }
    case 'none':
      return { observed: 'does not serve the zone', isOther: true };
    case 'failed': {
      const isAnswer = udp.reason === 'refused' || udp.reason === 'servfail' || udp.reason === 'malformed';
      return { observed: `over UDP: ${udp.reason}`, isOther: isAnswer };
    }
  }
}
