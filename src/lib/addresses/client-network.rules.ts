// Derives the networks by which clients are counted.
import ipaddr from 'ipaddr.js';
import { canonicalAddress } from './address-range.rules.js';

/** Returns an IPv4 address, or the /64 of an IPv6 address (usually one client) as four hexadecimal groups. */
export function clientNetwork(ip: string): string {
  const address = canonicalAddress(ip);
  if (!address.includes(':')) return address;
  const groups = ipaddr.IPv6.parse(address).parts.slice(0, 4);
  return groups.map((group) => group.toString(16)).join(':');
}

/** Returns the prefix that the networks of one site share: an IPv4 /24, or an IPv6 /48. */
export function sitePrefix(network: string): string {
  const sign = network.includes(':') ? ':' : '.';
  return network.slice(0, network.lastIndexOf(sign) + 1);
}
