// The DNS records that a sending domain publishes, and their verification (RFC 6376 DKIM, RFC 7208 SPF, RFC 7489 DMARC, RFC 5321
// MX).
import { sameDkimRecord } from '../lib/dkim/index.js';
import { isPublicName } from '../lib/addresses/index.js';
import { canonicalHost, type DnsAnswer, type MxRecord } from '../lib/dns-answers/index.js';
import { defaultNames, type EffectiveNames } from './effective-names.rules.js';

export const DNS_RECORD_PURPOSES = ['dkim', 'return_path', 'spf', 'dmarc', 'inbound', 'tracking'] as const;
export type DnsRecordPurpose = (typeof DNS_RECORD_PURPOSES)[number];

/** `host_unnamed` if the value would contain a host that is not in public DNS. */
export const DNS_RECORD_STATUSES = ['pending', 'ok', 'missing', 'mismatch', 'host_unnamed'] as const;
export type DnsRecordStatus = (typeof DNS_RECORD_STATUSES)[number];
/** Settings with the host names that DNS records point to. */
export const NAME_SETTINGS = ['MAILKEEL_HOSTNAME', 'MAILKEEL_PUBLIC_URL', 'MAILKEEL_BOUNCE_DOMAIN'] as const;
export type NameSetting = (typeof NAME_SETTINGS)[number];

/**
 * Role of a DKIM record that `verified` does not require: the next key, the second algorithm, a replaced key, or an alias without
 * a key.
 */
export type DkimRole = 'next' | 'second' | 'former' | 'spare';

interface RecordBase {
  purpose: DnsRecordPurpose;
  /** The full name, without a final dot. */
  host: string;
  /** Text to publish: the whole TXT text, or the target host. */
  value: string;
  required: boolean;
  role?: DkimRole;
}

/** A record before it was looked up. */
export type ExpectedRecord =
  | (RecordBase & { type: 'TXT' | 'CNAME' })
  | (RecordBase & { type: 'MX'; priority: number });

/** A record that cannot be published until a setting gives the server a public name. */
export interface UnnamedRecord extends Omit<RecordBase, 'value'> {
  type: 'TXT' | 'CNAME' | 'MX';
  value: null;
  missing_setting: NameSetting;
}

/** Result of looking up an expected record: TXT texts, CNAME targets or mail hosts. */
export type RecordAnswer =
  | { type: 'TXT' | 'CNAME'; answer: DnsAnswer<string> }
  | { type: 'MX'; answer: DnsAnswer<MxRecord> };

export interface RecordJudgement {
  /** `pending` if the look-up failed, so the status is unknown. */
  status: Exclude<DnsRecordStatus, 'host_unnamed'>;
  /** Relevant values that were found; MX as `10 mail.example`. */
  found: string[];
  /** Doubled name at which a missing record was found, because the DNS panel appended the zone to the full name. */
  misplaced_at?: string;
}

interface SendingDomain {
  /** A-labels. */
  domain: string;
  /** Names that the owner chose. Default: names below the domain. */
  names?: EffectiveNames;
  /** Records of the domain's keys, or aliases to them. */
  dkim: readonly (Pick<RecordBase, 'host' | 'value' | 'required' | 'role'> & { type: 'TXT' | 'CNAME' })[];
  /** Mailkeel's MX target. */
  hostname: string;
  /** Host of tracking links. Default: `hostname`. */
  trackingHost?: string;
  /** SPF mechanisms of Mailkeel's sources, such as `include:_spf.mail.example`. Default: `a:<hostname>`. */
  spfMechanisms?: string;
  /** DMARC record to publish if there is none. Default: a policy of `none`. */
  dmarc?: string;
}

/** A host name of the server, and the setting that changes it. */
export interface ServerName {
  name: string;
  setting: NameSetting;
}

const MX_PRIORITY = 10;
/** Initial DMARC record, which only monitors. */
export const MONITORING_DMARC = 'v=DMARC1; p=none';

/** Returns the records to publish for a sending domain. Only DKIM is required, and the others improve delivery. */
export function dnsRecordsFor(input: SendingDomain): ExpectedRecord[] {
  const { domain, hostname, trackingHost = hostname, spfMechanisms = `a:${hostname}` } = input;
  const { dmarc = MONITORING_DMARC } = input;
  const names = input.names ?? defaultNames(domain);
  const optional = { required: false };
  return [
    ...input.dkim.map((record) => ({ purpose: 'dkim' as const, ...record })),
    {
      purpose: 'return_path',
      type: 'MX',
      host: names.returnPath,
      value: hostname,
      priority: MX_PRIORITY,
      ...optional,
    },
    ...(names.returnPath === domain ? [] : [returnPathSpf(names.returnPath, spfMechanisms)]),
    { purpose: 'spf', type: 'TXT', host: domain, value: `v=spf1 ${spfMechanisms} ~all`, ...optional },
    { purpose: 'dmarc', type: 'TXT', host: `_dmarc.${domain}`, value: dmarc, ...optional },
    {
      purpose: 'inbound',
      type: 'MX',
      host: names.inbound,
      value: hostname,
      priority: MX_PRIORITY,
      ...optional,
    },
    { purpose: 'tracking', type: 'CNAME', host: names.tracking, value: trackingHost, ...optional },
  ];
}

