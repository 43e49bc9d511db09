// Decides where a domain's mail goes: turns DNS answers into an ordered list of hosts and addresses (RFC 5321 section 5, RFC 7505
// null MX, RFC 3463 codes). If a domain fails here with 5.1.2, check it again later before suppressing the address, because
// registrars have temporary outages.
import type { BounceCategory } from '../../contract/names.js';
import { canonicalAddress, forbiddenAddressReason, isAddress } from '../../lib/addresses/index.js';
import {
  type AddressFamily,
  canonicalHost,
  type DnsAnswer,
  type MxRecord,
} from '../../lib/dns-answers/index.js';

const MAX_HOSTS = 5;
const MAX_ADDRESSES = 10;

export interface RoutePolicy {
  /** Allows private and loopback addresses, for private networks and tests. */
  allowPrivate: boolean;
  /** Addresses that this machine itself has, as mail for them would loop. */
  ownAddresses: readonly string[];
  /**
   * The port that delivery connects to, and the port of this server's listener (`null` if it has none). With `allowPrivate`, one of
   * the server's own addresses is not a loop if the ports differ.
   */
  connectPort: number;
  listenerPort: number | null;
  /** Address families for which the server has a source address, the preferred one first. */
  families: readonly AddressFamily[];
}

export interface RouteHost {
  host: string;
  preference: number;
  /** In the order to try; never empty. */
  addresses: string[];
}

export type Route =
  | {
      kind: 'route';
      hosts: RouteHost[];
      /** Every host that DNS names, sorted. The destination site is derived from them. */
      mxHosts: string[];
      notes: string[];
    }
  | { kind: 'permanent' | 'temporary'; category: BounceCategory; enhanced: string; message: string };

interface RouteQuestion {
  domain: string;
  mx: DnsAnswer<MxRecord>;
  /** By host name as in `candidateHosts`. A host without an entry was not looked up. */
  addresses: ReadonlyMap<string, DnsAnswer<string>>;
  policy: RoutePolicy;
  /** A random integer from 0 up to but not including `n`. */
  shuffle: (n: number) => number;
}

interface Candidate {
  host: string;
  preference: number;
}

/** Why a host was rejected. `final` is false if a later lookup may give another result. */
interface Skip {
  host: string;
  why: 'literal' | 'no_address' | 'other_family' | 'failed' | 'forbidden' | 'not_looked_up' | 'loop';
  note: string;
  final: boolean;
}

type Judged = { host: RouteHost } | { skip: Skip };

const permanent = (category: BounceCategory, enhanced: string, message: string): Route => ({
  kind: 'permanent',
  category,
  enhanced,
  message,
});
const temporary = (message: string): Route => ({
  kind: 'temporary',
  category: 'network',
  enhanced: '4.4.3',
  message,
});

/**
 * Returns the hosts whose addresses the rule needs, most preferred first, each once (at its best preference). Without MX records,
 * this is the domain itself (implicit MX). Empty for a null MX, an unknown domain and a failed lookup.
 */
export function candidateHosts(domain: string, mx: DnsAnswer<MxRecord>): Candidate[] {
  if (mx.kind === 'no_data') return [{ host: canonicalHost(domain), preference: 0 }];
  if (mx.kind !== 'found') return [];
  const best = new Map<string, number>();
  for (const { exchange, preference } of mx.records) {
    const host = canonicalHost(exchange);
    if (host !== '') best.set(host, Math.min(preference, best.get(host) ?? preference));
  }
  return [...best]
    .map(([host, preference]) => ({ host, preference }))
    .sort((a, b) => a.preference - b.preference);
}

function shuffled<T>(items: readonly T[], shuffle: (n: number) => number): T[] {
  const left = [...items];
  const result: T[] = [];
  while (left.length > 0) result.push(...left.splice(shuffle(left.length), 1));
  return result;
}

function familyOf(address: string): AddressFamily {
  return address.includes(':') ? 6 : 4;
}

