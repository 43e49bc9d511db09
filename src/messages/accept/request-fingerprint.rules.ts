// The fingerprint by which two requests with one idempotency key are the same request.
import { hash } from 'node:crypto';
import { canonicalJson, type QuoteText } from '../../lib/json/index.js';

/** Defaults of fields: a field that is given with its default makes the same request as one that is left out. */
const DEFAULTS: Readonly<Record<string, unknown>> = {
  type: 'transactional',
  priority: 'normal',
  require_tls: false,
  render: true,
  require_variables: false,
  metadata: {},
  headers: {},
};
const WRITTEN_DEFAULTS = new Map(
  Object.entries(DEFAULTS).map(([key, value]) => [key, JSON.stringify(value)]),
);
/** Fields in which a list of one mailbox says the same as that mailbox. */
const MAILBOXES = ['to', 'cc', 'bcc', 'reply_to'];
/** Fields that may also come as a header, and are compared by themselves. */
const APART = ['idempotency_key', 'sub_tenant_id'];

/** Hex SHA-256 of a validated request body. The order of keys does not matter; fields at their defaults do not count. */
export function requestFingerprint(body: Readonly<Record<string, unknown>>, quote?: QuoteText): string {
  const counted = Object.entries(body)
    .filter(([key, value]) => !APART.includes(key) && value !== undefined && !isDefault(key, value))
    .map(([key, value]) => [key, MAILBOXES.includes(key) ? withoutList(value) : value] as const);
  return hash('sha256', canonicalJson(Object.fromEntries(counted), quote), 'hex');
}

function withoutList(value: unknown): unknown {
  return Array.isArray(value) && value.length === 1 ? (value[0] as unknown) : value;
}

function isDefault(key: string, value: unknown): boolean {
  const written = WRITTEN_DEFAULTS.get(key);
  if (written === undefined) return false;
  // Only an empty object or a plain value can be one.
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) === written;
  return written === '{}' && !Array.isArray(value) && Object.keys(value).length === 0;
}
