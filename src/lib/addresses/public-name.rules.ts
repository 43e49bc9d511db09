// Decides whether a host name can exist in public DNS. Names for documentation and tests (RFC 2606) count as
// public, because only labs with their own DNS use them.
import { isAddress } from './address-range.rules.js';

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** Names that only the machine or its network resolves (RFC 6761, RFC 6762, RFC 8375). */
const OWN_NETWORK = /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|home\.arpa|invalid)$/;

/**
 * Returns true for a full host name that is not reserved for the machine or its network; false for addresses.
 */
export function isPublicName(name: string): boolean {
  const host = name.toLowerCase().replace(/\.$/, '');
  if (!host.includes('.') || host.length > 253 || isAddress(host) || OWN_NETWORK.test(host)) return false;
  return host.split('.').every((label) => LABEL.test(label));
}