/**
 * Returns the hosts in the order in which a session tries them. Hosts of equal preference are in random order to share the load
 * (RFC 5321 section 5.1). So are the addresses of a host, with the family of the first one before the other family.
 */
export function hostsForSession<T extends { preference: number; addresses: readonly string[] }>(
  hosts: readonly T[],
  shuffle: (n: number) => number,
): (T & { addresses: string[] })[] {
  return shuffled(hosts, shuffle)
    .sort((a, b) => a.preference - b.preference)
    .map((host) => {
      const [first = ''] = host.addresses;
      const isOther = (address: string): number => (familyOf(address) === familyOf(first) ? 0 : 1);
      const addresses = shuffled(host.addresses, shuffle).sort((a, b) => isOther(a) - isOther(b));
      return { ...host, addresses };
    });
}

function isOwn(address: string, policy: RoutePolicy): boolean {
  if (policy.allowPrivate && policy.connectPort !== policy.listenerPort) return false;
  return policy.ownAddresses.some((own) => canonicalAddress(own) === canonicalAddress(address));
}

/** The other family may be there; it was not asked for, since no source could use it. */
function lacking(host: string, { families }: RoutePolicy): string {
  const [only, second] = families;
  return second === undefined
    ? `${host} has no IPv${only} address, and no source supports another address family`
    : `${host} has no IP address`;
}

function judgeAddresses(
  { host, preference }: Candidate,
  addresses: string[],
  question: RouteQuestion,
): Judged {
  const { policy, shuffle } = question;
  const usable = addresses.filter((address) => policy.families.includes(familyOf(address)));
  if (usable.length === 0) {
    return {
      skip: { host, why: 'other_family', note: lacking(host, policy), final: true },
    };
  }
  if (usable.some((address) => isOwn(address, policy))) {
    return { skip: { host, why: 'loop', note: `${host} is this server`, final: true } };
  }
  const refused = usable.map((address) => ({ address, reason: forbiddenAddressReason(address, policy) }));
  const allowed = refused.filter(({ reason }) => reason === null).map(({ address }) => address);
  const first = refused[0];
  if (allowed.length === 0 && first) {
    const note = `${host} has ${first.reason ?? 'a forbidden address'} (${first.address})`;
    return { skip: { host, why: 'forbidden', note, final: true } };
  }
  const rank = (address: string): number => policy.families.indexOf(familyOf(address));
  const ordered = shuffled(allowed, shuffle).sort((a, b) => rank(a) - rank(b));
  return { host: { host, preference, addresses: ordered } };
}

function judgeHost(candidate: Candidate, question: RouteQuestion): Judged {
  const { host } = candidate;
  if (isAddress(host)) {
    return { skip: { host, why: 'literal', note: `${host} is an address, not a host name`, final: true } };
  }
  const answer = question.addresses.get(host);
  if (!answer) {
    return { skip: { host, why: 'not_looked_up', note: `${host} was not looked up`, final: false } };
  }
  if (answer.kind === 'failed') {
    const note = `DNS lookup of the address of ${host} failed (${answer.reason})`;
    return { skip: { host, why: 'failed', note, final: false } };
  }
  if (answer.kind !== 'found') {
    const note = answer.kind === 'no_name' ? `${host} does not exist` : lacking(host, question.policy);
    return { skip: { host, why: 'no_address', note, final: true } };
  }
  return judgeAddresses(candidate, answer.records, question);
}

function cap(hosts: RouteHost[]): RouteHost[] {
  const kept: RouteHost[] = [];
  let room = MAX_ADDRESSES;
  for (const host of hosts.slice(0, MAX_HOSTS)) {
    if (room === 0) break;
    const addresses = host.addresses.slice(0, room);
    room -= addresses.length;
    kept.push({ ...host, addresses });
  }
  return kept;
}

