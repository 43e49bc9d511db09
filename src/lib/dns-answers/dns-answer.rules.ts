// Represents DNS answers as values. lib/dns creates them, and pure rules read them.

export type DnsFailure =
  | 'timeout'
  | 'servfail'
  | 'refused'
  | 'unreachable'
  | 'malformed'
  | 'canceled'
  | 'unknown';

/**
 * `no_data`: the name exists without such records. `no_name`: NXDOMAIN. `failed`: the answer is unknown for
 * now.
 */
export type DnsAnswer<T> =
  | { kind: 'found'; records: T[] }
  | { kind: 'no_data' }
  | { kind: 'no_name' }
  | { kind: 'failed'; reason: DnsFailure };

export interface MxRecord {
  /** Without the final dot; empty in a null MX (RFC 7505). */
  exchange: string;
  preference: number;
}

export type AddressFamily = 4 | 6;

/** Converts a host name to the form for comparisons: lower case, no final dot. */
export function canonicalHost(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}

/**
 * Returns the labels of `name` below `zone`, nearest to the zone last; `null` if it is outside, and none for
 * the zone itself.
 */
export function labelsBelow(name: string, zone: string): string[] | null {
  const [host, top] = [canonicalHost(name), canonicalHost(zone)];
  if (host === top) return [];
  return host.endsWith(`.${top}`) ? host.slice(0, -top.length - 1).split('.') : null;
}
