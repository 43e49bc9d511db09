// Facts about the appliance in the zone that is delegated to it, read from the settings: its name servers, the addresses of its
// names, and the sources that may send for it.
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
  /** As they are written in all SPF records; null: from the addresses that are known. */
  spfMechanisms: string | null;
  hostname: string;
  publicUrl: string;
  bounceDomain: string;
  inboundDomain: string;
  platformDomain: string | null;
  tlsReportAddress: string | null;
}

/** A source that mail is sent from; the addresses are null where the system chooses. */
export interface ZoneSource {
  address4: string | null;
  address6: string | null;
  ehloName: string;
}

/** Names are in lower case and without a final dot. */
export interface ZoneFacts {
  zone: string;
  /** Public names only. */
  nameServers: readonly string[];
  /** The addresses of those of our names that are in the zone. */
  hosts: ReadonlyMap<string, readonly string[]>;
  /** Our MX target. */
  hostname: string;
  /** Our names that the public DNS does not have: no record may lead to them. */
  unnamed: readonly string[];
  /** Where tracking links lead; null when the public URL has no host name that others know. */
  trackingHost: string | null;
  /** SPF mechanisms that cover our sources. */
  spfMechanisms: string;
  /** Of sub-tenants and of the platform's domain. */
  dmarc: string;
  bounceDomain: string;
  inboundDomain: string;
  platformDomain: string | null;
  tlsReportAddress: string | null;
  ttlS: number;
}

/** Null without a zone. `sources`: where mail leaves from; the system's choice has no addresses. */
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

/** Our own names that no sub-tenant may have. */
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
  // The name that a source's PTR record gives must lead back to the source.
  for (const source of sources) add(canonicalHost(source.ehloName), publicAddressesOf(source));
  return hosts;
}

/** A range covers senders, but is nobody's address. */
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

/** Returns the SPF mechanisms of all sending domains: the operator's setting, or else those of the known source addresses. */
export function effectiveSpfMechanisms(
  settings: Pick<ZoneSettings, 'hostname' | 'spfMechanisms' | 'dnsAddresses'>,
  sources: readonly ZoneSource[],
): string {
  const { hostname, spfMechanisms, dnsAddresses } = settings;
  return spfMechanisms ?? spfMechanismsFor(hostname, sendingRanges(dnsAddresses, sources));
}

/** Where mail leaves from, as far as it is known: for the SPF records of all sending domains. */
export function sendingRanges(
  dnsAddresses: readonly string[] | null,
  sources: readonly ZoneSource[],
): string[] {
  return [...new Set([...(dnsAddresses ?? []), ...sources.flatMap(publicAddressesOf)])];
}
