// What makes two requests with one idempotency key the same request.
import { hash } from 'node:crypto';
import { canonicalJson } from '../mail/canonical-json.js';

/**
 * Hex SHA-256 of a validated request body. The order of keys does not matter, nor do the idempotency key and the
 * sub-tenant (they may come as a field or a header, and are compared by themselves); absent and undefined fields are
 * the same.
 */
export function requestFingerprint(body: Readonly<Record<string, unknown>>): string {
  const counted = Object.entries(body).filter(
    ([key, value]) => key !== 'idempotency_key' && key !== 'sub_tenant_id' && value !== undefined,
  );
  return hash('sha256', canonicalJson(Object.fromEntries(counted)), 'hex');
}
