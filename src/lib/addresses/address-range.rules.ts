// Decides which IP addresses must not be connected to if others name them (IANA special-purpose registries,
// RFC 6890).
import ipaddr from 'ipaddr.js';

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
const FUTURE_USE = ipaddr.IPv4.parseCIDR('240.0.0.0/4');
/** Published addresses of cloud metadata services, some outside the special-purpose ranges. */
const METADATA = new Set([
  '169.254.169.254', // most of them
  'fe80::a9fe:a9fe', // OpenStack
  '168.63.129.16', // Azure, wire server
  '169.254.170.2', // Amazon ECS
  '169.254.170.23', // Amazon EKS
  'fd00:ec2::23', // Amazon EKS
  'fd00:ec2::254', // Amazon EC2
  'fd20:ce::254', // Google
  'fd00:c1::a9fe:a9fe', // Oracle
  '192.0.0.192', // Oracle
  '100.100.100.200', // Alibaba
  '100.96.0.96', // Volcengine
  '169.254.0.23', // Tencent
  '169.254.42.42', // Scaleway
  'fd00:42::42', // Scaleway
]);

interface RangeMatch {
  reason: string;
  /** True for ranges that a private network may use. */
  ownNetwork: boolean;
}

const own = (reason: string): RangeMatch => ({ reason, ownNetwork: true });
const never = (reason: string): RangeMatch => ({ reason, ownNetwork: false });

function matchV4(ip: ipaddr.IPv4): RangeMatch | null {
  if (METADATA.has(ip.toString())) return never('a cloud metadata address');
  switch (ip.range()) {
    case 'unicast':
      return null;
    case 'private':
      return own('a private address');
    case 'loopback':
      return own('a loopback address');
    case 'linkLocal':
      return own('a link-local address');
    case 'carrierGradeNat':
      return own('a shared (carrier-grade NAT) address');
    case 'reserved':
      return ip.match(FUTURE_USE) ? never('a reserved address') : own('a special-purpose address');
    case 'unspecified':
      return never('an unspecified address');
    case 'multicast':
      return never('a multicast address');
    case 'broadcast':
      return never('the broadcast address');
    case 'benchmarking':
    case 'as112':
    case 'amt':
      return own('a special-purpose address');
    default:
      return never('a special-purpose address');
  }
}

/** Returns the IPv4 address at byte `offset`; `inverted` for Teredo, which obfuscates the client's. */
function embeddedV4(ip: ipaddr.IPv6, offset: number, inverted = false): ipaddr.IPv4 {
  const bytes = ip.toByteArray().slice(offset, offset + 4);
  return new ipaddr.IPv4(inverted ? bytes.map((byte) => byte ^ 0xff) : bytes);
}

function matchV6(ip: ipaddr.IPv6): RangeMatch | null {
  if (METADATA.has(ip.toString())) return never('a cloud metadata address');
  switch (ip.range()) {
    case 'loopback':
      return own('a loopback address');
    case 'linkLocal':
      return own('a link-local address');
    case 'uniqueLocal':
      return own('a private address');
    case 'unspecified':
      return never('an unspecified address');
    case 'multicast':
      return never('a multicast address');
    case 'ipv4Mapped':
    case 'rfc6145':
      return matchV4(embeddedV4(ip, 12));
    case 'rfc6052':
      return ip.match(NAT64) ? matchV4(embeddedV4(ip, 12)) : own('a local translation address');
    case '6to4':
      return matchV4(embeddedV4(ip, 2));
    case 'teredo':
      return matchV4(embeddedV4(ip, 4)) ?? matchV4(embeddedV4(ip, 12, true));
    case 'unicast':
      return ip.match(GLOBAL_UNICAST) ? null : never('a reserved address');
    case 'reserved':
    case 'benchmarking':
    case 'amt':
    case 'as112v6':
    case 'orchid2':
    case 'droneRemoteIdProtocolEntityTags':
      return own('a special-purpose address');
    default:
      // The library knows more ranges than its types declare.
      return never('a special-purpose address');
  }
}

// IPv4-compatible addresses (RFC 4291, deprecated), whose spelling the library reads as mapped.
const COMPATIBLE = /^::\d+\.\d+\.\d+\.\d+$/;

function parse(ip: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(ip)) return ipaddr.IPv4.parse(ip);
  return ip.includes(':') && ipaddr.IPv6.isValid(ip) ? ipaddr.IPv6.parse(ip) : null;
}

/** Returns true for a plain IPv4 address (four decimal parts) or IPv6 address, without brackets. */
export function isAddress(text: string): boolean {
  return parse(text) !== null;
}

/** Returns the canonical spelling of an address, IPv4-mapped ones as IPv4. Other text is lower-cased. */
export function canonicalAddress(ip: string): string {
  const parsed = parse(ip);
  if (!parsed) return ip.toLowerCase();
  if (parsed.kind() === 'ipv6' && (parsed as ipaddr.IPv6).isIPv4MappedAddress()) {
    return (parsed as ipaddr.IPv6).toIPv4Address().toString();
  }
  return parsed.toString();
}

/**
 * Returns why this address must not be connected to ("a loopback address"), or `null`. IPv4 inside IPv6
 * (mapped, NAT64, 6to4, Teredo) counts as the IPv4 address. `allowPrivate` allows private ranges, but never
 * multicast, unspecified, broadcast, reserved and metadata addresses.
 */
export function forbiddenAddressReason(ip: string, options: { allowPrivate: boolean }): string | null {
  const parsed = parse(ip);
  if (!parsed) return 'not an IP address';
  if (COMPATIBLE.test(ip)) return 'a reserved address';
  const match = parsed.kind() === 'ipv4' ? matchV4(parsed as ipaddr.IPv4) : matchV6(parsed as ipaddr.IPv6);
  if (!match || (options.allowPrivate && match.ownNetwork)) return null;
  return match.reason;
}
