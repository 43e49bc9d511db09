// Computes the signatures of webhooks: Mailkeel's header Service-Signature, `t=<unix seconds>,v1=<hex>`, HMAC-SHA256 over `<t>.<raw
// body>`; and those of Standard Webhooks 1.0, `v1,<base64>`, HMAC-SHA256 over `<id>.<unix seconds>.<raw body>`.
import { createHmac, timingSafeEqual } from 'node:crypto';

const TOLERANCE_SECONDS = 300;
const MAX_HEADER = 2048;

function hmac(
  secret: string,
  timestamp: number,
  rawBody: string | Uint8Array,
): ReturnType<typeof createHmac> {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(rawBody);
}

/**
 * Returns the header's value. `timestamp` is in Unix seconds. The key is the whole secret text, including `whsec_`. With several
 * secrets (a rotation), each adds a `v1=`, in their order.
 */
export function signWebhook(input: {
  secret: string | readonly string[];
  timestamp: number;
  rawBody: string | Uint8Array;
}): string {
  const secrets = typeof input.secret === 'string' ? [input.secret] : input.secret;
  const timestamp = Math.floor(input.timestamp);
  const parts = secrets.map((secret) => `v1=${hmac(secret, timestamp, input.rawBody).digest('hex')}`);
  return [`t=${timestamp}`, ...parts].join(',');
}

/**
 * True when one of the header's signatures fits and its time is within 300 s of `now` (unix seconds). Never
 * throws.
 */
export function verifyWebhook(input: {
  secret: string;
  header: string;
  rawBody: string | Uint8Array;
  now: number;
  toleranceSeconds?: number;
}): boolean {
  if (input.header.length > MAX_HEADER) return false;
  const parts = input.header.split(',').map((part) => part.trim());
  const times = parts.filter((part) => part.startsWith('t='));
  const time = /^t=(\d{1,12})$/.exec(times[0] ?? '')?.[1];
  if (times.length !== 1 || time === undefined) return false;
  const timestamp = Number(time);
  if (Math.abs(input.now - timestamp) > (input.toleranceSeconds ?? TOLERANCE_SECONDS)) return false;
  const expected = hmac(input.secret, timestamp, input.rawBody).digest();
  let isValid = false;
  for (const part of parts) {
    const hex = /^v1=([0-9a-f]{64})$/.exec(part)?.[1];
    if (hex !== undefined && timingSafeEqual(Buffer.from(hex, 'hex'), expected)) isValid = true;
  }
  return isValid;
}

const SECRET_PREFIX = 'whsec_';

/**
 * Returns the headers of Standard Webhooks for one delivery, with the same `id` for all its attempts and `timestamp` in Unix
 * seconds. The key is the base64 part of the secret after its prefix. With several secrets (a rotation), each adds a signature.
 */
export function standardHeaders(input: {
  secrets: readonly string[];
  id: string;
  timestamp: number;
  rawBody: string;
}): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const timestamp = String(Math.floor(input.timestamp));
  const signatures = input.secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
    const signed = `${input.id}.${timestamp}.${input.rawBody}`;
    return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  });
  return {
    'webhook-id': input.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
