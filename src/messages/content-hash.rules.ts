// Hashes of a message's content, for its object and its proof, and of a request, for its idempotency key.
import { hash } from 'node:crypto';
import { canonicalJson, type QuoteText } from '../lib/json/index.js';

interface HashedContent {
  subject: string;
  from: { email: string; name: string | null };
  to: { email: string; name: string | null };
  html: string | null;
  text: string | null;
  /** Lower-case hex SHA-256 of each attachment, in their order. */
  attachments: readonly string[];
}

/**
 * `sha256:` and the hex digest of the content's RFC 8785 text, which is built here in key order because every
 * accepted message passes through; the result equals that of canonicalJson.
 */
export function contentHash(content: HashedContent, quote: QuoteText = JSON.stringify): string {
  const { attachments, from, html, subject, text, to } = content;
  const quoted = (body: string | null): string => (body === null ? 'null' : quote(body));
  const mailbox = ({ email, name }: HashedContent['from']): string => JSON.stringify({ email, name });
  const canonical =
    `{"attachments":${JSON.stringify(attachments)},"from":${mailbox(from)},"html":${quoted(html)},` +
    `"subject":${JSON.stringify(subject)},"text":${quoted(text)},"to":${mailbox(to)}}`;
  return `sha256:${hash('sha256', canonical, 'hex')}`;
}

/** Defaults of fields. A field given with its default makes the same request as an omitted field. */
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
/** Fields that may also come as a header, and are compared separately. */
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
