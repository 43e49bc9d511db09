// The DNS records that a sending domain publishes, and the judgement of what is found there
// (RFC 6376 DKIM, RFC 7208 SPF, RFC 7489 DMARC, RFC 5321 MX).
import { sameDkimRecord } from '../lib/dkim/index.js';
import { isPublicName } from '../lib/addresses/index.js';
import { canonicalHost, type DnsAnswer, type MxRecord } from '../lib/dns-answers/index.js';
import { defaultNames, type OwnNames } from './own-names.rules.js';

export const DNS_RECORD_PURPOSES = ['dkim', 'return_path', 'spf', 'dmarc', 'inbound', 'tracking'] as const;
export type DnsRecordPurpose = (typeof DNS_RECORD_PURPOSES)[number];

/** `host_unnamed`: its value would name a host that others cannot look up. */
export const DNS_RECORD_STATUSES = ['pending', 'ok', 'missing', 'mismatch', 'host_unnamed'] as const;
export type DnsRecordStatus = (typeof DNS_RECORD_STATUSES)[number];
/** Settings that give the server the names which DNS records lead to. */
export const NAME_SETTINGS = ['MAILKEEL_HOSTNAME', 'MAILKEEL_PUBLIC_URL', 'MAILKEEL_BOUNCE_DOMAIN'] as const;
export type NameSetting = (typeof NAME_SETTINGS)[number];

/** Role of a DKIM record that `verified` does not need: the key to come, the second algorithm, a replaced key, none yet. */
export type DkimRole = 'next' | 'second' | 'former' | 'spare';

interface RecordBase {
  purpose: DnsRecordPurpose;
  /** The full name, without a final dot. */
  host: string;
  /** Text to publish: the TXT text in one piece, or the target host. */
  value: string;
  required: boolean;
  role?: DkimRole;
}

/** A record as it is asked for, before anybody looked. */
export type ExpectedRecord =
  | (RecordBase & { type: 'TXT' | 'CNAME' })
  | (RecordBase & { type: 'MX'; priority: number });

/** A record that cannot be published until a setting gives the server a public name. */
export interface UnnamedRecord extends Omit<RecordBase, 'value'> {
  type: 'TXT' | 'CNAME' | 'MX';
  value: null;
  missing_setting: NameSetting;
}

/** Answer of a look-up of an expected record: TXT texts, CNAME targets or mail hosts. */
export type RecordAnswer =
  | { type: 'TXT' | 'CNAME'; answer: DnsAnswer<string> }
  | { type: 'MX'; answer: DnsAnswer<MxRecord> };

export interface RecordJudgement {
  /** `pending`: nobody could answer now, so nothing is known. */
  status: Exclude<DnsRecordStatus, 'host_unnamed'>;
  /** Values that were found, as far as they concern the record; MX as `10 mail.example`. */
  found: string[];
  /** The doubled name of a missing record: the DNS panel appended the zone to the full name. */
  misplaced_at?: string;
}

interface SendingDomain {
  /** A-labels. */
  domain: string;
  /** Its own names; below it when absent. */
  names?: OwnNames;
  /** The records of its keys, or aliases to where they are. */
  dkim: readonly (Pick<RecordBase, 'host' | 'value' | 'required' | 'role'> & { type: 'TXT' | 'CNAME' })[];
  /** Our MX target. */
  hostname: string;
  /** Where tracking links lead; default `hostname`. */
  trackingHost?: string;
  /** The SPF mechanisms that cover our sources, e.g. `include:_spf.mail.example`; default `a:<hostname>`. */
  spfMechanisms?: string;
  /** The DMARC record to publish where there is none; one that only watches when absent. */
  dmarc?: string;
}

/** One of the server's own names, and the setting that changes it. */
export interface OwnName {
  name: string;
  setting: NameSetting;
}

const MX_PRIORITY = 10;
/** The DMARC record to begin with: nothing happens to the mail. */
export const WATCHING_DMARC = 'v=DMARC1; p=none';

/** The records to publish for a sending domain. Only DKIM is required; the rest improves what DKIM alone gives. */
export function dnsRecordsFor(input: SendingDomain): ExpectedRecord[] {
  const { domain, hostname, trackingHost = hostname, spfMechanisms = `a:${hostname}` } = input;
  const { dmarc = WATCHING_DMARC } = input;
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

/** Replaces each record whose value names a host of ours that is not in the public DNS. DKIM records name none. */
export function withoutUnnamed(
  records: readonly ExpectedRecord[],
  ownNames: readonly OwnName[],
): (ExpectedRecord | UnnamedRecord)[] {
  const unnamed = ownNames.filter(({ name }) => !isPublicName(name));
  return records.map((record) => {
    const missing = unnamed.find(({ name }) => record.purpose !== 'dkim' && namesHost(record.value, name));
    if (missing === undefined) return record;
    const { purpose, type, host, required } = record;
    return { purpose, type, host, required, value: null, missing_setting: missing.setting };
  });
}

/** True for the host itself, and for text that has it as a mechanism (`a:host`) or in an address (`dmarc@host`). */
export function namesHost(value: string, host: string): boolean {
  return value.split(/[\s,;=@]|a:|mx:/).includes(host);
}

/** Only the appliance sends with a return path of its own, so everything else may fail hard. */
function returnPathSpf(host: string, mechanisms: string): ExpectedRecord {
  return { purpose: 'return_path', type: 'TXT', host, value: `v=spf1 ${mechanisms} -all`, required: false };
}

/**
 * The SPF mechanisms that cover what we send from. `ranges`: addresses and networks, as far as they are known; without
 * any the addresses of our host name. Named by themselves they take none of the ten look-ups of RFC 7208 section 4.6.4.
 */
export function spfMechanismsFor(hostname: string, ranges: readonly string[]): string {
  if (ranges.length === 0) return `a:${hostname}`;
  return [...new Set(ranges)].map((range) => `${range.includes(':') ? 'ip6' : 'ip4'}:${range}`).join(' ');
}

function judgeDkim(expected: string, texts: string[]): RecordJudgement {
  if (texts.length === 0) return { status: 'missing', found: [] };
  const keys = texts.filter((text) => /(^|;)\s*p\s*=/.test(text));
  const ours = keys.filter((text) => sameDkimRecord(text, expected));
  // With two keys under one selector a verifier may take either.
  return { status: ours.length > 0 && ours.length === keys.length ? 'ok' : 'mismatch', found: texts };
}

/** The mechanisms of an SPF record in comparable form, without `all`: a leading `+` says nothing. */
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
  // RFC 7208 section 4.5: more than one record is a permanent error for the receiver.
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
  // A better host that is not ours takes the mail before we see it.
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
 * Whether what was found does what the record is for: DKIM the same key, SPF one record that holds our mechanism,
 * DMARC any valid policy, MX us among the most preferred hosts, CNAME our target. A failed look-up is `pending`
 * and must not unverify anybody.
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
