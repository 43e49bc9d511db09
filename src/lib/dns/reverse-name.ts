// Builds the name of an address's PTR records (RFC 1035 section 3.5, RFC 3596 section 2.5).
import ipaddr from 'ipaddr.js';
import { canonicalAddress, isAddress } from '../addresses/index.js';

/** Returns `4.3.2.1.in-addr.arpa` for 1.2.3.4. Returns text that is not an address unchanged. */
export function reverseName(address: string): string {
  if (!isAddress(address)) return address;
  const bytes = ipaddr.parse(canonicalAddress(address)).toByteArray().reverse();
  if (bytes.length === 4) return `${bytes.join('.')}.in-addr.arpa`;
  const nibbles = bytes.flatMap((byte) => [byte & 15, byte >> 4]);
  return `${nibbles.map((nibble) => nibble.toString(16)).join('.')}.ip6.arpa`;
}
