// Verifies webhooks in both signature formats, the service's own (Service-Signature) and Standard Webhooks 1.0, and signs bodies to
// test a receiver.
import { fromBase64, toBase64 } from './base64.js';
import { InputError, SignatureError } from './errors.js';
import { hmacSha256, isSameOctets } from './sha256.js';
import type { WebhookEvent } from './types.js';

/** The raw request body. A body that was parsed and serialized again has different bytes and does not verify. */
export type RawBody = string | Uint8Array | ArrayBuffer;
/** Request headers from fetch or Node, or the value of Service-Signature. */
export type SignedHeaders =
  | string
  | Headers
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** Maximum difference in seconds between the signature's timestamp and now. Defaults to 300. */
  toleranceSeconds?: number;
  /** Time to compare the timestamp with. Defaults to now. */
  now?: Date;
}

export interface SignOptions {
  /** Timestamp of the signature. Defaults to now. */
  timestamp?: Date;
  /** ID of the delivery. */
  id?: string;
}

/** A signed request: the octets that were signed, its signatures, and how a secret becomes a key. */
interface Signed {
  octets: Uint8Array<ArrayBuffer>;
  signatures: Uint8Array[];
  keyOf: (secret: string) => Uint8Array<ArrayBuffer>;
}

const TOLERANCE_SECONDS = 300;
const MAX_HEADER = 4096;
const SECRET_PREFIX = 'whsec_';
const encoder = new TextEncoder();

export const webhooks = {
  /**
   * Verifies the signature of a webhook request and returns its event. Throws SignatureError if verification fails.
   * Pass several secrets while you rotate a secret: the request is accepted if one of them matches.
   *
   * @example
   * const event = await webhooks.verify(await request.text(), request.headers, 'whsec_…');
   * if (event.event === 'message.bounced') console.log(event.data.id);
   */
  async verify(
    rawBody: RawBody,
    headers: SignedHeaders,
    secret: string | readonly string[],
    options: VerifyOptions = {},
  ): Promise<WebhookEvent> {
    const secrets = readSecrets(secret);
    const body = octetsOf(rawBody);
    const { octets, signatures, keyOf } = readSigned(body, headers, options);
    const macs = await Promise.all(secrets.map((one) => mac(keyOf(one), octets)));
    return judged(body, signatures, macs);
  },

  /**
   * Synchronous version of `verify`. Slower for large bodies.
   *
   * @example
   * const event = webhooks.verifySync(rawBody, request.headers, ['whsec_new…', 'whsec_old…']);
   */
  verifySync(
    rawBody: RawBody,
    headers: SignedHeaders,
    secret: string | readonly string[],
    options: VerifyOptions = {},
  ): WebhookEvent {
    const secrets = readSecrets(secret);
    const body = octetsOf(rawBody);
    const { octets, signatures, keyOf } = readSigned(body, headers, options);
    return judged(
      body,
      signatures,
      secrets.map((one) => hmacSha256(keyOf(one), octets)),
    );
  },

  /**
   * Returns the headers of a genuine delivery of a body, with both signature formats. Use it to test your receiver.
   *
   * @example
   * const headers = webhooks.sign(JSON.stringify({ event: 'message.sent' }), 'whsec_dGVzdA==');
   */
  sign(
    rawBody: RawBody,
    secret: string | readonly string[],
    { timestamp = new Date(), id = 'whd_test' }: SignOptions = {},
  ): Record<'service-signature' | 'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
    const seconds = String(Math.floor(timestamp.getTime() / 1000));
    const secrets = readSecrets(secret);
    const body = octetsOf(rawBody);
    const own = joined(`${seconds}.`, body);
    const standard = joined(`${id}.${seconds}.`, body);
    const hexes = secrets.map((one) => `v1=${toHex(hmacSha256(encoder.encode(one), own))}`);
    const texts = secrets.map((one) => `v1,${toBase64(hmacSha256(standardKey(one), standard))}`);
    return {
      'service-signature': [`t=${seconds}`, ...hexes].join(','),
      'webhook-id': id,
      'webhook-timestamp': seconds,
      'webhook-signature': texts.join(' '),
    };
  },
};

function readSecrets(secret: string | readonly string[]): readonly string[] {
  const secrets: readonly unknown[] = typeof secret === 'string' ? [secret] : secret;
  const isRight =
    Array.isArray(secrets) &&
    secrets.length > 0 &&
    secrets.every((one) => typeof one === 'string' && one !== '');
  if (!isRight) {
    throw new InputError([
      { path: 'secret', message: 'secret is missing. Pass the signing secret (whsec_…).' },
    ]);
  }
  return secrets as readonly string[];
}

function octetsOf(rawBody: RawBody): Uint8Array<ArrayBuffer> {
  if (typeof rawBody === 'string') return encoder.encode(rawBody);
  if (ArrayBuffer.isView(rawBody)) return Uint8Array.from(rawBody);
  if (rawBody instanceof ArrayBuffer) return new Uint8Array(rawBody);
  const message = 'rawBody must be the text or bytes of the request body, not a parsed object.';
  throw new InputError([{ path: 'rawBody', message }]);
}

