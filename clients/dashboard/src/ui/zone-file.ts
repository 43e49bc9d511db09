// The DNS records of a domain as a zone file (RFC 1035 section 5), and the names of a domain below a zone.
import type { DnsRecordAdvice } from '@mailkeel/sdk';

const TTL_S = 3600;
/** Octets of one string of a TXT record. */
const STRING_OCTETS = 255;

/** The zones that can contain the domain, starting with the domain itself: `mail.example.com`, `example.com`. */
export function zonesOf(domain: string): string[] {
  const labels = domain.split('.');
  return labels.slice(0, -1).map((_label, at) => labels.slice(at).join('.'));
}

/** The zone that the domain is likely in: two labels, or three below endings such as `co.uk`. */
export function likelyZone(domain: string): string {
  const labels = domain.split('.');
  const [second = '', top = ''] = labels.slice(-2);
  const isShared = top.length === 2 && second.length <= 3 && labels.length > 2;
  return labels.slice(isShared ? -3 : -2).join('.');
}

/** Returns null for a name outside the zone, and an empty text for the zone itself. */
export function nameInZone(host: string, zone: string): string | null {
  if (host === zone) return '';
  return host.endsWith(`.${zone}`) ? host.slice(0, -zone.length - 1) : null;
}

/** `exists` is written above a record of which only one may exist, if there already is one. */
export function zoneFile(
  records: readonly DnsRecordAdvice[],
  zone: string,
  { note, exists }: { note: string; exists: string },
): string {
  const lines = records.flatMap((record) => {
    if (record.value === null) return [];
    const name = nameInZone(record.host, zone);
    const owner = name === null ? `${record.host}.` : name === '' ? '@' : name;
    const line = `${owner}\t${TTL_S}\tIN\t${record.type}\t${dataOf(record, record.value)}`;
    return isSecond(record) ? [`; ${exists}`, `; ${line}`] : [line];
  });
  return [`; ${note}`, `$ORIGIN ${zone}.`, ...lines, ''].join('\n');
}

/** Two SPF or DMARC records at a name are an error, so Mailkeel's record is not added to an existing one. */
function isSecond({ purpose, type, found, status }: DnsRecordAdvice): boolean {
  const isOnlyOne = type === 'TXT' && ['spf', 'dmarc', 'return_path'].includes(purpose);
  return isOnlyOne && status === 'mismatch' && found.length > 0;
}

function dataOf({ type, priority }: DnsRecordAdvice, value: string): string {
  if (type === 'MX') return `${priority ?? 10} ${value}.`;
  if (type === 'CNAME') return `${value}.`;
  const parts = value.match(new RegExp(`.{1,${STRING_OCTETS}}`, 'gs')) ?? [''];
  const quoted = parts.map((part) => `"${part.replace(/["\\]/g, String.raw`\$&`)}"`);
  return quoted.length === 1 ? quoted.join('') : `( ${quoted.join(' ')} )`;
}