/** Replaces each record whose value contains a host of Mailkeel that is not in public DNS. DKIM records contain no host. */
export function withoutUnnamed(
  records: readonly ExpectedRecord[],
  serverNames: readonly ServerName[],
): (ExpectedRecord | UnnamedRecord)[] {
  const unnamed = serverNames.filter(({ name }) => !isPublicName(name));
  return records.map((record) => {
    const missing = unnamed.find(({ name }) => record.purpose !== 'dkim' && namesHost(record.value, name));
    if (missing === undefined) return record;
    const { purpose, type, host, required } = record;
    return { purpose, type, host, required, value: null, missing_setting: missing.setting };
  });
}

/** Returns whether the text is the host, or contains it as a mechanism (`a:host`) or in an address (`dmarc@host`). */
export function namesHost(value: string, host: string): boolean {
  return value.split(/[\s,;=@]|a:|mx:/).includes(host);
}

/** Only Mailkeel sends with this return path, so everything else can fail (`-all`). */
function returnPathSpf(host: string, mechanisms: string): ExpectedRecord {
  return { purpose: 'return_path', type: 'TXT', host, value: `v=spf1 ${mechanisms} -all`, required: false };
}

/**
 * Returns the SPF mechanisms of Mailkeel's sources. `ranges` are the known addresses and networks; without any, the addresses of
 * Mailkeel's host name are used. Listing them directly uses none of the ten look-ups of RFC 7208 section 4.6.4.
 */
export function spfMechanismsFor(hostname: string, ranges: readonly string[]): string {
  if (ranges.length === 0) return `a:${hostname}`;
  return [...new Set(ranges)].map((range) => `${range.includes(':') ? 'ip6' : 'ip4'}:${range}`).join(' ');
}

function judgeDkim(expected: string, texts: string[]): RecordJudgement {
  if (texts.length === 0) return { status: 'missing', found: [] };
  const keys = texts.filter((text) => /(^|;)\s*p\s*=/.test(text));
  const ours = keys.filter((text) => sameDkimRecord(text, expected));
  // With two keys under one selector, a verifier may use either.
  return { status: ours.length > 0 && ours.length === keys.length ? 'ok' : 'mismatch', found: texts };
}

/** Returns the normalized mechanisms of an SPF record without `all`. A leading `+` is optional, so it is removed. */
function mechanismsIn(record: string): string[] {
  return record
    .toLowerCase()
    .split(/\s+/)
    .slice(1)
    .map((term) => term.replace(/^\+/, '').replace(/\.$/, ''))
    .filter((term) => term !== '' && !/^[-~?]?all$/.test(term));
}

function judgeSpf(expected: string, texts: string[]): RecordJudgement {
  const found = texts.filter((text) => /^v=spf1(\s|$)/i.test(text.trim())).map((text) => text.trim());
  const only = found[0];
  if (only === undefined) return { status: 'missing', found };
  // RFC 7208 section 4.5: more than one record is a permanent error.
  if (found.length > 1) return { status: 'mismatch', found };
  const there = new Set(mechanismsIn(only));
  const complete = mechanismsIn(expected).every((mechanism) => there.has(mechanism));
  return { status: complete ? 'ok' : 'mismatch', found };
}

function judgeDmarc(texts: string[]): RecordJudgement {
  const found = texts.filter((text) => /^\s*v\s*=\s*DMARC1\s*(;|$)/i.test(text));
  if (found.length === 0) return { status: 'missing', found };
  const policy = /;\s*p\s*=\s*(none|quarantine|reject)\s*(;|$)/i;
  const valid = found.length === 1 && policy.test(found[0] ?? '');
  return { status: valid ? 'ok' : 'mismatch', found };
}

function judgeMx(expected: string, records: MxRecord[]): RecordJudgement {
  const sorted = [...records].sort((a, b) => a.preference - b.preference);
  const found = sorted.map(({ preference, exchange }) => `${preference} ${exchange === '' ? '.' : exchange}`);
  const best = sorted[0]?.preference;
  const ours = sorted.some(
    ({ preference, exchange }) => preference === best && canonicalHost(exchange) === canonicalHost(expected),
  );
  // A preferred host of another server receives the mail instead of Mailkeel.
  return { status: ours ? 'ok' : 'mismatch', found };
}

function judgeText(expected: ExpectedRecord, texts: string[]): RecordJudgement {
  switch (expected.purpose) {
    case 'dkim':
      return judgeDkim(expected.value, texts);
    case 'spf':
    case 'return_path':
      return judgeSpf(expected.value, texts);
    case 'dmarc':
      return judgeDmarc(texts);
    case 'inbound':
    case 'tracking':
      return { status: texts.includes(expected.value) ? 'ok' : 'mismatch', found: texts };
  }
}

/**
 * Returns whether the records found serve their purpose: DKIM the same key, SPF a single record with Mailkeel's mechanisms, DMARC
 * any valid policy, MX Mailkeel among the most preferred hosts, CNAME the expected target. A failed look-up is `pending` and must
 * not unverify a domain.
 */
export function judgeRecord(expected: ExpectedRecord, { type, answer }: RecordAnswer): RecordJudgement {
  if (answer.kind === 'failed') return { status: 'pending', found: [] };
  if (answer.kind !== 'found') return { status: 'missing', found: [] };
  if (type === 'MX') return judgeMx(expected.value, answer.records);
  const texts = answer.records;
  if (type === 'TXT') return judgeText(expected, texts);
  const same = texts.some((target) => canonicalHost(target) === canonicalHost(expected.value));
  return { status: same ? 'ok' : 'mismatch', found: texts };
}