function readSigned(
  body: Uint8Array<ArrayBuffer>,
  headers: SignedHeaders,
  { toleranceSeconds = TOLERANCE_SECONDS, now = new Date() }: VerifyOptions,
): Signed {
  const own = typeof headers === 'string' ? headers : headerOf(headers, 'service-signature');
  const signed = own === null ? readStandard(body, headers) : readOwn(body, own);
  const age = Math.abs(now.getTime() / 1000 - Number(signed.seconds));
  if (!(age <= toleranceSeconds)) {
    throw new SignatureError(
      'bad_time',
      `The timestamp of the signature is more than ${toleranceSeconds} s from the current time. The request was replayed, or a clock is wrong.`,
    );
  }
  return signed;
}

function readOwn(body: Uint8Array<ArrayBuffer>, header: string): Signed & { seconds: string } {
  const parts = header.length > MAX_HEADER ? [] : header.split(',').map((part) => part.trim());
  const times = parts.filter((part) => part.startsWith('t='));
  const seconds = /^t=(\d{1,12})$/.exec(times[0] ?? '')?.[1];
  if (times.length !== 1 || seconds === undefined) {
    throw new SignatureError('no_signature', 'The Service-Signature header does not have the form t=…,v1=….');
  }
  const hexes = parts.flatMap((part) => /^v1=([0-9a-f]{64})$/.exec(part)?.[1] ?? []);
  const keyOf = (secret: string): Uint8Array<ArrayBuffer> => encoder.encode(secret);
  return { seconds, octets: joined(`${seconds}.`, body), signatures: hexes.map(fromHex), keyOf };
}

function readStandard(
  body: Uint8Array<ArrayBuffer>,
  headers: Exclude<SignedHeaders, string> | string,
): Signed & { seconds: string } {
  const [id, seconds, signature] = ['id', 'timestamp', 'signature'].map((name) =>
    typeof headers === 'string' ? null : headerOf(headers, `webhook-${name}`),
  );
  const isWhole = typeof id === 'string' && typeof signature === 'string' && /^\d{1,12}$/.test(seconds ?? '');
  if (!isWhole || signature.length > MAX_HEADER || typeof seconds !== 'string') {
    throw new SignatureError(
      'no_signature',
      'The request has neither a Service-Signature header nor webhook-… headers.',
    );
  }
  const signatures = signature
    .split(' ')
    .flatMap((part) => (part.startsWith('v1,') ? (fromBase64(part.slice(3)) ?? []) : []));
  return { seconds, octets: joined(`${id}.${seconds}.`, body), signatures, keyOf: standardKey };
}

function headerOf(headers: Exclude<SignedHeaders, string>, name: string): string | null {
  // Callers that do not use the types may pass no headers at all.
  if (typeof (headers as unknown) !== 'object' || (headers as unknown) === null) return null;
  if (isHeaders(headers)) return headers.get(name);
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof value === 'string' ? value : (value?.[0] ?? null);
}

/** Returns whether `headers` has the methods of Headers. Accepts the class of another realm or package, too. */
function isHeaders(headers: Exclude<SignedHeaders, string>): headers is Headers {
  return typeof headers.get === 'function';
}

/** Returns the key, which the secret contains in base64 after its prefix. */
function standardKey(secret: string): Uint8Array<ArrayBuffer> {
  const text = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret;
  const key = fromBase64(text.replaceAll('-', '+').replaceAll('_', '/'));
  // Anybody could sign with an empty key.
  if (key !== null && key.length > 0) return key;
  throw new InputError([{ path: 'secret', message: 'secret does not have the form whsec_<base64>.' }]);
}

async function mac(key: Uint8Array<ArrayBuffer>, octets: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const terms = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', key, terms, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, octets));
}

/** Compares every signature with the signature of every secret, so that the duration does not reveal which one matches. */
function judged(
  body: Uint8Array,
  signatures: readonly Uint8Array[],
  macs: readonly Uint8Array[],
): WebhookEvent {
  const fits = signatures.flatMap((one) => macs.map((other) => isSameOctets(other, one)));
  if (!fits.includes(true)) {
    throw new SignatureError(
      'bad_signature',
      'No signature matches. Check the secret, and pass the request body without changes.',
    );
  }
  const event = parsed(new TextDecoder().decode(body));
  if (typeof event !== 'object' || event === null || !('event' in event)) {
    throw new SignatureError('bad_body', 'The signature is valid, but the body is not an event.');
  }
  // signed by the appliance, which writes nothing else
  return event as WebhookEvent;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

function joined(start: string, rest: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = encoder.encode(start);
  const octets = new Uint8Array(head.length + rest.length);
  octets.set(head);
  octets.set(rest, head.length);
  return octets;
}

export function toHex(octets: Uint8Array): string {
  return Array.from(octets, (octet) => octet.toString(16).padStart(2, '0')).join('');
}

function fromHex(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
