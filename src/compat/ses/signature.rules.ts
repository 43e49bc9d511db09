// Signatures of requests by AWS Signature Version 4 in the Authorization header: AWS4-HMAC-SHA256, without streams and chunks.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

const ALGORITHM = 'AWS4-HMAC-SHA256';
const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 +Credential=([\w.-]{1,128})\/(\d{8})\/([a-z0-9-]{1,50})\/([a-z0-9-]{1,50})\/aws4_request *, *SignedHeaders=([a-z0-9;_.-]{1,2000}) *, *Signature=([0-9a-f]{64}) *$/;
const TIME = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;

/** The parts of an Authorization header. */
export interface Authorization {
  accessKeyId: string;
  /** `YYYYMMDD`. */
  date: string;
  region: string;
  service: string;
  /** Names of the signed headers, in lower case. */
  signedHeaders: readonly string[];
  /** Hexadecimal. */
  signature: string;
}

/** Returns null if the header is malformed. */
export function parseAuthorization(header: string): Authorization | null {
  const [, accessKeyId, date, region, service, signedHeaders, signature] = AUTHORIZATION.exec(header) ?? [];
  if (!accessKeyId || !date || !region || !service || !signedHeaders || !signature) return null;
  return { accessKeyId, date, region, service, signedHeaders: signedHeaders.split(';'), signature };
}

/** Returns the epoch ms of a time such as `20261127T140500Z`; null if it is malformed. */
export function parseAmzDate(text: string): number | null {
  const [, year, month, day, hour, minute, second] = TIME.exec(text) ?? [];
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(at) ? null : at;
}

/** A request as its client signed it. */
export interface SignedRequest {
  method: string;
  /** Path as sent, with percent-encoding. */
  path: string;
  /** Query as sent, without the question mark. */
  query: string;
  /** Returns the values of a header, in order. */
  headerValues: (name: string) => readonly string[];
  /** The value of X-Amz-Date. */
  amzDate: string;
  /** Hash of the body, in hexadecimal. */
  bodyHash: string;
}

/** Whether the holder of the secret signed the request. */
export function isSignedBy(secret: string, authorization: Authorization, request: SignedRequest): boolean {
  const { date, region, service, signature } = authorization;
  const scope = `${date}/${region}/${service}/aws4_request`;
  const hash = sha256(canonicalRequest(authorization, request));
  const text = [ALGORITHM, request.amzDate, scope, hash].join('\n');
  const key = [date, region, service, 'aws4_request'].reduce<Buffer | string>(hmac, `AWS4${secret}`);
  return timingSafeEqual(hmac(key, text), Buffer.from(signature, 'hex'));
}

export function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex');
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

/** Returns the text whose hash is signed. */
export function canonicalRequest(
  { signedHeaders }: Pick<Authorization, 'signedHeaders'>,
  { method, path, query, headerValues, bodyHash }: SignedRequest,
): string {
  const headers = signedHeaders.map((name) => {
    const values = headerValues(name).map((value) => value.trim().replaceAll(/ {2,}/g, ' '));
    return `${name}:${values.join(',')}\n`;
  });
  return [
    method,
    canonicalPath(path),
    canonicalQuery(query),
    headers.join(''),
    signedHeaders.join(';'),
    bodyHash,
  ].join('\n');
}

/** Resolves dots and doubled slashes, and encodes the path, which the client has encoded once, again. */
function canonicalPath(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(encoded(part));
  }
  const end = path.endsWith('/') && parts.length > 0 ? '/' : '';
  return `/${parts.join('/')}${end}`;
}

/** Sorts the parameters by name, then by value, in their encoded form. */
function canonicalQuery(query: string): string {
  const pairs = query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const equals = pair.indexOf('=');
      const [name, value] = equals < 0 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)];
      return [encoded(decoded(name)), encoded(decoded(value))] as const;
    });
  const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  return pairs
    .sort(([a, x], [b, y]) => compare(a, b) || compare(x, y))
    .map((pair) => pair.join('='))
    .join('&');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // The client did not encode it either.
    return text;
  }
}

/** Encodes all but letters, digits, `-`, `.`, `_` and `~`. */
function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
