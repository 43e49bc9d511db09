// Secrets of webhook endpoints: the signing secrets, which are created and replaced here, and the username and password of their
// URLs. All are encrypted with the master key.
import { randomBytes } from 'node:crypto';
import { invalidFields } from '../contract/refusal.js';
import { openSecret, sealSecret } from '../lib/secrets/index.js';
import type { WebhookEndpoint } from './webhooks.tables.js';

const SECRET_BYTES = 32;

/** Secrets that sign the deliveries of an endpoint: the current one and, until a time (epoch ms), the previous one. */
export interface EndpointSecrets {
  current: string;
  previous: { secret: string; until: number } | null;
  /** The value of the Authorization header. `null` if the URL has no credentials. */
  authorization: string | null;
}

type EndpointSecretColumns = Pick<
  WebhookEndpoint,
  'secret_sealed' | 'previous_secret_sealed' | 'previous_secret_until'
>;

/** A new `whsec_…`, to be shown once, and its sealed form for the endpoint's row. */
export function newEndpointSecret(masterKey: Buffer, endpointId: string): { secret: string; sealed: string } {
  const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
  return { secret, sealed: sealSecret(masterKey, Buffer.from(secret), contextOf(endpointId)) };
}

/** Returns the secret as shown. Throws SecretError if this master key does not decrypt it. */
export function openEndpointSecret(masterKey: Buffer, endpointId: string, sealed: string): string {
  return openSecret(masterKey, sealed, contextOf(endpointId)).toString();
}

/** Opens the secrets of an endpoint's row. Throws SecretError when one of them does not open. */
export function openEndpointSecrets(
  masterKey: Buffer,
  endpoint: Pick<WebhookEndpoint, 'id' | 'credentials_sealed'> & EndpointSecretColumns,
): EndpointSecrets {
  const { id, secret_sealed, previous_secret_sealed: sealed, previous_secret_until: until } = endpoint;
  const { credentials_sealed: credentials } = endpoint;
  return {
    current: openEndpointSecret(masterKey, id, secret_sealed),
    previous:
      sealed === null || until === null ? null : { secret: openEndpointSecret(masterKey, id, sealed), until },
    authorization:
      credentials === null
        ? null
        : `Basic ${openSecret(masterKey, credentials, credentialsContextOf(id)).toString('base64')}`,
  };
}

/** Replaces the user name and password in URLs that people see. */
const MASK = '***';

/**
 * Returns the columns of a URL that may contain a username and password. A mask keeps the endpoint's existing ones, for the same
 * origin only. Refused with `validation_error` if a mask replaces nothing.
 */
export function urlColumns(
  masterKey: Buffer,
  endpoint: Pick<WebhookEndpoint, 'id' | 'url' | 'credentials_sealed'>,
  text: string,
): Pick<WebhookEndpoint, 'url' | 'credentials_sealed'> {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.username === '' && url.password === '')) {
    return { url: text, credentials_sealed: null };
  }
  const [user, password] = [url.username, url.password].map(decoded);
  url.username = '';
  url.password = '';
  // Postmark's API shows a mask for each of the two.
  if (user === MASK && (password === '' || password === MASK)) {
    if (endpoint.credentials_sealed === null || url.origin !== new URL(endpoint.url).origin) {
      const message = `has ${MASK} instead of a username and password, but the address has changed. Pass the username and password`;
      throw invalidFields([{ path: 'url', message }]);
    }
    return { url: url.href, credentials_sealed: endpoint.credentials_sealed };
  }
  const problem = [user, password].includes(MASK)
    ? `has ${MASK} instead of a username or password. Pass both`
    : user?.includes(':') === true
      ? 'has a colon in the username, which Basic authentication does not allow'
      : null;
  if (problem !== null) throw invalidFields([{ path: 'url', message: problem }]);
  const credentials = Buffer.from(`${user}:${password}`);
  return {
    url: url.href,
    credentials_sealed: sealSecret(masterKey, credentials, credentialsContextOf(endpoint.id)),
  };
}

/** The URL as people see it. */
export function maskedUrl({
  url,
  credentials_sealed,
}: Pick<WebhookEndpoint, 'url' | 'credentials_sealed'>): string {
  return credentials_sealed === null ? url : url.replace('://', `://${MASK}@`);
}

/** The URL as people see it, from the URL as they write it. */
export function shownUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.username === '' && url.password === '')) return text;
  url.username = MASK;
  url.password = '';
  return url.href;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A lone per cent sign.
    return text;
  }
}

/** Returns the columns after a rotation: the current secret keeps signing for `overlapMs`, and an older one stops. */
export function rotatedColumns(
  sealed: string,
  before: EndpointSecretColumns,
  at: { now: number; overlapMs: number },
): EndpointSecretColumns {
  const hasOverlap = at.overlapMs > 0;
  return {
    secret_sealed: sealed,
    previous_secret_sealed: hasOverlap ? before.secret_sealed : null,
    previous_secret_until: hasOverlap ? at.now + at.overlapMs : null,
  };
}

function credentialsContextOf(endpointId: string): string {
  return `webhook-credentials:${endpointId}`;
}

function contextOf(endpointId: string): string {
  return `webhook-secret:${endpointId}`;
}
