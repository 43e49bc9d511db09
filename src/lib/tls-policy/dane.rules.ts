// Applies DANE to SMTP: selects usable TLSA records, and checks whether a server's certificates match them
// (RFC 6698, RFC 7671, RFC 7672 section 3).
import { createHash, createPublicKey, X509Certificate } from 'node:crypto';
import type { TlsFailure } from './tls-problem.rules.js';

// Reads two parts of a certificate that node:crypto does not expose: its public key octet for octet, which
// TLSA records digest (RFC 6698 section 2.1.2), and its path length (RFC 5280 section 4.2.1.9).
const SEQUENCE = 0x30;
const BOOLEAN = 0x01;
const INTEGER = 0x02;
const OCTET_STRING = 0x04;
const VERSION = 0xa0;
const EXTENSIONS = 0xa3;
/** OID 2.5.29.19 */
const BASIC_CONSTRAINTS = Buffer.from([0x06, 0x03, 0x55, 0x1d, 0x13]);

interface Element {
  tag: number;
  /** Including the header. */
  whole: Buffer;
  content: Buffer;
}

/**
 * Reads the first element of `bytes`; `null` if it is truncated or has a form that certificates don't use.
 */
function first(bytes: Buffer): Element | null {
  const tag = bytes[0];
  const lead = bytes[1];
  if (tag === undefined || lead === undefined) return null;
  const lengthOctets = lead < 0x80 ? 0 : lead & 0x7f;
  if (lead === 0x80 || lengthOctets > 4 || bytes.length < 2 + lengthOctets) return null;
  const length = lengthOctets === 0 ? lead : bytes.readUIntBE(2, lengthOctets);
  const start = 2 + lengthOctets;
  if (start + length > bytes.length) return null;
  return {
    tag,
    whole: bytes.subarray(0, start + length),
    content: bytes.subarray(start, start + length),
  };
}

/** Reads the content of a constructed element up to the first invalid octet. */
function parts(content: Buffer): Element[] {
  const found: Element[] = [];
  for (let rest = content; rest.length > 0;) {
    const element = first(rest);
    if (element === null) break;
    found.push(element);
    rest = rest.subarray(element.whole.length);
  }
  return found;
}

/** Reads the fields of the TBSCertificate (RFC 5280 section 4.1), from the serial number on. */
function fields(certificate: Buffer): Element[] {
  const outer = first(certificate);
  const inner = outer === null ? null : first(outer.content);
  const all = inner === null ? [] : parts(inner.content);
  return all[0]?.tag === VERSION ? all.slice(1) : all;
}

/** Returns the SubjectPublicKeyInfo (DER) of the certificate, or `null`. */
export function extractPublicKey(certificate: Buffer): Buffer | null {
  // Fields: serial number, signature, issuer, validity, subject, key.
  const key = fields(certificate)[5];
  return key?.tag === SEQUENCE ? key.whole : null;
}

/** Returns how many authorities may follow below this one; Infinity without a limit. */
export function readPathLength(certificate: Buffer): number {
  const extensions = fields(certificate).find(({ tag }) => tag === EXTENSIONS);
  const list = extensions === undefined ? null : first(extensions.content);
  for (const extension of list === null ? [] : parts(list.content)) {
    const [id, ...rest] = parts(extension.content);
    if (id?.whole.equals(BASIC_CONSTRAINTS) !== true) continue;
    const value = rest.find(({ tag }) => tag === OCTET_STRING);
    const constraints = value === undefined ? null : first(value.content);
    const limit = parts(constraints?.content ?? Buffer.alloc(0)).find(({ tag }) => tag !== BOOLEAN);
    if (limit?.tag !== INTEGER || limit.content.length === 0 || limit.content.length > 4) return Infinity;
    return limit.content.readUIntBE(0, limit.content.length);
  }
  return Infinity;
}

export interface TlsaRecord {
  usage: number;
  selector: number;
  matchingType: number;
  /** Lower-case hexadecimal. */
  data: string;
}

/** The result of looking up DANE for an MX host of a domain. */
export type DaneLookup =
  /** An answer on the way to the host is unsigned, so TLSA records cannot be trusted. */
  | { kind: 'insecure'; isMxSecure: boolean }
  /** All answers are signed, and there are no TLSA records. */
  | { kind: 'none' }
  | {
      kind: 'records';
      /** The name of the records (RFC 7672 section 2.2.3), which is sent as SNI. */
      base: string;
      /** Names accepted in the certificate of a server below a trust anchor; `base` is the first. */
      names: string[];
      /** All records found. */
      records: TlsaRecord[];
      /** The usable records. If there are none, TLS is required but not verified. */
      usable: TlsaRecord[];
    }
  /** A required signed answer is missing or invalid, which may be an attack. */
  | { kind: 'bogus'; reason: string };

const TRUST_ANCHOR = 2;
const END_ENTITY = 3;
const CERTIFICATE = 0;
const PUBLIC_KEY = 1;
const FULL = 0;
const SHA_256 = 1;
const SHA_512 = 2;
const DIGEST_CHARACTERS: Readonly<Record<number, number>> = { [SHA_256]: 64, [SHA_512]: 128 };
const MAX_CHAIN = 10;
const SERVER_AUTHENTICATION = '1.3.6.1.5.5.7.3.1';
const ANY_PURPOSE = '2.5.29.37.0';

/**
 * Selects the records that can verify a server. Excludes usages 0 and 1 (RFC 7672 section 3.1.3), unknown
 * numbers, data of the wrong length, and a digest next to a stronger one of the same usage and selector
 * (RFC 7671 section 9).
 */
