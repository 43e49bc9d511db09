// Signs messages with DKIM (RFC 6376), relaxed/relaxed, with RSA and Ed25519 (RFC 8463).
// docs/adr/0002-dkim-engine.md explains why no package is used. Canonicalization (RFC 6376 sections 3.4.2 and
// 3.4.4) works octet by octet and in linear time: white space is SP and HTAB, a line ends with CRLF, and
// nothing else is special.
import { createPrivateKey, createPublicKey, hash, sign, verify, type KeyObject } from 'node:crypto';

const HTAB = 9;
const LF = 10;
const CR = 13;
const SP = 32;
/** The first octet that is neither a control character nor a blank. */
const PRINTABLE = 33;
const CRLF = Buffer.from('\r\n');
const EMPTY = Buffer.alloc(0);

// Printable US-ASCII without the colon (RFC 5322 section 3.6.8), and the white space that old mailers add.
const FIELD_NAME = /^([!-9;-~]+)[ \t]*$/;
const NOT_AN_OCTET = /[^\x00-\xff]/;
const FORBIDDEN_OCTET = /[\r\n\x00]/;
const WHITE_SPACE_RUN = /\t[ \t]*| [ \t]+/g;

interface CanonicalField {
  /** Lower case. */
  name: string;
  /** `name:value` without a line end, one character per octet. */
  text: string;
}

/**
 * Returns the relaxed form of one header field, given as one character per octet and folded with CRLF. Throws
 * if the peer could read anything other than one field: a line break that is not a fold, NUL, an invalid
 * name, or a character above U+00FF.
 */
export function relaxedField(field: string): CanonicalField {
  const colon = field.indexOf(':');
  const name = FIELD_NAME.exec(field.slice(0, Math.max(colon, 0)))?.[1]?.toLowerCase();
  if (name === undefined) throw new Error('a header field has no valid name');
  if (NOT_AN_OCTET.test(field)) throw new Error(`the ${name} field holds a character that is not an octet`);
  let value = field.slice(colon + 1);
  if (value.includes('\r\n')) value = value.replace(/\r\n([ \t])/g, '$1');
  if (FORBIDDEN_OCTET.test(value)) throw new Error(`the ${name} field holds a line break or NUL`);
  value = value.replace(WHITE_SPACE_RUN, ' ');
  const start = value.startsWith(' ') ? 1 : 0;
  const end = value.length > start && value.endsWith(' ') ? value.length - 1 : value.length;
  return { name, text: `${name}:${value.slice(start, end)}` };
}

/** Returns the relaxed form of a body with CRLF line ends; possibly the input itself or a view of it. */
export function relaxedBody(body: Buffer): Buffer {
  return endWithOneCrlf(reduceWhiteSpace(body));
}

/**
 * Reduces runs of white space to one SP and removes them at line ends. Returns the input itself if nothing
 * changes.
 */
function reduceWhiteSpace(body: Buffer): Buffer {
  const { length } = body;
  const next = body.includes(HTAB) ? nextBlank : nextPair;
  let at = next(body, 0);
  if (at === length) return body;
  const reduced = Buffer.allocUnsafe(length);
  let size = 0;
  let from = 0;
  while (at < length) {
    let end = at + 1;
    while (end < length && isBlank(body[end])) end++;
    const endsLine = end === length || (body[end] === CR && body[end + 1] === LF);
    if (endsLine || end - at > 1 || body[at] === HTAB) {
      size += body.copy(reduced, size, from, at);
      if (!endsLine) reduced[size++] = SP;
      from = end;
    }
    at = next(body, end);
  }
  size += body.copy(reduced, size, from, length);
  return reduced.subarray(0, size);
}

/**
 * Finds the first SP from `from` on that is next to a blank or control character, or the end of the body, in
 * a body without tabs. Most blanks are single and stay. Reads two octets per step with one branch for both,
 * which is rarely taken except at line ends.
 */
