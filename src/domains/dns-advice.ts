// Advice for each DNS record that is not correct.
import type { DkimRole, ExpectedRecord, NameSetting } from './dns-records.rules.js';
import type { RecordResult, RecordWithResult } from './domain-records.js';

type LookedRecord = ExpectedRecord & RecordResult;

/**
 * Returns `null` for a correct record. `zone` is Mailkeel's delegated zone if the domain is in it, so its owner publishes
 * nothing.
 */
export function adviceFor(record: RecordWithResult, zone: string | null = null): string | null {
  if (record.value === null) return unnamedAdvice(record.missing_setting);
  if (zone !== null && record.status !== 'ok') return zoneAdvice(record.host, zone);
  switch (record.status) {
    case 'ok':
      return record.problem === undefined ? null : adviceForOptional(record.host, record.problem);
    case 'pending':
      return `No name server has responded for ${record.host} yet. Publish the record, or check the domain's name servers.`;
    case 'missing':
      if (record.misplaced_at !== undefined) return misplacedAdvice(record.host, record.misplaced_at);
      return `Publish ${article(record.type)} ${record.type} record at ${record.host} with the value shown${missingTail(record)}.`;
    case 'mismatch':
      return mismatchAdvice(record);
  }
}

export function unnamedAdvice(setting: NameSetting): string {
  return `This record requires a public hostname for the server. Ask the operator to set ${setting}.`;
}

function misplacedAdvice(host: string, misplacedAt: string): string {
  const zone = misplacedAt.slice(host.length + 1);
  const label = host === zone ? '@' : host.slice(0, -zone.length - 1);
  return `The record was found at ${misplacedAt} because the DNS provider appends ${zone} to record names. Enter ${label} as the name instead.`;
}

function zoneAdvice(host: string, zone: string): string {
  return `The record at ${host} was not found, although this service serves its DNS. Delegate the zone ${zone} to the service (see zone_delegation and name_server in the health checks).`;
}

/** Advice for a correct record that links do not use. */
function adviceForOptional(host: string, problem: string): string {
  return `${host} points to this service, but links on it do not work (${problem}). Give the server a certificate for ${host}. Until then, links use the service's own hostname.`;
}

function article(type: LookedRecord['type']): string {
  return type === 'MX' ? 'an' : 'a';
}

function missingTail(record: LookedRecord): string {
  switch (record.purpose) {
    case 'dkim':
      return dkimTail(record);
    case 'return_path':
      return '. Until then, bounces go to the domain of this service and SPF does not align';
    case 'spf':
      return ' to authorize this service to send for the domain';
    case 'dmarc':
      return '. Major mailbox providers expect a DMARC policy from every sender';
    case 'inbound':
      return ' to receive replies on the domain';
    case 'tracking':
      return ' to use tracking links on the domain';
  }
}

const DKIM_TAILS: Record<DkimRole, string> = {
  next: '. Until then, mail is signed with the current key',
  second: '. Until then, mail is signed with the RSA key only',
  former: '. Mail in transit was signed with this key',
  spare: ' so that Mailkeel can rotate the key automatically',
};

function dkimTail({ required, role = 'second' }: LookedRecord): string {
  return required ? '. Mail cannot be signed until then' : DKIM_TAILS[role];
}

/** Recognizes common mistakes in publishing a key by hand. Otherwise, the record has another key. */
function otherKeyAdvice({ host, value, found }: LookedRecord): string {
  const text = found[0] ?? '';
  const plain = withoutSpace(text.replaceAll('"', ''));
  const whole = withoutSpace(value);
  if (plain !== '' && plain !== whole && whole.startsWith(plain)) {
    return `The key at ${host} is truncated. Enter the complete value. If your DNS provider limits strings to 255 characters, split the value into several strings of one record.`;
  }
  if (text.includes('"')) return `The value at ${host} contains quotation marks. Enter it without them.`;
  return `The key at ${host} does not match. Replace the record with the exact value shown.`;
}

function withoutSpace(text: string): string {
  return text.replace(/\s+/g, '');
}

function mismatchAdvice(record: LookedRecord): string {
  const { host, value } = record;
  const several = record.found.length > 1;
  switch (record.purpose) {
    case 'dkim':
      if (record.type === 'CNAME') return `${host} points elsewhere. Change its CNAME to ${value}.`;
      return several
        ? `There are multiple TXT records at ${host}. Keep only the one with the value shown.`
        : otherKeyAdvice(record);
    case 'return_path':
    case 'spf':
      if (record.type === 'MX')
        return `Another mail server has priority at ${host}. Make ${value} the only MX.`;
      return several
        ? `There are multiple SPF records at ${host}, which receivers treat as an error. Merge them into one.`
        : `The SPF record at ${host} does not include this service. Add the mechanisms of the value shown before "all".`;
    case 'dmarc':
      return `The DMARC record at ${host} is invalid. Keep exactly one record that starts with v=DMARC1; p=none (or a stricter policy).`;
    case 'inbound':
      return `Another mail server has priority at ${host}. Make ${value} the only MX.`;
    case 'tracking':
      return `${host} points elsewhere. Change its CNAME to ${value}.`;
  }
}
