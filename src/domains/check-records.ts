// Looks up the DNS records of a sending domain at the domain's own name servers first, so that new records are found
// immediately, and then with the resolver.
import { getDomain } from 'tldts';
import { forbiddenAddressReason } from '../lib/addresses/index.js';
import { canonicalHost, type DnsAnswer } from '../lib/dns-answers/index.js';
import {
  judgeRecord,
  type ExpectedRecord,
  type RecordAnswer,
  type RecordJudgement,
} from './dns-records.rules.js';
import type { Clock } from '../lib/runtime/index.js';
import { createResolver, type DnsResolver } from '../lib/dns/index.js';

const MAX_NAME_SERVERS = 4;
/** Characters of a domain name. RFC 1035 section 2.3.4. */
const MAX_NAME = 253;
const FRESH = { fresh: true };

export type CheckedRecord = ExpectedRecord & RecordJudgement;

interface RecordCheckOptions {
  resolver: DnsResolver;
  /** False if name servers are configured, because only those are then used. */
  askAuthority: boolean;
  clock: Clock;
  /** Timeout for each of the domain's own servers; default 2,000. */
  authorityTimeoutMs?: number;
  /** Port of the domain's own servers (default 53), and whether they may have private addresses (default false). */
  authorityPort?: number;
  allowPrivate?: boolean;
}

export interface RecordCheck {
  /** Looks every record up without a cache, in parallel, and compares it. Returns the given order. */
  lookUpRecords(domain: string, records: readonly ExpectedRecord[]): Promise<CheckedRecord[]>;
}

/** Returns the domain and its parents up to the registrable domain, where a zone may begin. */
function possibleZones(domain: string): string[] {
  const top = getDomain(domain) ?? domain;
  const zones: string[] = [];
  for (let name = canonicalHost(domain); name.endsWith(top); name = name.slice(name.indexOf('.') + 1)) {
    zones.push(name);
    if (name === top || !name.includes('.')) break;
  }
  return zones;
}

async function ask(resolver: DnsResolver, record: ExpectedRecord): Promise<RecordAnswer> {
  switch (record.type) {
    case 'TXT':
      return { type: 'TXT', answer: await resolver.txt(record.host, FRESH) };
    case 'CNAME':
      return { type: 'CNAME', answer: await resolver.cname(record.host, FRESH) };
    case 'MX':
      return { type: 'MX', answer: await resolver.mx(record.host, FRESH) };
  }
}

async function fetchNameServers(resolver: DnsResolver, domain: string): Promise<string[]> {
  for (const zone of possibleZones(domain)) {
    const answer: DnsAnswer<string> = await resolver.ns(zone);
    if (answer.kind === 'found') return answer.records.slice(0, MAX_NAME_SERVERS);
    if (answer.kind === 'failed') return [];
  }
  return [];
}

/** Opens a resolver on the domain's own servers. Returns null if they cannot be found or must not be used. */
async function openAuthority(options: RecordCheckOptions, domain: string): Promise<DnsResolver | null> {
  const { resolver, allowPrivate = false, authorityPort = 53 } = options;
  const names = await fetchNameServers(resolver, domain);
  const answers = await Promise.all(names.map((name) => resolver.addresses(name, [4])));
  const servers = answers
    .flatMap((answer) => (answer.kind === 'found' ? answer.records : []))
    .filter((address) => forbiddenAddressReason(address, { allowPrivate }) === null)
    .slice(0, MAX_NAME_SERVERS)
    .map((address) => `${address}:${authorityPort}`);
  if (servers.length === 0) return null;
  return createResolver({
    servers,
    timeoutMs: options.authorityTimeoutMs ?? 2_000,
    tries: 1,
    cacheSize: 100,
    clock: options.clock,
  });
}

async function askInTurn(
  authority: DnsResolver | null,
  resolver: DnsResolver,
  record: ExpectedRecord,
): Promise<RecordAnswer> {
  if (authority) {
    const first = await ask(authority, record);
    // `no_data` may be a referral or an alias out of the zone, which only a full resolver follows.
    if (first.answer.kind === 'found' || first.answer.kind === 'no_name') return first;
  }
  return ask(resolver, record);
}

/** The DMARC record of the registrable domain applies to a domain without its own (RFC 7489 section 6.6.3). */
function inheritedDmarc(record: ExpectedRecord): ExpectedRecord | null {
  if (record.purpose !== 'dmarc') return null;
  const organization = getDomain(record.host.replace(/^_dmarc\./, ''));
  const host = `_dmarc.${organization ?? ''}`;
  return organization === null || host === record.host ? null : { ...record, host };
}

/** Returns the names that a DNS panel makes of a full name by appending the zone. */
function doubledNames(record: ExpectedRecord, domain: string): string[] {
  const zones = new Set([getDomain(domain) ?? domain, domain]);
  return [...zones].map((zone) => `${record.host}.${zone}`).filter((host) => host.length <= MAX_NAME);
}

/** Checks the records of sending domains. A record without an answer remains `pending`. */
export function createRecordCheck(options: RecordCheckOptions): RecordCheck {
  return {
    lookUpRecords: async (domain, records) => {
      const authority = options.askAuthority ? await openAuthority(options, domain) : null;
      const check = async (record: ExpectedRecord): Promise<CheckedRecord> => {
        const judged = judgeRecord(record, await askInTurn(authority, options.resolver, record));
        if (judged.status !== 'missing') return { ...record, ...judged };
        const parent = inheritedDmarc(record);
        const inherited = parent && judgeRecord(parent, await askInTurn(authority, options.resolver, parent));
        if (inherited && inherited.status !== 'missing') return { ...record, ...inherited };
        for (const host of doubledNames(record, domain)) {
          const doubled = { ...record, host };
          const { status } = judgeRecord(doubled, await askInTurn(authority, options.resolver, doubled));
          if (status === 'ok') return { ...record, ...judged, misplaced_at: host };
        }
        return { ...record, ...judged };
      };
      try {
        return await Promise.all(records.map(check));
      } finally {
        authority?.close();
      }
    },
  };
}
