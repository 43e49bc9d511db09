// Limits of one SMTP client, and of the network that it comes from, at a listener that everybody can reach: sessions,
// messages, octets, memory, failed sign-ins. An IPv6 client is its /64, which it usually has to itself.
import ipaddr from 'ipaddr.js';
import { canonicalAddress } from '../addresses/index.js';
import { gcraCapacity, gcraTake, type RateLimit } from './gcra.rules.js';

export interface ClientKeys {
  /** An IPv4 address, or the /64 of an IPv6 one. */
  address: string;
  /** The IPv4 /24 or the IPv6 /48. */
  network: string;
}

/** The keys that a client is counted by. IPv4-mapped addresses count as IPv4; a zone (`%eth0`) is dropped. */
export function clientKeys(ip: string): ClientKeys {
  const address = canonicalAddress(ip.replace(/%.*$/, ''));
  if (!address.includes(':')) {
    return { address, network: `${address.slice(0, address.lastIndexOf('.'))}.0/24` };
  }
  if (!ipaddr.IPv6.isValid(address)) return { address, network: address };
  const { parts } = ipaddr.IPv6.parse(address);
  return { address: rangeOf(parts, 4), network: rangeOf(parts, 3) };
}

/** The network of an HTTP client: the IPv4 /24, or the IPv6 /56 that a household or a small host gets. */
export function clientSite(ip: string): string {
  const { address, network } = clientKeys(ip);
  if (!address.endsWith('::/64')) return network;
  const { parts } = ipaddr.IPv6.parse(address.slice(0, -3));
  const [first = 0, second = 0, third = 0, fourth = 0] = parts;
  const front = [first, second, third, fourth & 0xff00].map((part) => part.toString(16));
  return `${front.join(':')}::/56`;
}

function rangeOf(parts: readonly number[], count: number): string {
  const front = parts.slice(0, count).map((part) => part.toString(16));
  return `${front.join(':')}::/${count * 16}`;
}

/** At once. */
export interface SessionLimits {
  total: number;
  perAddress: number;
  perNetwork: number;
  /** Sessions that have not signed in yet; `null` where clients do not sign in. */
  unsigned: number | null;
  /** Sessions that have signed in for one account. */
  perAccount: number;
  /** Time (ms) without progress after which a session is closed while the places are scarce. */
  scarceIdleMs: number;
}

export type SessionRefusal =
  | 'all_taken'
  | 'unsigned_taken'
  | 'address_taken'
  | 'network_taken'
  | 'address_rate'
  | 'network_rate';

/** Share of the places from which they count as scarce. */
const SCARCE_SHARE = 0.8;

export function arePlacesScarce(
  open: { total: number; unsigned: number },
  { total, unsigned }: SessionLimits,
): boolean {
  return (
    open.total >= SCARCE_SHARE * total || (unsigned !== null && open.unsigned >= SCARCE_SHARE * unsigned)
  );
}

/** A session that has not signed in, as the choice of the one that gives way sees it. */
export interface UnsignedSession {
  /** Sessions of its network that have not signed in. */
  ofNetwork: number;
  /** When it last came further (epoch ms). */
  progressedAt: number;
}

/**
 * The session that gives way to one of a network with `ofNetwork` others: that of the most crowded network which has been
 * without progress for the longest, and for `patienceMs` at least. Returns null if no network is more crowded than the
 * newcomer's will be.
 */
export function sessionToGiveWay<S extends UnsignedSession>(
  sessions: Iterable<S>,
  newcomer: { ofNetwork: number; now: number; patienceMs: number },
): S | null {
  let found: S | null = null;
  for (const session of sessions) {
    if (session.ofNetwork <= newcomer.ofNetwork + 1) continue;
    if (newcomer.now - session.progressedAt < newcomer.patienceMs) continue;
    const isBetter =
      found === null ||
      session.ofNetwork > found.ofNetwork ||
      (session.ofNetwork === found.ofNetwork && session.progressedAt < found.progressedAt);
    if (isBetter) found = session;
  }
  return found;
}

/** Of one client address; 0 is off. */
export interface RateSettings {
  sessionsPerMinute: number;
  messagesPerMinute: number;
  octetsPerHour: number;
}

/** A network may have so many times the rates of one address. */
const NETWORK_FACTOR = 5;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Octets are counted in these: rates of single octets are finer than the algorithm's clock. */
const OCTET_UNIT = 1_024;

export type Rated = 'sessions' | 'messages' | 'octets';
/** Null is off. */
export type ClientRates = Record<Rated, RateLimit | null>;
/** Theoretical arrival times as in `gcraTake`. */
export type RateUse = Partial<Record<Rated, number>>;

/** After a rest, as much may come at once as in one period. */
export function clientRates(settings: RateSettings, of: 'address' | 'network'): ClientRates {
  const factor = of === 'network' ? NETWORK_FACTOR : 1;
  const rate = (count: number, perMs: number): RateLimit | null =>
    count === 0 ? null : { count: count * factor, perMs, burst: count * factor };
  return {
    sessions: rate(settings.sessionsPerMinute, MINUTE_MS),
    messages: rate(settings.messagesPerMinute, MINUTE_MS),
    octets: rate(Math.ceil(settings.octetsPerHour / OCTET_UNIT), HOUR_MS),
  };
}

/** Whether one more is within the rate. Octets: whether any are left; the last message may go beyond and is owed. */
export function hasRate(rates: ClientRates, use: RateUse | undefined, what: Rated, now: number): boolean {
  const limit = rates[what];
  return limit === null || gcraCapacity(use?.[what], limit, now) > 0;
}

/** The use after `amount` more (octets as they are). */
export function afterTaking(
  rates: ClientRates,
  use: RateUse,
  { what, amount, now }: { what: Rated; amount: number; now: number },
): RateUse {
  const limit = rates[what];
  if (limit === null) return use;
  const units = what === 'octets' ? Math.ceil(amount / OCTET_UNIT) : amount;
  return { ...use, [what]: gcraTake(use[what], limit, now, units) };
}

/** Octets of messages being received that may be held in memory at once. */
export interface MemoryLimits {
  total: number;
  perAddress: number;
  perNetwork: number;
}

/** Buffers are somewhat larger than what is in them. */
const SLACK_OCTETS = 1024 * 1024;

/** No client gets all of the memory by sending slowly, and one message of the largest size always fits. */
export function memoryLimits(totalOctets: number, largestMessage: number): MemoryLimits {
  const floor = largestMessage + SLACK_OCTETS;
  return {
    total: Math.max(totalOctets, floor),
    perAddress: Math.max(Math.floor(totalOctets / 4), floor),
    perNetwork: Math.max(Math.floor(totalOctets / 2), floor),
  };
}

export interface Failures {
  count: number;
  /** Epoch ms. */
  lastAt: number;
}

export interface LockoutTerms {
  /** So many lock out. */
  failures: number;
  /** For so long, counted from the last one; then nothing is remembered. */
  lockoutMs: number;
}

export function isLockedOut(known: Failures | undefined, terms: LockoutTerms, now: number): boolean {
  return known !== undefined && known.count >= terms.failures && now - known.lastAt < terms.lockoutMs;
}

export function afterFailure(known: Failures | undefined, terms: LockoutTerms, now: number): Failures {
  const isFresh = known !== undefined && now - known.lastAt < terms.lockoutMs;
  return { count: isFresh ? known.count + 1 : 1, lastAt: now };
}
