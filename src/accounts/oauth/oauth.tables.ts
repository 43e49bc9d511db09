// Tables of connected applications (OAuth 2.1): registered clients, authorization codes and tokens. A grant is an API key.
import type { Mode } from '../../contract/names.js';
import { blob, instant, int, json, nullable, type RowOf, table, text } from '../../database/columns.js';

/** A client that registered itself (RFC 7591). Clients with a metadata document have no row. */
export const oauthClients = table('oauth_clients', {
  id: text(),
  /** The client's own claim. */
  name: nullable(text()),
  redirect_uris: json(),
  /** `clientNetwork` of the address that registered it. */
  network: text(),
  /** A client that was never connected is deleted after a day. */
  expires_at: instant(),
  created_at: instant(),
});
export type RegisteredClient = RowOf<typeof oauthClients>;

/** An approval by a person. The API key is created when the client exchanges the code. */
export const oauthCodes = table('oauth_codes', {
  /** SHA-256 of the code. */
  code_hash: blob(),
  client_id: text(),
  client_name: text(),
  redirect_uri: text(),
  /** SHA-256 of the client's verifier in base64url (RFC 7636). */
  code_challenge: text(),
  user_id: text(),
  workspace_id: text(),
  mode: text<Mode>(),
  permission: text<'read' | 'send'>(),
  /** JSON of `SendPolicy`. */
  policy: nullable(json()),
  /** The grant. Null until the code is exchanged. */
  api_key_id: nullable(text()),
  expires_at: instant(),
  created_at: instant(),
});
export type OauthCode = RowOf<typeof oauthCodes>;

export const oauthTokens = table('oauth_tokens', {
  /** SHA-256 of the token. */
  token_hash: blob(),
  kind: text<'access' | 'refresh'>(),
  /** The grant. */
  api_key_id: text(),
  client_id: text(),
  /** 1 if a refresh token was exchanged for the next one. */
  is_used: int(),
  expires_at: instant(),
  created_at: instant(),
});
export type OauthToken = RowOf<typeof oauthTokens>;