export function usableTlsa(records: readonly TlsaRecord[]): TlsaRecord[] {
  const known = records.filter(isUsable);
  const isOutdone = ({ usage, selector, matchingType }: TlsaRecord): boolean =>
    matchingType === SHA_256 &&
    known.some(
      (other) => other.usage === usage && other.selector === selector && other.matchingType === SHA_512,
    );
  return known.filter((record) => !isOutdone(record));
}

/** Formats a record as in zone files and TLS reports: `3 1 1 0123…`. */
export function tlsaText({ usage, selector, matchingType, data }: TlsaRecord): string {
  return `${usage} ${selector} ${matchingType} ${data}`;
}

function isUsable({ usage, selector, matchingType, data }: TlsaRecord): boolean {
  if (usage !== TRUST_ANCHOR && usage !== END_ENTITY) return false;
  if (selector !== CERTIFICATE && selector !== PUBLIC_KEY) return false;
  if (matchingType !== FULL) return data.length === DIGEST_CHARACTERS[matchingType];
  const der = Buffer.from(data, 'hex');
  return selector === CERTIFICATE ? parse(der) !== null : isPublicKey(der);
}

function isPublicKey(der: Buffer): boolean {
  try {
    createPublicKey({ key: der, format: 'der', type: 'spki' });
    return true;
  } catch {
    return false;
  }
}

function parse(der: Buffer): X509Certificate | null {
  try {
    return new X509Certificate(der);
  } catch {
    return null;
  }
}

interface DaneQuestion {
  /** The server's certificates (DER), its own first, each followed by its issuer. */
  chain: readonly Buffer[];
  /** Usable records. */
  records: readonly TlsaRecord[];
  names: readonly string[];
  /** Epoch ms. */
  now: number;
}

/**
 * Returns why the server is not the one that the records name, or `null` if it is. With usage 3, the record
 * alone decides: names, dates and issuers are ignored (RFC 7671 section 5.1). With usage 2, the chain up to
 * the trust anchor must be valid, including its dates, and the server's certificate must contain one of
 * `names`; the server has to send the anchor (RFC 7672 section 3.1.2). Name constraints are not checked.
 */
export function daneFailure({ chain, records, names, now }: DaneQuestion): TlsFailure | null {
  const [leaf] = chain;
  if (leaf === undefined) return { problem: 'validation-failure', error: 'the server shows no certificate' };
  if (records.some((record) => record.usage === END_ENTITY && matches(record, leaf))) return null;
  const anchors = records.filter(({ usage }) => usage === TRUST_ANCHOR);
  const anchorAt = chain
    .slice(0, MAX_CHAIN)
    .findIndex((der, at) => at > 0 && anchors.some((record) => matches(record, der)));
  if (anchorAt === -1) {
    return { problem: 'validation-failure', error: 'no certificate of the server matches a TLSA record' };
  }
  return pathFailure(chain.slice(0, anchorAt + 1), names, now);
}

function matches({ selector, matchingType, data }: TlsaRecord, certificate: Buffer): boolean {
  const part = selector === CERTIFICATE ? certificate : extractPublicKey(certificate);
  if (part === null) return false;
  if (matchingType === FULL) return part.toString('hex') === data;
  return (
    createHash(matchingType === SHA_512 ? 'sha512' : 'sha256')
      .update(part)
      .digest('hex') === data
  );
}

/**
 * Checks the path from the server's certificate up to the trust anchor, which is trusted without a signature.
 */
function pathFailure(path: readonly Buffer[], names: readonly string[], now: number): TlsFailure | null {
  const certificates = path.map(parse);
  for (const [at, certificate] of certificates.entries()) {
    const issuer = certificates[at + 1];
    if (certificate === null || issuer === null || (issuer && !isIssued(certificate, issuer))) {
      return untrusted('the chain to the trust anchor does not hold');
    }
    // Below this certificate are the server's and `at - 1` authorities.
    const der = path[at];
    if (at > 0 && der !== undefined && readPathLength(der) < at - 1) {
      return untrusted('the chain to the trust anchor is longer than an authority allows');
    }
    const failure = dateFailure(certificate, now);
    if (failure !== null) return failure;
  }
  const server = certificates[0];
  if (!server || !isForServers(server)) return untrusted('the certificate is not for servers');
  if (names.some((name) => isNamed(server, name))) return null;
  return {
    problem: 'certificate-host-mismatch',
    error: `the certificate names none of ${names.join(', ')}`,
  };
}

function untrusted(error: string): TlsFailure {
  return { problem: 'certificate-not-trusted', error };
}

function isIssued(certificate: X509Certificate, issuer: X509Certificate): boolean {
  try {
    return certificate.checkIssued(issuer) && issuer.ca && certificate.verify(issuer.publicKey);
  } catch {
    // OpenSSL does not support the key, so its signatures cannot be trusted.
    return false;
  }
}

function dateFailure(certificate: X509Certificate, now: number): TlsFailure | null {
  if (!(now <= Date.parse(certificate.validTo))) {
    return { problem: 'certificate-expired', error: `a certificate expired on ${certificate.validTo}` };
  }
  if (now >= Date.parse(certificate.validFrom)) return null;
  return untrusted(`a certificate is not valid before ${certificate.validFrom}`);
}

// Returns whether the certificate may identify servers. Without the extension it may, although Node's types
// declare it always present.
function isForServers(certificate: X509Certificate): boolean {
  const purposes = certificate.keyUsage as string[] | undefined;
  return purposes === undefined || purposes.includes(SERVER_AUTHENTICATION) || purposes.includes(ANY_PURPOSE);
}

function isNamed(certificate: X509Certificate, name: string): boolean {
  return certificate.checkHost(name, { partialWildcards: false }) !== undefined;
}
