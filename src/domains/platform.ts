// Mailkeel's own sending domain. Its DKIM key is the only signature on system mail, and a second one on all other mail.
import { isPublicName } from '../lib/addresses/index.js';
import { buildStsPolicy } from '../lib/tls-policy/index.js';
import { dmarcReportAddress, tlsReportAddress } from './report-addresses.rules.js';
import type { Config } from '../settings/settings.js';
import type { ExpectedRecord, UnnamedRecord } from './dns-records.rules.js';
import { effectiveSpfMechanisms } from './zone/zone-facts.rules.js';
import type { DomainContext } from './context.js';
import type { DomainStores } from './stores.js';
import { PLATFORM_OWNER } from './domains.store.js';
import { makeDkimKeys } from './keys/dkim-keys.js';
import { domainRecords, type DomainSettings } from './domain-records.js';
import { type DkimKey, dkimKeys } from './domains.tables.js';
import type { Change } from '../database/change.js';
import { update } from '../database/rows.js';

/** Returns the keys of the platform domain, and creates missing ones. Keys of a previous domain stop signing. Call it at startup. */
export async function ensurePlatformKey({
  store,
  masterKey,
  clock,
  platformDomain: domain,
}: Pick<DomainContext, 'store' | 'masterKey' | 'clock'> & Pick<Config, 'platformDomain'>): Promise<
  DkimKey[]
> {
  const known = (await store.domains.dkimKeys([PLATFORM_OWNER])).filter((key) => key.state !== 'retired');
  const stale = known.filter((key) => key.domain !== domain);
  const now = clock();
  const ended = stale.flatMap((key) => endChanges(key, now));
  if (ended.length > 0) await store.commit(ended);
  const current = known.filter((key) => key.domain === domain && STAYING.has(key.state));
  if (domain === null || current.length > 0) return current;
  const made = await makeDkimKeys({ ownerId: PLATFORM_OWNER, domain, masterKey, now });
  await store.commit(made.changes);
  return made.rows;
}

const STAYING: ReadonlySet<string> = new Set(['pending', 'published', 'active']);

/** A key that has signed stays in DNS for mail in transit, and then ends like any other key. */
function endChanges({ id, state }: DkimKey, now: number): Change[] {
  if (!STAYING.has(state)) return [];
  const set =
    state === 'active'
      ? ({ state: 'retiring', retiring_at: now } as const)
      : ({ state: 'retired', private_key_sealed: '' } as const);
  return [update(dkimKeys, { set, where: { id } })];
}

type PlatformSettings = DomainSettings & {
  platformDomain: string | null;
  bounceDomain: string;
  inboundDomain: string;
};

/** Returns the settings of the platform domain's records. Its SPF record is that of every sending domain. */
export function platformSettings(
  config: Omit<PlatformSettings, 'spfMechanisms'> & Parameters<typeof effectiveSpfMechanisms>[0],
  sources: Parameters<typeof effectiveSpfMechanisms>[1],
): PlatformSettings {
  const { hostname, platformDomain, bounceDomain, inboundDomain, dmarcReportAddress: address } = config;
  const spfMechanisms = (): string => effectiveSpfMechanisms(config, sources);
  return {
    hostname,
    platformDomain,
    bounceDomain,
    inboundDomain,
    spfMechanisms,
    ...(address === undefined ? {} : { dmarcReportAddress: address }),
  };
}

/**
 * Returns the records to publish for the platform domain, and for its return path and inbound domain if those are public. Empty
 * without a platform domain. Tracking uses Mailkeel's own host name and needs no record.
 */
export async function platformRecords(
  store: Pick<DomainStores, 'domains'>,
  settings: PlatformSettings,
): Promise<(ExpectedRecord | UnnamedRecord)[]> {
  const { platformDomain: domain, bounceDomain, inboundDomain, ...where } = settings;
  if (domain === null) return [];
  const keys = await store.domains.dkimKeys([PLATFORM_OWNER]);
  const ofDomain = keys.filter((key) => key.domain === domain);
  return domainRecords({ id: PLATFORM_OWNER, domain }, ofDomain, where).flatMap(
    (record): (ExpectedRecord | UnnamedRecord)[] => {
      if (record.purpose === 'tracking') return [];
      if (record.purpose === 'inbound') {
        const isOther = inboundDomain !== where.hostname && inboundDomain !== bounceDomain;
        return isOther && isPublicName(inboundDomain) ? [{ ...record, host: inboundDomain }] : [];
      }
      if (record.purpose !== 'return_path') return [record];
      if (!isPublicName(bounceDomain)) return [];
      // A host without MX records is its own mail exchanger.
      const isImplied = record.type === 'MX' && bounceDomain === where.hostname;
      return isImplied ? [] : [{ ...record, host: bounceDomain }];
    },
  );
}

/** Returns the addresses for reports about Mailkeel: those that the operator set, or those of its inbound mail. */
export function reportAddresses(config: Pick<Config, 'inbound' | 'bounceDomain' | 'tlsReportAddress'>): {
  dmarcReportAddress?: string;
  tlsReportAddress: string | null;
} {
  const { inbound, bounceDomain, tlsReportAddress: written } = config;
  if (!inbound) return { tlsReportAddress: written };
  return {
    dmarcReportAddress: dmarcReportAddress(bounceDomain),
    tlsReportAddress: written ?? tlsReportAddress(bounceDomain),
  };
}

interface InboundPolicy {
  /** Domains that Mailkeel receives mail for. */
  domains: string[];
  /** Their MTA-STS policy file. */
  policyText: string;
}

/** Returns the MTA-STS policy of Mailkeel's own domains; null if no certificate can name the host. */
export function inboundPolicy(settings: {
  hostname: string;
  bounceDomain: string;
  inboundDomain: string;
  mtaStsMode: 'testing' | 'enforce' | 'none';
  mtaStsMaxAgeMs: number;
}): InboundPolicy | null {
  const { hostname, bounceDomain, inboundDomain, mtaStsMode: mode, mtaStsMaxAgeMs } = settings;
  if (!isPublicName(hostname)) return null;
  const maxAgeS = Math.floor(mtaStsMaxAgeMs / 1000);
  const domains = [...new Set([bounceDomain, inboundDomain])].filter(isPublicName);
  return { domains, policyText: buildStsPolicy({ mode, mx: [hostname], maxAgeS }) };
}
