// Records of the delegated zone: Mailkeel's own names, and those of its sub-tenants, which publish nothing themselves (RFC 1035,
// RFC 5321 MX, RFC 7208 SPF, RFC 6376 DKIM, RFC 7489 DMARC, RFC 8461, RFC 8460).
import { isPublicName } from '../../lib/addresses/index.js';
import { inboundTlsRecords } from '../../lib/tls-policy/index.js';
import type { LifecycleKey } from '../keys/dkim-lifecycle.rules.js';
import { aliasTarget, keyText } from '../keys/dkim-publication.rules.js';
import { effectiveNames, type CustomNames } from '../effective-names.rules.js';
import { labelsBelow, type SoaRecord, type ZoneRecord } from '../../lib/dns-answers/index.js';
import type { ZoneFacts } from './zone-facts.rules.js';
import { namesHost } from '../dns-records.rules.js';
import { keysRoot } from './zone-names.rules.js';

/** Short, so that resolvers that asked too early soon find a new sub-tenant (RFC 2308 section 5). */
const NEGATIVE_S = 60;
/** TTL of the zone's NS records. */
const NAME_SERVERS_S = 3_600;
const MX_PRIORITY = 10;

export type ZoneKey = Pick<LifecycleKey, 'selector' | 'record_value' | 'state' | 'created_at'>;

export interface ZoneTenant extends CustomNames {
  id: string;
  keys: readonly ZoneKey[];
}

/** Mail domains of Mailkeel whose MTA-STS policy file is available. */
export interface ZonePolicy {
  policyText: string;
  /** Returns whether the host of the domain's policy has a trusted certificate. */
  isServedFor: (domain: string) => boolean;
}

export function buildSoa({ zone, nameServers, hostname }: ZoneFacts, now: number): SoaRecord {
  return {
    type: 'SOA',
    name: zone,
    ttlS: NEGATIVE_S,
    primary: nameServers[0] ?? zone,
    contact: `postmaster.${isPublicName(hostname) ? hostname : zone}`,
    // There are no secondaries, so the serial only has to increase.
    serial: Math.floor(now / 1000) % 2 ** 32,
    refreshS: 3_600,
    retryS: 600,
    expireS: 604_800,
    negativeS: NEGATIVE_S,
  };
}

/** Returns all records of Mailkeel's own names in the zone. `platformKeys` sign for its platform domain. */
export function ownZoneRecords(
  facts: ZoneFacts,
  platformKeys: readonly ZoneKey[],
  policy: ZonePolicy | null,
): ZoneRecord[] {
  const { zone, ttlS, nameServers, hosts, bounceDomain, inboundDomain, platformDomain, dmarc } = facts;
  const { text, mailDomain } = recordMakers(facts, policy);
  const hard = `v=spf1 ${facts.spfMechanisms} -all`;
  const platform =
    platformDomain === null
      ? []
      : [
          text(platformDomain, `v=spf1 ${facts.spfMechanisms} ~all`),
          text(`_dmarc.${platformDomain}`, dmarc),
          ...keyTexts(platformKeys).map(([selector, value]) =>
            text(`${selector}._domainkey.${platformDomain}`, value),
          ),
        ];
  const records: ZoneRecord[] = [
    ...nameServers.map((value) => ({
      type: 'NS' as const,
      name: zone,
      ttlS: Math.max(ttlS, NAME_SERVERS_S),
      value,
    })),
    ...[...hosts].flatMap(([name, addresses]) => addresses.map((value) => addressRecord(name, ttlS, value))),
    ...platform,
    ...mailDomain(bounceDomain),
    ...mailDomain(inboundDomain),
    text(bounceDomain, hard),
    // These names send no mail. The second must exist for the names below it.
    ...[zone, keysRoot(zone)].map((name) => text(name, 'v=spf1 -all')),
  ];
  return mergeRecords(
    records.filter(({ name }) => labelsBelow(name, zone) !== null),
    facts,
  );
}

