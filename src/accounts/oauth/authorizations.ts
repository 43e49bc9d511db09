// Requests of OAuth clients for access, and the decision of a signed-in person about them (OAuth 2.1 section 4.1).
import { Refusal } from '../../contract/refusal.js';
import type { Mode } from '../../contract/names.js';
import type { SendPolicy } from '../../contract/send-policy.js';
import type { Clock } from '../../lib/runtime/index.js';
import { insert } from '../../database/rows.js';
import { newToken } from '../sign-in/tokens.js';
import type { AccountStores } from '../stores.js';
import type { OauthClient } from './client-metadata.rules.js';
import type { OauthClients } from './clients.js';
import { OauthError } from './oauth-error.rules.js';
import { oauthCodes } from './oauth.tables.js';
import { isAppScheme, isLoopback, isRegistered, redirectTarget, redirectWith } from './redirect-uri.rules.js';

const CODE_MS = 60_000;
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;
const MAX_STATE = 4_000;

interface AuthorizationsContext {
  store: Pick<AccountStores, 'commit'>;
  clock: Clock;
  clients: OauthClients;
  /** URL of this authorization server. */
  issuer: string;
  /** URL that access tokens are for. */
  resource: string;
}

/** A valid request. */
interface ReadRequest {
  client: OauthClient;
  redirectUri: string;
  challenge: string;
  state: string | null;
}

/** Facts on the consent page. */
interface ConsentView {
  name: string | null;
  verifiedHost: string | null;
  /** The application that gets the code. */
  target: string;
  isLoopback: boolean;
  /** Whether the target is an application on the person's device. */
  isApp: boolean;
  /** Whether the client asks to send. */
  wantsSend: boolean;
}

export interface Approval {
  userId: string;
  workspaceId: string;
  mode: Mode;
  permission: 'read' | 'send';
  policy: SendPolicy | null;
}

/** URL for the browser after a decision. */
export interface Redirect {
  redirectTo: string;
}

export class Authorizations {
  readonly #context: AuthorizationsContext;

  constructor(context: AuthorizationsContext) {
    this.#context = context;
  }

  /** Reads the query of an authorization request. Refuses with `bad_request` if it is not valid. */
  async view(query: string): Promise<ConsentView> {
    const { client, redirectUri } = await this.#read(query);
    return {
      name: client.name,
      verifiedHost: client.verifiedHost,
      target: redirectTarget(redirectUri),
      isLoopback: isLoopback(redirectUri),
      isApp: isAppScheme(redirectUri),
      wantsSend: (new URLSearchParams(query).get('scope') ?? '').split(' ').includes('send'),
    };
  }

  /** Returns the redirect with the code. Refuses like `view`. */
  async approve(query: string, approval: Approval): Promise<Redirect> {
    const { client, redirectUri, challenge, state } = await this.#read(query);
    const { userId, workspaceId, mode, permission, policy } = approval;
    const { token: code, tokenHash } = newToken();
    const now = this.#context.clock();
    await this.#context.store.commit([
      insert(oauthCodes, {
        row: {
          code_hash: tokenHash,
          client_id: client.id,
          client_name: client.name ?? client.verifiedHost ?? redirectTarget(redirectUri),
          redirect_uri: redirectUri,
          code_challenge: challenge,
          user_id: userId,
          workspace_id: workspaceId,
          mode,
          permission,
          policy: policy === null ? null : JSON.stringify(policy),
          api_key_id: null,
          expires_at: now + CODE_MS,
          created_at: now,
        },
      }),
    ]);
    return this.#respond(redirectUri, { code, state });
  }

  /** Returns the redirect with the person's refusal. Refuses like `view`. */
  async deny(query: string): Promise<Redirect> {
    const { redirectUri, state } = await this.#read(query);
    return this.#respond(redirectUri, { error: 'access_denied', state });
  }

  /** The browser follows a redirect only after a decision, so errors are shown to the person (RFC 9700 section 4.11.2). */
  async #read(query: string): Promise<ReadRequest> {
    const given = new URLSearchParams(query);
    const { client, redirectUri } = await this.#readClient(given);
    try {
      const challenge = readChallenge(given, this.#context.resource);
      return { client, redirectUri, challenge, state: given.get('state') };
    } catch (error) {
      throw refusalOf(error);
    }
  }

  async #readClient(given: URLSearchParams): Promise<{ client: OauthClient; redirectUri: string }> {
    const redirectUri = given.get('redirect_uri') ?? '';
    try {
      const client = await this.#context.clients.find(given.get('client_id') ?? '');
      if (isRegistered(client.redirectUris, redirectUri)) return { client, redirectUri };
    } catch (error) {
      throw refusalOf(error);
    }
    throw new Refusal(
      'bad_request',
      'The application cannot be connected, because it has not registered the redirect URI in its request.',
    );
  }

  /** Names the issuer, so that a client of several servers notices a mix-up (RFC 9207). */
  #respond(redirectUri: string, parameters: Record<string, string | null>): Redirect {
    return { redirectTo: redirectWith(redirectUri, { ...parameters, iss: this.#context.issuer }) };
  }
}

function refusalOf(error: unknown): unknown {
  if (!(error instanceof OauthError)) return error;
  return new Refusal('bad_request', `The application cannot be connected. ${error.message}`);
}

/** Checks the rest of the request, and returns the code challenge. */
function readChallenge(given: URLSearchParams, resource: string): string {
  const names = [...given.keys()];
  if (new Set(names).size < names.length) {
    throw new OauthError('invalid_request', 'A parameter is repeated.');
  }
  if (given.get('response_type') !== 'code') {
    throw new OauthError('unsupported_response_type', 'response_type must be code.');
  }
  const challenge = given.get('code_challenge') ?? '';
  if (given.get('code_challenge_method') !== 'S256' || !CHALLENGE.test(challenge)) {
    throw new OauthError('invalid_request', 'PKCE with the code_challenge_method S256 is required.');
  }
  if ((given.get('state') ?? '').length > MAX_STATE) {
    throw new OauthError('invalid_request', `state exceeds ${MAX_STATE} characters.`);
  }
  refuseOtherResource(given.get('resource'), resource);
  return challenge;
}

/** Tokens are for one resource, which is also the default (RFC 8707). */
export function refuseOtherResource(given: string | null, resource: string): void {
  if (given === null || given === resource || given === `${resource}/`) return;
  throw new OauthError('invalid_target', `resource must be ${resource}.`);
}
