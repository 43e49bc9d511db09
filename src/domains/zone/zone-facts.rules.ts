// Derives the facts of the delegated zone from the settings: its name servers, host addresses, and authorized sources.
import {
  canonicalAddress,
  forbiddenAddressReason,
  isAddress,
  isPublicName,
} from '../../lib/addresses/index.js';
import { canonicalHost, labelsBelow } from '../../lib/dns-answers/index.js';
import { spfMechanismsFor } from '../dns-records.rules.js';

export interface ZoneSettings {
  dnsZone: string | null;
  dnsNameServers: readonly string[] | null;
  dnsAddresses: readonly string[] | null;
  dnsTtlMs: number;
  dnsDmarc: string;
  /** SPF mechanisms that the operator sets. `null` to derive them from the known addresses. */
  spfMechanisms: string | null;
  hostname: string;
  publicUrl: string;
  bounceDomain: string;
  inboundDomain: string;
  platformDomain: string | null;
  tlsReportAddress: string | null;
}

/** A source of mail. Its addresses are `null` if the system chooses them. */
export interface ZoneSource {
  address4: string | null;
  address6: string | null;
  ehloName: string;
}

/** Names are in lower case without a final dot. */
export interface ZoneFacts {
  zone: string;
  /** Public names only. */
  nameServers: readonly string[];
  /** Addresses of Mailkeel's hosts in the zone. */
  hosts: ReadonlyMap<string, readonly string[]>;
  /** Mailkeel's MX target. */
  hostname: string;
  /** Mailkeel's host names that are not in public DNS, so no record may point to them. */
  unnamed: readonly string[];
  /** Host of tracking links. `null` if the public URL has no public host name. */
  trackingHost: string | null;
  /** SPF mechanisms of Mailkeel's sources. */
  spfMechanisms: string;
  /** DMARC record of sub-tenants and of the platform domain. */
  dmarc: string;
  bounceDomain: string;
  inboundDomain: string;
  platformDomain: string | null;
  tlsReportAddress: string | null;
  ttlS: number;
}

/** Returns `null` without a zone. `sources` whose addresses the system chooses have none. */
export function zoneFacts(settings: ZoneSettings, sources: readonly ZoneSource[]): ZoneFacts | null {
  if (settings.dnsZone === null) return null;
  const zone = canonicalHost(settings.dnsZone);
  const hostname = canonicalHost(settings.hostname);
  const written = (settings.dnsNameServers ?? []).map(canonicalHost).filter(isPublicName);
  const nameServers = written.length > 0 ? [...new Set(written)] : [hostname].filter(isPublicName);
  const publicHost = canonicalHost(new URL(settings.publicUrl).hostname);
  const trackingHost = isPublicName(publicHost) ? publicHost : null;
  const { platformDomain } = settings;
  return {
    zone,
    nameServers,
    hosts: hostsOf({ zone, names: [...nameServers, hostname, trackingHost], settings, sources }),
    hostname,
    trackingHost,
    unnamed: [hostname, canonicalHost(settings.bounceDomain)].filter((name) => !isPublicName(name)),
    spfMechanisms: effectiveSpfMechanisms({ ...settings, hostname }, sources),
    dmarc: settings.dnsDmarc,
    bounceDomain: canonicalHost(settings.bounceDomain),
    inboundDomain: canonicalHost(settings.inboundDomain),
    platformDomain: platformDomain === null ? null : canonicalHost(platformDomain),
    tlsReportAddress: settings.tlsReportAddress,
    ttlS: Math.max(1, Math.floor(settings.dnsTtlMs / 1000)),
  };
}

/** Returns Mailkeel's own names, which no sub-tenant may have. */
export function namesOfZone(facts: ZoneFacts): string[] {
  const { hosts, nameServers, hostname, bounceDomain, inboundDomain, platformDomain, trackingHost } = facts;
  const names = [...hosts.keys(), ...nameServers, hostname, bounceDomain, inboundDomain];
  return [...new Set([...names, platformDomain, trackingHost])].filter((name) => name !== null);
}

function hostsOf(input: {
  zone: string;
  names: readonly (string | null)[];
  settings: ZoneSettings;
  sources: readonly ZoneSource[];
}): Map<string, string[]> {
  const { zone, names, settings, sources } = input;
  const hosts = new Map<string, string[]>();
  const add = (name: string, addresses: readonly string[]): void => {
    if (labelsBelow(name, zone) === null || addresses.length === 0) return;
    hosts.set(name, [...new Set([...(hosts.get(name) ?? []), ...addresses])]);
  };
  const outside = singleAddresses(settings.dnsAddresses ?? []);
  const where = outside.length > 0 ? outside : sources.flatMap(publicAddressesOf);
  for (const name of names) if (name !== null) add(name, where);
  // The name in a source's PTR record must resolve to the source.
  for (const source of sources) add(canonicalHost(source.ehloName), publicAddressesOf(source));
  return hosts;
}

/** A range authorizes senders but is not a host's address. */
function singleAddresses(written: readonly string[]): string[] {
  return written
    .map((range) => range.replace(/\/(?:32|128)$/, ''))
    .filter(isAddress)
    .map(canonicalAddress);
}

function publicAddressesOf({ address4, address6 }: ZoneSource): string[] {
  return [address4, address6].flatMap((address) =>
    address !== null && forbiddenAddressReason(address, { allowPrivate: false }) === null
      ? [canonicalAddress(address)]
      : [],
  );
}

/** Returns the SPF mechanisms of all sending domains: the operator's setting, or those of the known source addresses. */
export function effectiveSpfMechanisms(
  settings: Pick<ZoneSettings, 'hostname' | 'spfMechanisms' | 'dnsAddresses'>,
  sources: readonly ZoneSource[],
): string {
  const { hostname, spfMechanisms, dnsAddresses } = settings;
  return spfMechanisms ?? spfMechanismsFor(hostname, sendingRanges(dnsAddresses, sources));
}

/** Returns the known addresses of sources, for the SPF records of all sending domains. */
export function sendingRanges(
  dnsAddresses: readonly string[] | null,
  sources: readonly ZoneSource[],
): string[] {
  return [...new Set([...(dnsAddresses ?? []), ...sources.flatMap(publicAddressesOf)])];
}