function nextPair(body: Buffer, from: number): number {
  const last = body.length - 1;
  let before = PRINTABLE;
  let i = from;
  for (; i < last; i += 2) {
    const octet = body[i] ?? 0;
    const after = body[i + 1] ?? 0;
    // Negative if `octet` is not printable and a neighbor is not either.
    if ((((before - PRINTABLE) | (after - PRINTABLE)) & (octet - PRINTABLE)) < 0) {
      if (before === SP) return i - 1;
      if (octet === SP) return i;
    }
    before = after;
  }
  // At most one octet is left before the end, which counts as a control character.
  if (i > last) return before === SP ? last : body.length;
  if (before === SP && (body[last] ?? 0) < PRINTABLE) return i - 1;
  return body[last] === SP ? last : body.length;
}

function nextBlank(body: Buffer, from: number): number {
  let at = from;
  while (at < body.length && !isBlank(body[at])) at++;
  return at;
}

function isBlank(octet: number | undefined): boolean {
  return octet === SP || octet === HTAB;
}

// Removes blank lines at the end and adds a missing last line end. An empty body stays empty.
function endWithOneCrlf(body: Buffer): Buffer {
  let end = body.length;
  while (end >= 2 && body[end - 2] === CR && body[end - 1] === LF) end -= 2;
  if (end === 0) return EMPTY;
  if (end === body.length) return Buffer.concat([body, CRLF]);
  return body.subarray(0, end + 2);
}

export type DkimAlgorithm = 'rsa-sha256' | 'ed25519-sha256';

export interface DkimSigner {
  /** The d= domain, as A-labels. */
  domain: string;
  selector: string;
  algorithm: DkimAlgorithm;
  /** Reuse the KeyObject, because parsing a PEM costs more than the signature. */
  privateKey: KeyObject;
}

interface SignMessageInput {
  /**
   * The complete header fields from top to bottom, folded with CRLF, without the final line end. One
   * character per octet, as returned by `buffer.toString('latin1')`.
   */
  headerLines: readonly string[];
  /** CRLF line ends. */
  body: Buffer;
  signers: readonly DkimSigner[];
  /** Unix seconds. */
  signedAt: number;
}

/** Fields signed once more than they occur, so that adding one breaks the signature (section 8.15). */
const OVERSIGNED = [
  'from',
  'to',
  'cc',
  'subject',
  'date',
  'message-id',
  'reply-to',
  'sender',
  'mime-version',
  'content-type',
  'content-transfer-encoding',
  'list-unsubscribe',
  'list-unsubscribe-post',
] as const;

/** Fields signed as often as they occur. */
const SIGNED_WHEN_PRESENT = [
  'in-reply-to',
  'references',
  'auto-submitted',
  'feedback-id',
  'list-id',
  'list-help',
  'list-subscribe',
  'list-post',
  'list-owner',
  'list-archive',
  'content-id',
  'content-description',
  'content-disposition',
  'content-language',
  'tls-required',
  'tls-report-domain',
  'tls-report-submitter',
] as const;

const LINE_LIMIT = 76;
const SIGNATURE_LINE = 72;
const DOMAIN = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)+$/i;
const SELECTOR = /^(?=.{1,190}$)[a-z0-9]([a-z0-9_-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9_-]*[a-z0-9])?)*$/i;
const MIN_RSA_BITS = 1024;

/**
 * Returns one folded `DKIM-Signature` field per signer in their order, without a line end, to put above the
 * message. Hashes the body once. Throws rather than omit a signature, because a message that cannot be signed
 * must be held. Blocks during the signatures, a third of a millisecond or more each with RSA.
 */