function resultOfSkips(domain: string, implicit: boolean, skips: Skip[]): Route {
  const notes = skips
    .slice(0, MAX_HOSTS)
    .map((skip) => skip.note)
    .join('; ');
  if (skips.some((skip) => !skip.final))
    return temporary(`No mail server of ${domain} can currently be found: ${notes}`);
  // An operator can mend it while the mail waits.
  if (skips.some((skip) => skip.why === 'other_family')) {
    const message = `No source has the address family of the mail servers of ${domain}: ${notes}`;
    return { kind: 'temporary', category: 'network', enhanced: '4.4.4', message };
  }
  if (skips.some((skip) => skip.why === 'loop')) {
    return permanent('network', '5.4.6', `Mail for ${domain} would loop back to this server: ${notes}`);
  }
  if (implicit && skips.every((skip) => skip.why === 'no_address')) {
    return permanent('bad_domain', '5.1.2', `${domain} has no mail server and no address`);
  }
  return permanent('network', '5.4.4', `No mail server of ${domain} can be used: ${notes}`);
}

/** Removes this server from the list, and all hosts that are not preferred to it (RFC 5321 section 5.1). */
function beforeLoop(judged: { candidate: Candidate; result: Judged }[]): Judged[] {
  const loops = judged.filter(({ result }) => 'skip' in result && result.skip.why === 'loop');
  const limit = Math.min(...loops.map(({ candidate }) => candidate.preference));
  return judged
    .filter((item) => item.candidate.preference < limit || loops.includes(item))
    .map(({ result }) => result);
}

function planCandidates(domain: string, candidates: Candidate[], question: RouteQuestion): Route {
  const implicit = question.mx.kind === 'no_data';
  const order = shuffled(candidates, question.shuffle).sort((a, b) => a.preference - b.preference);
  const results = beforeLoop(
    order.map((candidate) => ({ candidate, result: judgeHost(candidate, question) })),
  );
  const skips = results.flatMap((result) => ('skip' in result ? [result.skip] : []));
  const hosts = results.flatMap((result) => ('host' in result ? [result.host] : []));
  if (hosts.length === 0) return resultOfSkips(domain, implicit, skips);
  return {
    kind: 'route',
    hosts: cap(hosts),
    mxHosts: candidates.map(({ host }) => host).sort(),
    notes: skips.map((skip) => skip.note),
  };
}

/**
 * Returns the route of a domain: at most 5 hosts and 10 addresses, with equal preferences in random order. A failure is `permanent`
 * only if every answer it depends on is certain. A failed MX lookup never falls back to the domain's own address.
 */
export function planRoute(question: RouteQuestion): Route {
  const { domain, mx } = question;
  switch (mx.kind) {
    case 'no_name':
      return permanent('bad_domain', '5.1.2', `The domain ${domain} does not exist`);
    case 'failed':
      return temporary(`DNS lookup of the mail servers of ${domain} failed (${mx.reason})`);
    case 'no_data':
      return planCandidates(domain, candidateHosts(domain, mx), question);
    case 'found': {
      const candidates = candidateHosts(domain, mx);
      if (candidates.length > 0) return planCandidates(domain, candidates, question);
      return permanent('bad_domain', '5.1.10', `The domain ${domain} does not accept mail (null MX)`);
    }
  }
}

/** The route to one given host (a smarthost), by name or by address; preference 0. */
export function planHost(question: {
  host: string;
  answer: DnsAnswer<string>;
  policy: RoutePolicy;
  shuffle: (n: number) => number;
}): Route {
  const { host, answer, policy, shuffle } = question;
  const given: RouteQuestion = {
    domain: host,
    mx: { kind: 'found', records: [{ exchange: host, preference: 0 }] },
    addresses: new Map([[canonicalHost(host), answer]]),
    policy,
    shuffle,
  };
  const candidate = { host: canonicalHost(host), preference: 0 };
  if (!isAddress(host)) return planCandidates(host, [candidate], given);
  const judged = judgeAddresses(candidate, [canonicalAddress(host)], given);
  if ('skip' in judged) return resultOfSkips(host, false, [judged.skip]);
  return { kind: 'route', hosts: [judged.host], mxHosts: [candidate.host], notes: [] };
}
