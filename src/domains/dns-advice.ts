// One sentence for each record that is not right: what to do about it.
import type { DkimRole, ExpectedRecord, NameSetting } from './dns-records.rules.js';
import type { RecordResult, RecordWithResult } from './domain-records.js';

type LookedRecord = ExpectedRecord & RecordResult;

/** Null for a record that is right. `zone`: ours, where the domain is below it and has nothing to publish. */
export function adviceFor(record: RecordWithResult, zone: string | null = null): string | null {
  if (record.value === null) return unnamedAdvice(record.missing_setting);
  if (zone !== null && record.status !== 'ok') return zoneAdvice(record.host, zone);
  switch (record.status) {
    case 'ok':
      return record.problem === undefined ? null : adviceForOptional(record.host, record.problem);
    case 'pending':
      return `Nobody has answered for ${record.host} yet; publish the record, or check the domain's name servers.`;
    case 'missing':
      if (record.misplaced_at !== undefined) return misplacedAdvice(record.host, record.misplaced_at);
      return `Publish ${article(record.type)} ${record.type} record at ${record.host} with the value shown${missingTail(record)}.`;
    case 'mismatch':
      return mismatchAdvice(record);
  }
}

export function unnamedAdvice(setting: NameSetting): string {
  return `This record would name the server, which has no public name yet. Ask the operator to set ${setting}.`;
}

function misplacedAdvice(host: string, misplacedAt: string): string {
  const zone = misplacedAt.slice(host.length + 1);
  const label = host === zone ? '@' : host.slice(0, -zone.length - 1);
  return `The record is at ${misplacedAt}: the DNS panel appends ${zone} to names. Enter ${label} as its name there.`;
}

function zoneAdvice(host: string, zone: string): string {
  return `The record at ${host} was not found, although this service answers for it. Delegate the zone ${zone} to the service (see zone_delegation and name_server of its health checks).`;
}

/** The record is right, and yet links do not use it. */
function adviceForOptional(host: string, problem: string): string {
  return `${host} leads to this service, but links under it cannot be followed (${problem}); give the server a certificate for ${host}. Until then links are under the service's own name.`;
}

function article(type: LookedRecord['type']): string {
  return type === 'MX' ? 'an' : 'a';
}

function missingTail(record: LookedRecord): string {
  switch (record.purpose) {
    case 'dkim':
      return dkimTail(record);
    case 'return_path':
      return '; until then bounces come back to the domain of the service, and SPF does not align';
    case 'spf':
      return ', so that receivers know who may send for the domain';
    case 'dmarc':
      return '; large receivers expect a DMARC policy of every sender';
    case 'inbound':
      return ' to receive replies under the domain';
    case 'tracking':
      return ' to have tracked links under the domain';
  }
}

const DKIM_TAILS: Record<DkimRole, string> = {
  next: '; until then mail is signed with the key that it is to replace',
  second: '; until then mail is signed with the RSA key only',
  former: '; mail in transit was signed with its key',
  spare: ', so that the key can be replaced without your help',
};

function dkimTail({ required, role = 'second' }: LookedRecord): string {
  return required ? '; mail cannot be signed before' : DKIM_TAILS[role];
}

/** Known mistakes of publishing a key by hand; otherwise it is another key. */
function otherKeyAdvice({ host, value, found }: LookedRecord): string {
  const text = found[0] ?? '';
  const plain = withoutSpace(text.replaceAll('"', ''));
  const whole = withoutSpace(value);
  if (plain !== '' && plain !== whole && whole.startsWith(plain)) {
    return `The key at ${host} ends too early. Enter the whole value; where a text may have 255 characters only, split it into several texts of the same record.`;
  }
  if (text.includes('"')) return `The value at ${host} holds quotation marks; enter it without them.`;
  return `The key at ${host} is a different one. Replace the record by the value shown, without changing a character.`;
}

function withoutSpace(text: string): string {
  return text.replace(/\s+/g, '');
}

function mismatchAdvice(record: LookedRecord): string {
  const { host, value } = record;
  const several = record.found.length > 1;
  switch (record.purpose) {
    case 'dkim':
      if (record.type === 'CNAME') return `${host} leads elsewhere; let its CNAME be ${value}.`;
      return several
        ? `There are several TXT records at ${host}; keep only the one with the value shown.`
        : otherKeyAdvice(record);
    case 'return_path':
    case 'spf':
      if (record.type === 'MX')
        return `Another mail host comes first at ${host}; let ${value} be the only MX.`;
      return several
        ? `There are several SPF records at ${host}, which receivers treat as an error; join them into one.`
        : `The SPF record at ${host} does not name this service; add the mechanisms of the value shown before its "all".`;
    case 'dmarc':
      return `The DMARC record at ${host} cannot be read; keep exactly one, beginning with v=DMARC1; p=none (or stricter).`;
    case 'inbound':
      return `Another mail host comes first at ${host}; let ${value} be the only MX.`;
    case 'tracking':
      return `${host} leads elsewhere; let its CNAME be ${value}.`;
  }
}
