// Selects the DKIM signatures of a received message to verify, and refuses the others unseen (RFC 6376
// sections 3.5, 6.1 and 8.2, RFC 8301).
import { addressDomain, type RawField, rawValue, readHeader, readMailboxes } from '../mime/index.js';
import { canonicalHost } from '../dns-answers/index.js';

/** Results of RFC 8601; `policy` means that the signature is not trusted, valid or not. */
type DkimResult = 'pass' | 'fail' | 'neutral' | 'policy' | 'temperror' | 'permerror';

export interface SignatureResult {
  result: DkimResult;
  domain: string;
  selector: string;
  /** Its domain belongs to the organization of the From domain. */
  aligned: boolean;
}

interface SignatureSelection {
  /** The message without the refused signatures; usually the input itself. */
  message: Buffer;
  refused: readonly Omit<SignatureResult, 'aligned'>[];
  fromDomain: string | null;
  /** Names of the keys that the ARC chain needs. */
  arcKeyNames: readonly string[];
  leftOutSignature: boolean;
  leftOutArc: boolean;
}

const LIMITS = { headerBytes: 131_072, fields: 1_000 };
/** The package takes quadratic time in their number. */
const MAX_LINES = 4_000;
const MAX_SIGNATURES = 5;
const MAX_REFUSED = 10;
const ARC_FIELDS = ['arc-seal', 'arc-message-signature', 'arc-authentication-results'];

type Tags = ReadonlyMap<string, string>;

/** Selects the signatures; `null` if the header exceeds any legitimate size. */
export function selectSignatures(raw: Uint8Array): SignatureSelection | null {
  const octets = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const { fields, bodyStart } = readHeader(raw, LIMITS);
  if (bodyStart > LIMITS.headerBytes || fields.length >= LIMITS.fields) return null;
  if (octets.toString('latin1', 0, bodyStart).split('\n').length > MAX_LINES) return null;
  const fromDomain = readFromDomain(fields);
  const signatures = fields
    .filter(({ name }) => name === 'dkim-signature')
    .map((field) => ({ field, tags: readTags(rawValue(field)) }));
  const believable = signatures.filter(({ tags }) => refuseSignature(tags) === null);
  const isOfAuthor = ({ tags }: { tags: Tags }): boolean => {
    const domain = tags.get('d')?.toLowerCase() ?? '';
    return fromDomain !== null && (fromDomain === domain || fromDomain.endsWith(`.${domain}`));
  };
  // Signatures of the author's domain come first, so that a forwarder's cannot displace them.
  const considered = new Set(
    [...believable.filter(isOfAuthor), ...believable.filter((one) => !isOfAuthor(one))].slice(
      0,
      MAX_SIGNATURES,
    ),
  );
  const others = signatures.filter((signature) => !considered.has(signature));
  const arc = fields.filter(({ name }) => ARC_FIELDS.includes(name));
  const arcTags = arc
    .filter(({ name }) => name !== 'arc-authentication-results')
    .map((field) => readTags(rawValue(field)));
  const leftOutArc = arcTags.some((tags) => tags.has('l'));
  const leftOut = new Set([...others.map(({ field }) => field), ...(leftOutArc ? arc : [])]);
  return {
    message: leftOut.size === 0 ? octets : withoutFields(octets.subarray(bodyStart), fields, leftOut),
    refused: others.slice(0, MAX_REFUSED).map(({ tags }) => ({
      result: refuseSignature(tags) ?? 'policy',
      domain: canonicalHost(tags.get('d') ?? '').slice(0, 255),
      selector: (tags.get('s') ?? '').slice(0, 255),
    })),
    fromDomain,
    arcKeyNames: arcTags.map((tags) =>
      canonicalHost(`${tags.get('s') ?? ''}._domainkey.${tags.get('d') ?? ''}`),
    ),
    leftOutSignature: others.length > 0,
    leftOutArc,
  };
}

function readFromDomain(fields: readonly RawField[]): string | null {
  const mailboxes = fields
    .filter(({ name }) => name === 'from')
    .flatMap((field) => readMailboxes(rawValue(field)));
  const [only] = mailboxes;
  return only === undefined || mailboxes.length > 1 ? null : addressDomain(only.email);
}

/** Returns why a signature is refused; `null` if it is verified. */
function refuseSignature(tags: Tags): DkimResult | null {
  const needed = ['a', 'b', 'bh', 'd', 'h', 's'].every((tag) => (tags.get(tag) ?? '') !== '');
  if (!needed || tags.get('v') !== '1') return 'permerror';
  const signed = (tags.get('h') ?? '').toLowerCase().split(':');
  if (!signed.includes('from')) return 'permerror';
  const domain = canonicalHost(tags.get('d') ?? '');
  const identity =
    canonicalHost(tags.get('i') ?? `@${domain}`)
      .split('@')
      .pop() ?? '';
  if (identity !== domain && !identity.endsWith(`.${domain}`)) return 'permerror';
  const algorithm = tags.get('a')?.toLowerCase();
  if (algorithm === 'rsa-sha1') return 'permerror';
  if (algorithm !== 'rsa-sha256' && algorithm !== 'ed25519-sha256') return 'neutral';
  // A signature over the beginning of the body also covers any text appended to it.
  return tags.has('l') ? 'policy' : null;
}

/**
 * Reads tags, with white space removed from values. A repeated tag invalidates the list, which is then empty.
 */
function readTags(value: string): Tags {
  const tags = new Map<string, string>();
  for (const part of value.split(';')) {
    const equals = part.indexOf('=');
    const name = part.slice(0, Math.max(equals, 0)).trim();
    if (name === '') continue;
    if (tags.has(name)) return new Map();
    tags.set(name, part.slice(equals + 1).replace(/\s+/g, ''));
  }
  return tags;
}

function withoutFields(body: Buffer, fields: readonly RawField[], leftOut: ReadonlySet<RawField>): Buffer {
  const fieldsLeft = fields.filter((field) => !leftOut.has(field)).map(({ line }) => `${line}\r\n`);
  return Buffer.concat([Buffer.from(`${fieldsLeft.join('')}\r\n`, 'latin1'), body]);
}
