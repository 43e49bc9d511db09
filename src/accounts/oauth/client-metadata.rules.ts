// Metadata of OAuth clients: a registration (RFC 7591), or the document at the URL that is the client's ID
// (draft-ietf-oauth-client-id-metadata-document). All clients are public; PKCE protects their codes.
import { OauthError } from './oauth-error.rules.js';
import { redirectUriProblem } from './redirect-uri.rules.js';

const MAX_REDIRECT_URIS = 20;
const MAX_NAME = 80;
const MAX_ID = 500;

export interface OauthClient {
  id: string;
  /** The client's own claim; null if it has no name. */
  name: string | null;
  redirectUris: readonly string[];
  /** Host of the client's metadata document, which proves who operates it. Null for a registered client. */
  verifiedHost: string | null;
}

type Metadata = Pick<OauthClient, 'name' | 'redirectUris'>;

/** Reads a registration. Unknown fields are ignored, as RFC 7591 requires. */
export function readRegistration(body: unknown): Metadata {
  const fields = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const { redirect_uris: uris, client_name: name } = fields;
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > MAX_REDIRECT_URIS) {
    throw new OauthError(
      'invalid_redirect_uri',
      `redirect_uris must be a list of 1 to ${MAX_REDIRECT_URIS} URIs.`,
    );
  }
  const redirectUris = uris.map((uri: unknown) => {
    const problem = typeof uri === 'string' ? redirectUriProblem(uri) : 'is not a text';
    if (problem !== null) throw new OauthError('invalid_redirect_uri', `A redirect URI ${problem}.`);
    return String(uri);
  });
  if (name !== undefined && typeof name !== 'string') {
    throw new OauthError('invalid_client_metadata', 'client_name must be a text.');
  }
  return { name: shownName(name), redirectUris };
}

/** Returns the reason why a client ID cannot be the URL of a document; null if it can. */
export function clientUrlProblem(id: string): string | null {
  if (id.length > MAX_ID || !URL.canParse(id)) return 'is not a URL';
  const url = new URL(id);
  if (url.protocol !== 'https:') return 'is not an https URL';
  // A URL in another spelling than the parser's has dots, a default port or capitals in its host.
  if (url.href !== id || url.pathname === '/') return 'is not a URL in its normal form with a path';
  if (url.hash !== '' || url.username !== '' || url.password !== '') return 'has a fragment or credentials';
  return null;
}

/** Reads the document at a client's URL. Throws an `OauthError` if it cannot be used. */
export function readClientDocument(id: string, body: string): OauthClient {
  const document = parsed(body);
  if (document === null || document['client_id'] !== id) {
    throw new OauthError('invalid_client', "The document at the client's URL does not have this client_id.");
  }
  const method = document['token_endpoint_auth_method'] ?? 'none';
  if (method !== 'none') {
    throw new OauthError(
      'invalid_client',
      'Only clients with the token_endpoint_auth_method none are supported.',
    );
  }
  return { id, ...readRegistration(document), verifiedHost: new URL(id).host };
}

function parsed(body: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** One line without control and format characters, which could hide or reverse text. */
function shownName(name: string | undefined): string | null {
  const line = (name ?? '').replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return line === '' ? null : Array.from(line).slice(0, MAX_NAME).join('');
}
