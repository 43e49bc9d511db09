// Name server addresses: as an operator writes them (`ip`, `ip:port`, `[v6]:port`), and those of the machine.
import { getServers } from 'node:dns';
import { isAddress } from '../addresses/index.js';

const WITH_PORT = /^(?:\[(?<v6>[^\]]+)\]|(?<v4>[^:[\]]+))(?::(?<port>\d{1,5}))?$/;

/**
 * The form that node:dns takes. Throws a plain Error that quotes the bad entry: Node itself refuses names vaguely
 * and ends the process on port 0.
 */
export function parseDnsServer(text: string): string {
  const trimmed = text.trim();
  const parts = WITH_PORT.exec(trimmed)?.groups;
  const ip = parts ? (parts.v6 ?? parts.v4 ?? '') : trimmed;
  const port = parts?.port === undefined ? 53 : Number(parts.port);
  if (!isAddress(ip)) {
    throw new Error(`"${text}" is not a valid DNS server. Use ip, ip:port or [ipv6]:port, not a host name.`);
  }
  if (port < 1 || port > 65535)
    throw new Error(`"${text}" is not a valid DNS server. The port must be from 1 to 65535.`);
  return ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`;
}

/** The name servers that the machine is set to ask. */
export function systemDnsServers(): string[] {
  return getServers();
}
