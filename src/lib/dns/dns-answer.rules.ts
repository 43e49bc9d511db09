// What the DNS said, as a value. The pure rules read these; net/dns/resolver makes them.

export type DnsFailure =
  'timeout' | 'servfail' | 'refused' | 'unreachable' | 'malformed' | 'canceled' | 'unknown';

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