export function signMessage(input: SignMessageInput): string[] {
  const { signers, signedAt } = input;
  if (!Number.isSafeInteger(signedAt) || signedAt < 0) throw new Error('signedAt is not in Unix seconds');
  for (const signer of signers) checkSigner(signer);
  const header = selectFields(input.headerLines);
  const bodyHash = hash('sha256', relaxedBody(input.body), 'base64');
  return signers.map((signer) => {
    const unsigned = unsignedField(signer, signedAt, header.names, bodyHash);
    const signed = Buffer.from(header.canonical + relaxedField(unsigned).text, 'latin1');
    return foldSignature(unsigned, createSignature(signer, signed));
  });
}

export function checkSigner({ domain, selector, algorithm, privateKey }: DkimSigner): void {
  if (!DOMAIN.test(domain)) throw new Error(`DKIM: ${JSON.stringify(domain)} is not a domain of A-labels`);
  if (!SELECTOR.test(selector)) throw new Error(`DKIM: ${JSON.stringify(selector)} is not a selector`);
  const kind = algorithm === 'rsa-sha256' ? 'rsa' : 'ed25519';
  if (privateKey.type !== 'private' || privateKey.asymmetricKeyType !== kind) {
    throw new Error(`DKIM: ${algorithm} for ${domain} needs a private ${kind} key`);
  }
  const bits = privateKey.asymmetricKeyDetails?.modulusLength ?? 0;
  if (kind === 'rsa' && bits < MIN_RSA_BITS) {
    throw new Error(
      `DKIM: the RSA key of ${domain} has ${bits} bits; verifiers want ${MIN_RSA_BITS} or more`,
    );
  }
}

export interface SelectedFields {
  /** The h= names in order. */
  names: string[];
  /** Their canonical text, each with CRLF. */
  canonical: string;
}

/** Selects the fields to sign, and those of `more` as often as they occur, from the bottom up (section 5.4.2). */
export function selectFields(headerLines: readonly string[], more: readonly string[] = []): SelectedFields {
  const byName = new Map<string, string[]>();
  for (const line of headerLines) {
    const { name, text } = relaxedField(line);
    const same = byName.get(name);
    if (same) same.push(text);
    else byName.set(name, [text]);
  }
  if (!byName.has('from')) throw new Error('DKIM: the message has no From field');
  const names: string[] = [];
  let canonical = '';
  const take = (name: string) => {
    const texts = byName.get(name) ?? [];
    for (let i = texts.length - 1; i >= 0; i--) {
      names.push(name);
      canonical += `${texts[i] ?? ''}\r\n`;
    }
  };
  for (const name of OVERSIGNED) {
    take(name);
    names.push(name);
  }
  for (const name of [...SIGNED_WHEN_PRESENT, ...more]) take(name);
  return { names, canonical };
}

function unsignedField(signer: DkimSigner, signedAt: number, names: string[], bodyHash: string): string {
  const { domain, selector, algorithm } = signer;
  return unsignedForm(`DKIM-Signature: v=1; a=${algorithm}; c=relaxed/relaxed;`, [
    ...[`d=${domain};`, `s=${selector};`, `t=${signedAt};`],
    ...listedNames(names),
    `bh=${bodyHash};`,
  ]);
}

/** Returns the h= tag in pieces, between which the field may be folded. */
export function listedNames(names: readonly string[]): string[] {
  return names.map((name, at) => `${at === 0 ? 'h=' : ''}${name}${at === names.length - 1 ? ';' : ':'}`);
}

/** Builds a folded field with an empty b=, which is the input of the signature. A piece that ends with a colon is continued. */
export function unsignedForm(start: string, pieces: readonly string[]): string {
  let field = start;
  let column = field.length;
  const add = (text: string, separator: string) => {
    if (column + separator.length + text.length > LINE_LIMIT) {
      field += '\r\n ';
      column = 1;
    } else {
      field += separator;
      column += separator.length;
    }
    field += text;
    column += text.length;
  };
  for (const [at, piece] of pieces.entries()) add(piece, pieces[at - 1]?.endsWith(':') ? '' : ' ');
  return `${field}\r\n b=`;
}

