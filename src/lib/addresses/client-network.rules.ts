// Networks that clients are counted by.
import ipaddr from 'ipaddr.js';
import { canonicalAddress } from './address-range.rules.js';

/** An IPv4 address; of IPv6 the /64, which one client usually has to itself, as four groups in hexadecimal. */
export function clientNetwork(ip: string): string {
  const address = canonicalAddress(ip);
  if (!address.includes(':')) return address;
  const groups = ipaddr.IPv6.parse(address).parts.slice(0, 4);
  return groups.map((group) => group.toString(16)).join(':');
}

/** The beginning that the networks of one site share: an IPv4 /24, or the /48 that a site of IPv6 usually has. */
export function sitePrefix(network: string): string {
  const sign = network.includes(':') ? ':' : '.';
  return network.slice(0, network.lastIndexOf(sign) + 1);
}
