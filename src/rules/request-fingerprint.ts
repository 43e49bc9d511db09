// What makes two requests with one idempotency key the same request.
import { createHash } from 'node:crypto';
import { canonicalJson } from '../mail/canonical-json.js';

/**
 * Hex SHA-256 of a validated request body. The order of keys does not matter, nor does the idempotency key
 * itself (it may come as a field or a header); absent and undefined fields are the same.
 */
export function requestFingerprint(body: Readonly<Record<string, unknown>>): string {
  const counted = Object.entries(body).filter(
    ([key, value]) => key !== 'idempotency_key' && value !== undefined,
  );
  return createHash('sha256')
    .update(canonicalJson(Object.fromEntries(counted)))
    .digest('hex');
}