export function foldSignature(unsigned: string, signature: Buffer): string {
  const text = signature.toString('base64');
  let field = unsigned + text.slice(0, SIGNATURE_LINE);
  for (let at = SIGNATURE_LINE; at < text.length; at += SIGNATURE_LINE) {
    field += `\r\n ${text.slice(at, at + SIGNATURE_LINE)}`;
  }
  return field;
}

/**
 * Signs on the calling thread, because the thread pool would add a seventh of the time of an RSA signature.
 */
export function createSignature({ algorithm, privateKey }: DkimSigner, data: Buffer): Buffer {
  // Ed25519 signs the SHA-256 of the data that RSA would sign (RFC 8463 section 3).
  return algorithm === 'ed25519-sha256'
    ? sign(null, hash('sha256', data, 'buffer'), privateKey)
    : sign('sha256', data, privateKey);
}

const SELF_TEST = {
  headerLines: [
    'From: Mailkeel <self-test@mailkeel.invalid>',
    'TO:  a@example.org,\r\n\tb@example.org ',
    'Subject: caf\xc3\xa9',
    'X-Not-Signed: 1',
  ],
  body: Buffer.from('One  line\t\r\n \r\n\r\n'),
  signedAt: 1_700_000_000,
  canonicalHeader:
    'from:Mailkeel <self-test@mailkeel.invalid>\r\nto:a@example.org, b@example.org\r\nsubject:caf\xc3\xa9\r\n',
  tags:
    't=1700000000;h=from:from:to:to:cc:subject:subject:date:message-id:reply-to:sender:mime-version:' +
    'content-type:content-transfer-encoding:list-unsubscribe:list-unsubscribe-post;' +
    'bh=4+kUZHJgBtYkgGG6f76euM//OQyJO2zI7D+06kldAN4=;b=',
} as const;

// The published test key of RFC 8463 appendix A.2, as PKCS #8. It only signs the test message above.
const PUBLISHED_TEST_KEY = 'MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g';

/**
 * Signs a fixed message with a published Ed25519 key and with each signer, and checks the results against a
 * canonical text written by hand. Returns the problem, or `null`. If there is a problem, no mail may be sent.
 */
export function dkimSelfTest(signers: readonly DkimSigner[] = []): string | null {
  const published: DkimSigner = {
    domain: 'mailkeel.invalid',
    selector: 'self-test',
    algorithm: 'ed25519-sha256',
    privateKey: createPrivateKey({
      key: Buffer.from(PUBLISHED_TEST_KEY, 'base64'),
      format: 'der',
      type: 'pkcs8',
    }),
  };
  const tested = [published, ...signers];
  try {
    const fields = signMessage({ ...SELF_TEST, signers: tested });
    const broken = tested.find((signer, index) => !selfTestHolds(signer, fields[index] ?? ''));
    return broken ? `the DKIM signature of ${broken.domain} (${broken.algorithm}) does not verify` : null;
  } catch (error) {
    return `DKIM signing failed: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function selfTestHolds({ domain, selector, algorithm, privateKey }: DkimSigner, field: string): boolean {
  const signatureAt = field.indexOf(' b=') + 3;
  const tags = `v=1;a=${algorithm};c=relaxed/relaxed;d=${domain};s=${selector};${SELF_TEST.tags}`;
  if (field.slice(0, signatureAt).replace(/[\r\n ]/g, '') !== `DKIM-Signature:${tags}`) return false;
  const unfolded = field.slice('DKIM-Signature: '.length, signatureAt).replaceAll('\r\n', '');
  const signed = Buffer.from(`${SELF_TEST.canonicalHeader}dkim-signature:${unfolded}`, 'latin1');
  const signature = Buffer.from(field.slice(signatureAt), 'base64');
  const publicKey = createPublicKey(privateKey);
  return algorithm === 'rsa-sha256'
    ? verify('sha256', signed, publicKey, signature)
    : verify(null, hash('sha256', signed, 'buffer'), publicKey, signature);
}
