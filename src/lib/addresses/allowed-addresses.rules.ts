// Restricts an API key to client addresses: IPv4 and IPv6 addresses and CIDR ranges.
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

function parseAddress(text: string): Address | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  if (!text.includes(':') || text.includes('%') || !ipaddr.IPv6.isValid(text)) return null;
  const address = ipaddr.IPv6.parse(text);
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

function parseRange(text: string): Range | null {
  const [base = '', bits, ...rest] = text.split('/');
  const address = parseAddress(base);
  if (!address || rest.length > 0) return null;
  const width = address.kind() === 'ipv4' ? 32 : 128;
  if (bits === undefined) return [address, width];
  // The prefix length of a mapped address would count from the wrong end.
  if (address.kind() === 'ipv4' && base.includes(':')) return null;
  return /^\d{1,3}$/.test(bits) && Number(bits) <= width ? [address, Number(bits)] : null;
}

/** Describes the problem of an entry of `allowed_ips`, or returns `null`. */
export function allowedAddressProblem(entry: string): string | null {
  return parseRange(entry)
    ? null
    : 'must be an IP address or a CIDR range such as 192.0.2.0/24 or 2001:db8::/32';
}

/** Returns a test for client addresses. Invalid entries allow no address. */
export function allowedAddressTest(entries: readonly string[]): (clientAddress: string) => boolean {
  const ranges = entries.map(parseRange).filter((range) => range !== null);
  return (clientAddress) => {
    const address = parseAddress(clientAddress.replace(/%.*$/, ''));
    if (!address) return false;
    return ranges.some((range) => range[0].kind() === address.kind() && matches(address, range));
  };
}

/** Returns whether `allowed` contains every address of `entries`; false for invalid entries. */
export function isWithinAllowed(entries: readonly string[], allowed: readonly string[]): boolean {
  const ranges = allowed.map(parseRange).filter((range) => range !== null);
  return entries.every((entry) => {
    const inner = parseRange(entry);
    if (!inner) return false;
    const [address, bits] = inner;
    return ranges.some(
      (range) => range[0].kind() === address.kind() && range[1] <= bits && matches(address, range),
    );
  });
}

function matches(address: Address, range: Range): boolean {
  // Both are of one kind, which the library's overloads cannot express.
  return address.match(range);
}