/** Returns all records of a sub-tenant whose sending domain is one label below the zone. */
export function tenantZoneRecords(
  tenant: ZoneTenant,
  facts: ZoneFacts,
  policy: ZonePolicy | null,
): ZoneRecord[] {
  const { sending_domain: domain } = tenant;
  const { returnPath, inbound, tracking } = effectiveNames(tenant);
  const { text, mailDomain } = recordMakers(facts, policy);
  const records: ZoneRecord[] = [
    ...keyTexts(tenant.keys).map(([selector, value]) => text(`${selector}._domainkey.${domain}`, value)),
    ...[domain, returnPath, inbound].flatMap(mailDomain),
    text(returnPath, `v=spf1 ${facts.spfMechanisms} -all`),
    text(domain, `v=spf1 ${facts.spfMechanisms} ~all`),
    text(`_dmarc.${domain}`, facts.dmarc),
    ...(facts.trackingHost === null
      ? []
      : [{ type: 'CNAME' as const, name: tracking, ttlS: facts.ttlS, value: facts.trackingHost }]),
  ];
  return mergeRecords(
    records.filter(({ name }) => labelsBelow(name, domain) !== null),
    facts,
  );
}

/** Returns the keys of a sub-tenant whose own domain has aliases into the zone. */
export function aliasedKeyRecords({ id, keys }: ZoneTenant, { zone, ttlS }: ZoneFacts): ZoneRecord[] {
  return keyTexts(keys).map(([selector, value]) => ({
    type: 'TXT',
    name: aliasTarget({ selector, tenantId: id, zone }),
    ttlS,
    value,
  }));
}

function recordMakers(facts: ZoneFacts, policy: ZonePolicy | null) {
  const { ttlS, hostname, trackingHost, tlsReportAddress: reportAddress } = facts;
  const text = (name: string, value: string): ZoneRecord => ({ type: 'TXT', name, ttlS, value });
  return {
    text,
    /** Records of a domain that receives mail, with its MTA-STS policy. */
    mailDomain: (name: string): ZoneRecord[] => {
      const mx: ZoneRecord = { type: 'MX', name, ttlS, preference: MX_PRIORITY, exchange: hostname };
      const hasPolicy = policy?.isServedFor(name) === true;
      if (!hasPolicy && reportAddress === null) return [mx];
      const { policyText = '' } = policy ?? {};
      const webHost = trackingHost ?? hostname;
      const tls = inboundTlsRecords({ domain: name, policyText, webHost, reportAddress });
      return [
        mx,
        ...tls.flatMap(({ purpose, type, host, value }): ZoneRecord[] =>
          purpose === 'mta_sts' && !hasPolicy ? [] : [{ type, name: host, ttlS, value }],
        ),
      ];
    },
  };
}

function addressRecord(name: string, ttlS: number, value: string): ZoneRecord {
  return { type: value.includes(':') ? 'AAAA' : 'A', name, ttlS, value };
}

/** Returns one text per selector, because with two a verifier may use either. A selector with a new key is no longer revoked. */
function keyTexts(keys: readonly ZoneKey[]): [selector: string, text: string][] {
  const texts = new Map<string, string>();
  const isRevoked = (key: ZoneKey): number => Number(key.state === 'revoked');
  const lastCounts = [...keys].sort((a, b) => isRevoked(b) - isRevoked(a) || a.created_at - b.created_at);
  for (const key of lastCounts) {
    const text = keyText(key);
    if (text !== null) texts.set(key.selector, text);
  }
  return [...texts];
}

/**
 * Merges records of names that coincide: one SPF record remains, duplicates are dropped, and a CNAME record is kept only without
 * others (RFC 1034). Drops records that point to a name without public DNS.
 */
function mergeRecords(records: readonly ZoneRecord[], { unnamed }: Pick<ZoneFacts, 'unnamed'>): ZoneRecord[] {
  const kept = new Map<string, ZoneRecord>();
  for (const record of records) {
    const target = record.type === 'MX' ? record.exchange : 'value' in record ? record.value : '';
    if (unnamed.some((name) => namesHost(target, name))) continue;
    const key = identityOf(record);
    if (!kept.has(key)) kept.set(key, record);
  }
  const all = [...kept.values()];
  const isTaken = (name: string): boolean =>
    all.some((record) => record.name === name && record.type !== 'CNAME');
  return all.filter(({ type, name }) => type !== 'CNAME' || !isTaken(name));
}

/** Returns a key that identical records share. */
function identityOf(record: ZoneRecord): string {
  const { type, name } = record;
  switch (record.type) {
    case 'MX':
      return `${type} ${name} ${record.exchange}`;
    case 'SOA':
    case 'HINFO':
      return `${type} ${name}`;
    case 'A':
    case 'AAAA':
    case 'CNAME':
    case 'NS':
    case 'TXT':
      return record.value.startsWith('v=spf1') ? `SPF ${name}` : `${type} ${name} ${record.value}`;
  }
}
