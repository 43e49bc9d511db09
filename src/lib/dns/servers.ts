// Parses name server addresses (`ip`, `ip:port`, `[v6]:port`) and reads those of the machine.
import { getServers } from 'node:dns';
import { isAddress } from '../addresses/index.js';

const WITH_PORT = /^(?:\[(?<v6>[^\]]+)\]|(?<v4>[^:[\]]+))(?::(?<port>\d{1,5}))?$/;

/**
 * Returns the address in the form of node:dns. Throws an Error that quotes an invalid entry, because Node's
 * own errors are vague and port 0 ends the process.
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

/** Returns the name servers that the machine uses. */
export function systemDnsServers(): string[] {
  return getServers();
}
