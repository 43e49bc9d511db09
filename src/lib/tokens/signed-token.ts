// Signs tokens that carry an id: the id, the key id and a truncated HMAC-SHA256 in lower-case Crockford
// base32. Tokens survive mail systems that change the case.
import { hash, timingSafeEqual } from 'node:crypto';

export interface TokenKey {
  /** 0 to 31. It takes one character, so that old tokens find their key after a rotation. */
  id: number;
  secret: Buffer;
}

export interface TokenKind {
  /** Separates the uses of a key, so that a token of one kind is never valid as another. */
  label: string;
  /** Bytes of the signature; each character holds five bits. */
  macBytes: number;
}

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const ID_PREFIX = 'msg_';
const ID_LENGTH = 26;

function base32(bytes: Buffer): string {
  let text = '';
  let held = 0;
  let bits = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += ALPHABET.charAt((held >> bits) & 31);
    }
    held &= (1 << bits) - 1;
  }
  return bits > 0 ? text + ALPHABET.charAt((held << (5 - bits)) & 31) : text;
}

function sign(kind: TokenKind, key: TokenKey, context: string, idText: string): string {
  const message = `${kind.label}\0${key.id}\0${context}\0${idText}`;
  return base32(hmacSha256(key.secret, message).subarray(0, kind.macBytes));
}

const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;

interface Pads {
  inner: Buffer;
  /** With room for the inner digest after it. */
  outer: Buffer;
}

const padsOf = new WeakMap<Buffer, Pads>();

/**
 * Computes HMAC (RFC 2104) with one-shot hashes over prepared pads. Every delivery makes three, and an Hmac
 * object takes twice as long, plus garbage collection.
 */
function hmacSha256(secret: Buffer, message: string): Buffer {
  let pads = padsOf.get(secret);
  if (!pads) padsOf.set(secret, (pads = padsFor(secret)));
  const { inner, outer } = pads;
  outer.write(hash('sha256', Buffer.concat([inner, Buffer.from(message)]), 'hex'), BLOCK_BYTES, 'hex');
  return Buffer.from(hash('sha256', outer, 'hex'), 'hex');
}

function padsFor(secret: Buffer): Pads {
  const key = secret.length > BLOCK_BYTES ? hash('sha256', secret, 'buffer') : secret;
  const inner = Buffer.alloc(BLOCK_BYTES, 0x36);
  const outer = Buffer.alloc(BLOCK_BYTES + DIGEST_BYTES, 0x5c);
  key.forEach((octet, i) => {
    inner[i] = octet ^ 0x36;
    outer[i] = octet ^ 0x5c;
  });
  return { inner, outer };
}

/**
 * Signs a message id (`msg_` and 26 characters) for the given context. Throws for another kind of id, and for
 * a key id that does not fit one character.
 */
export function signMessageToken(kind: TokenKind, key: TokenKey, context: string, messageId: string): string {
  const idText = messageId.slice(ID_PREFIX.length);
  if (!messageId.startsWith(ID_PREFIX) || !isBase32(idText, ID_LENGTH)) {
    throw new Error('not a message id');
  }
  return writeToken(kind, key, context, idText);
}

/** Signs a text in lower-case base32. Throws for other text. */
export function signTextToken(kind: TokenKind, key: TokenKey, text: string): string {
  if (!isBase32(text, text.length)) throw new Error('not base32');
  return writeToken(kind, key, '', text);
}

/**
 * Returns the text, `length` characters long, of a token signed by one of the keys, in any case; otherwise
 * `null`.
 */
export function readTextToken(
  kind: TokenKind,
  keys: readonly TokenKey[],
  length: number,
  token: string,
): string | null {
  return read(kind, keys, '', { token, length });
}

function writeToken(kind: TokenKind, key: TokenKey, context: string, text: string): string {
  const keyCharacter = Number.isInteger(key.id) ? ALPHABET.charAt(key.id) : '';
  if (keyCharacter === '') throw new Error('a token key id is 0 to 31');
  return `${text}${keyCharacter}${sign(kind, key, context, text)}`;
}

/**
 * Returns the message id of a token signed by one of the keys in this context, in any case; otherwise `null`.
 */
export function readMessageToken(
  kind: TokenKind,
  keys: readonly TokenKey[],
  context: string,
  token: string,
): string | null {
  const idText = read(kind, keys, context, { token, length: ID_LENGTH });
  return idText === null ? null : `${ID_PREFIX}${idText}`;
}

function read(
  kind: TokenKind,
  keys: readonly TokenKey[],
  context: string,
  { token, length }: { token: string; length: number },
): string | null {
  const macLength = Math.ceil((kind.macBytes * 8) / 5);
  // Checked before folding, because letters such as the Kelvin sign fold into ASCII.
  if (/[^0-9A-Za-z]/.test(token)) return null;
  const lower = token.toLowerCase();
  if (!isBase32(lower, length + 1 + macLength)) return null;
  const text = lower.slice(0, length);
  const keyId = ALPHABET.indexOf(lower.charAt(length));
  const key = keys.find((one) => one.id === keyId);
  if (key === undefined) return null;
  const given = Buffer.from(lower.slice(length + 1), 'latin1');
  const expected = Buffer.from(sign(kind, key, context, text), 'latin1');
  return timingSafeEqual(given, expected) ? text : null;
}

function isBase32(text: string, length: number): boolean {
  return text.length === length && /^[0-9a-hjkmnp-tv-z]*$/.test(text);
}
