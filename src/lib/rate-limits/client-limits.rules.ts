// Limits what one SMTP client, and its network, may use of a public listener: sessions, messages, octets,
// memory, failed sign-ins. An IPv6 client is its /64, which usually belongs to one client.
import ipaddr from 'ipaddr.js';
import { canonicalAddress } from '../addresses/index.js';
import { gcraCapacity, gcraTake, type RateLimit } from './gcra.rules.js';

export interface ClientKeys {
  /** An IPv4 address, or the /64 of an IPv6 address. */
  address: string;
  /** The IPv4 /24 or the IPv6 /48. */
  network: string;
}

/**
 * Returns the keys by which a client is counted. IPv4-mapped addresses count as IPv4; a zone (`%eth0`) is
 * dropped.
 */
export function clientKeys(ip: string): ClientKeys {
  const address = canonicalAddress(ip.replace(/%.*$/, ''));
  if (!address.includes(':')) {
    return { address, network: `${address.slice(0, address.lastIndexOf('.'))}.0/24` };
  }
  if (!ipaddr.IPv6.isValid(address)) return { address, network: address };
  const { parts } = ipaddr.IPv6.parse(address);
  return { address: networkText(parts, 4), network: networkText(parts, 3) };
}

/**
 * Returns the network of an HTTP client: the IPv4 /24, or the IPv6 /56 assigned to a household or a small
 * host.
 */
export function clientSite(ip: string): string {
  const { address, network } = clientKeys(ip);
  if (!address.endsWith('::/64')) return network;
  const { parts } = ipaddr.IPv6.parse(address.slice(0, -3));
  const [first = 0, second = 0, third = 0, fourth = 0] = parts;
  const front = [first, second, third, fourth & 0xff00].map((part) => part.toString(16));
  return `${front.join(':')}::/56`;
}

function networkText(parts: readonly number[], count: number): string {
  const front = parts.slice(0, count).map((part) => part.toString(16));
  return `${front.join(':')}::/${count * 16}`;
}

/** Limits of simultaneous sessions. */
export interface SessionLimits {
  total: number;
  perAddress: number;
  perNetwork: number;
  /** Sessions that have not signed in yet; `null` if clients don't sign in. */
  unsigned: number | null;
  /** Sessions that have signed in to one account. */
  perAccount: number;
  /** Time (ms) without progress after which a session is closed while places are scarce. */
  scarceIdleMs: number;
}

export type SessionRefusal =
  | 'all_taken'
  | 'unsigned_taken'
  | 'address_taken'
  | 'network_taken'
  | 'address_rate'
  | 'network_rate';

/** Share of taken places from which they are scarce. */
const SCARCE_SHARE = 0.8;

export function arePlacesScarce(
  open: { total: number; unsigned: number },
  { total, unsigned }: SessionLimits,
): boolean {
  return (
    open.total >= SCARCE_SHARE * total || (unsigned !== null && open.unsigned >= SCARCE_SHARE * unsigned)
  );
}

/** A session that has not signed in, as input to the choice of the one to close. */
export interface UnsignedSession {
  /** Number of sessions of its network that have not signed in. */
  ofNetwork: number;
  /** Time of its last progress (epoch ms). */
  progressedAt: number;
}

/**
 * Chooses the session to close for one of a network with `ofNetwork` others: in the most crowded network, the
 * session without progress for longest, and for at least `patienceMs`. Returns `null` if no network is more
 * crowded than the newcomer's would be.
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

/** Limits of one client address; 0 turns a limit off. */
export interface RateSettings {
  sessionsPerMinute: number;
  messagesPerMinute: number;
  octetsPerHour: number;
}

/** A network may use this many times the rates of one address. */
const NETWORK_FACTOR = 5;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Octets are counted in these units, because rates of single octets are finer than the algorithm's clock. */
const OCTET_UNIT = 1_024;

export type Rated = 'sessions' | 'messages' | 'octets';
/** `null` turns a limit off. */
type ClientRates = Record<Rated, RateLimit | null>;
/** Theoretical arrival times as returned by `gcraTake`. */
export type RateUse = Partial<Record<Rated, number>>;

/** Computes the rates. After a rest, a whole period's amount may come immediately. */
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

/**
 * Returns whether one more is within the rate. For octets, whether any are left; the last message may exceed
 * them and becomes a debt.
 */
export function hasRate(rates: ClientRates, use: RateUse | undefined, what: Rated, now: number): boolean {
  const limit = rates[what];
  return limit === null || gcraCapacity(use?.[what], limit, now) > 0;
}

/** Returns the use after `amount` more; octets are given as octets. */
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

/** Limits of memory for messages being received, in octets. */
interface MemoryLimits {
  total: number;
  perAddress: number;
  perNetwork: number;
}

/** Buffers are somewhat larger than their content. */
const SLACK_OCTETS = 1024 * 1024;

/**
 * Computes the limits. No client can take all memory by sending slowly, and one message of maximum size
 * always fits.
 */
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
  /** Failures that lock out. */
  failures: number;
  /** Duration of the lock-out after the last failure; then all failures are forgotten. */
  lockoutMs: number;
}

export function isLockedOut(known: Failures | undefined, terms: LockoutTerms, now: number): boolean {
  return known !== undefined && known.count >= terms.failures && now - known.lastAt < terms.lockoutMs;
}

export function afterFailure(known: Failures | undefined, terms: LockoutTerms, now: number): Failures {
  const isFresh = known !== undefined && now - known.lastAt < terms.lockoutMs;
  return { count: isFresh ? known.count + 1 : 1, lastAt: now };
}
