// The trace of a forwarded message: its path according to its header, and its authentication results on arrival.
import type { MailAuthentication } from '../../lib/authentication/index.js';
import { formatDate, shownLine } from '../../lib/mime/index.js';
import type { ForwardTrace, NotForwarded } from './forwards.tables.js';

/** Mail with more Received fields than this is in a loop. */
const MOST_HOPS = 25;
const MOST_SIGNATURES = 10;
const MAX_NAME = 255;

interface Arrived {
  /** Header fields, with names in lower case. */
  fields: readonly { name: string; value: string }[];
  hasFrom: boolean;
  /** Null if it was not checked. */
  authentication: MailAuthentication | null;
  /** The inbox. */
  address: string;
}

/** Returns why a message must not be forwarded from an inbox to any address; null if it may be. */
export function refusalToForward({ fields, hasFrom, authentication, address }: Arrived): NotForwarded | null {
  const valuesOf = (name: string): string[] =>
    fields.filter((field) => field.name === name).map(({ value }) => value.trim().toLowerCase());
  if (valuesOf('delivered-to').includes(address.toLowerCase())) return 'loop';
  if (valuesOf('received').length >= MOST_HOPS) return 'loop';
  const dmarc = authentication?.dmarc;
  if (dmarc?.result === 'fail' && dmarc.policy === 'reject') return 'dmarc';
  // A second From, or a header that is too large to check, could bypass the author's policy.
  return hasFrom && dmarc?.result !== 'permerror' ? null : 'malformed';
}

interface Arrival {
  client: { address: string; helo: string; tls: string | null };
  hostname: string;
  address: string;
  /** Epoch ms. */
  at: number;
}

/** Value of the Received field that this server adds (RFC 5321 section 4.4). */
export function receivedField({ client, hostname, address, at }: Arrival): string {
  const literal = client.address.includes(':') ? `IPv6:${client.address}` : client.address;
  const helo = asciiWord(client.helo);
  const protocol = client.tls === null ? 'ESMTP' : 'ESMTPS';
  return `from ${helo} ([${literal}]) by ${hostname} with ${protocol} for <${asciiWord(address)}>; ${formatDate(at)}`;
}

/** Authserv-id and results (RFC 8601 section 2.2). */
export function authenticationResults(
  authentication: MailAuthentication | null,
  { hostname, mailFrom }: { hostname: string; mailFrom: string },
): string {
  if (authentication === null) return `${hostname}; none`;
  const { spf, dkim, dmarc, arc, fromDomain } = authentication;
  const sender =
    spf.domain === null ? '' : ` smtp.${mailFrom === '' ? 'helo' : 'mailfrom'}=${asciiWord(spf.domain)}`;
  const signatures = dkim
    .slice(0, MOST_SIGNATURES)
    .map(
      ({ result, domain, selector }) =>
        `dkim=${result} header.d=${asciiWord(domain)} header.s=${asciiWord(selector)}`,
    );
  return [
    hostname,
    `spf=${spf.result}${sender}`,
    ...(signatures.length === 0 ? ['dkim=none'] : signatures),
    `dmarc=${dmarc.result}${fromDomain === null ? '' : ` header.from=${asciiWord(fromDomain)}`}`,
    `arc=${arc.result}`,
  ].join('; ');
}

/** A chain that failed, or could not be checked, cannot be continued. */
export function chainOf(authentication: MailAuthentication | null): ForwardTrace['chain'] {
  const result = authentication?.arc.result ?? null;
  return result === 'none' || result === 'pass' ? result : null;
}

/** Names come from the client and from header fields. */
function asciiWord(text: string): string {
  const word = shownLine(text, MAX_NAME).replace(/[^\x21-\x7e]|[;()<>"\\]/g, '');
  return word === '' ? 'unknown' : word;
}
