// DNS block lists (RFC 5782): names to query, and the meaning of responses.
import type { DnsAnswer } from '../../lib/dns-answers/index.js';

export type DnsblResult =
  | { kind: 'listed'; codes: string[] }
  | { kind: 'not_listed' }
  /** The list refuses Mailkeel's queries, does not respond, or lists every address. */
  | { kind: 'unusable'; why: string };

/** RFC 5782 section 5 requires that it is never listed. A list that lists it is defunct and lists every address. */
export const NEVER_LISTED = '127.0.0.1';

/** `4.3.2.1.list.example`, from the reverse name of an address (`4.3.2.1.in-addr.arpa`). */
export function dnsblName(reverseName: string, zone: string): string {
  return `${reverseName.replace(/\.(?:in-addr|ip6)\.arpa$/, '')}.${zone}`;
}

/** `control` is the response for an address that no working list contains. */
export function judgeDnsbl(answer: DnsAnswer<string>, control: DnsAnswer<string>): DnsblResult {
  if (answer.kind === 'failed')
    return { kind: 'unusable', why: `the blocklist did not respond (${answer.reason})` };
  if (answer.kind !== 'found') return { kind: 'not_listed' };
  const codes = answer.records.filter((record) => record.startsWith('127.'));
  // Large lists respond with 127.255.255.0/24 to queries through public resolvers or above their rate limit.
  if (codes.length === 0 || codes.every((code) => code.startsWith('127.255.255.'))) {
    return {
      kind: 'unusable',
      why: `the blocklist rejects queries from this resolver (${answer.records.join(', ')})`,
    };
  }
  if (control.kind === 'found') return { kind: 'unusable', why: 'the blocklist lists every address' };
  return { kind: 'listed', codes };
}
