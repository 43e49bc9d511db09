// Answers of DNS as values. The pure rules read these; lib/dns/resolver makes them.

export type DnsFailure =
  | 'timeout'
  | 'servfail'
  | 'refused'
  | 'unreachable'
  | 'malformed'
  | 'canceled'
  | 'unknown';

/** `no_data`: the name exists without such records. `no_name`: NXDOMAIN. `failed`: nobody can say now. */
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

/** Lower case and no final dot: the form in which host names are compared. */
export function canonicalHost(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}

/** The labels of `name` below `zone`, the nearest to the zone last; null outside, none for the zone itself. */
export function labelsBelow(name: string, zone: string): string[] | null {
  const [host, top] = [canonicalHost(name), canonicalHost(zone)];
  if (host === top) return [];
  return host.endsWith(`.${top}`) ? host.slice(0, -top.length - 1).split('.') : null;
}
