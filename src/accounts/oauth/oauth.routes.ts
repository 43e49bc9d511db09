// The OAuth 2.1 authorization server for MCP clients: metadata (RFC 8414, RFC 9728), registration (RFC 7591), tokens, revocation
// (RFC 7009), and the decision on the consent page.
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { MODES } from '../../contract/names.js';
import { Refusal } from '../../contract/refusal.js';
import { closed, oneOf } from '../../contract/schema.js';
import { sendPolicyInput } from '../../contract/send-policy.js';
import type { Api } from '../../http/api.js';
import { PUBLIC_BODY_LIMIT, refuseTooMany } from '../../http/access/caller.js';
import { createClientLimit } from '../../http/access/rate-limit.js';
import { noteRefusal, STATUS_OF_TYPE } from '../../http/errors.js';
import { readVisitor } from '../access/session-auth.js';
import { readPolicy } from '../api-keys/read-policy.rules.js';
import { requireSession } from '../sign-in/auth.routes.js';
import type { Authorizations } from './authorizations.js';
import type { OauthClients } from './clients.js';
import type { Grants, TokenRequest } from './grants.js';
import { ACCESS_TOKEN_MS } from './oauth-tokens.js';
import { OauthError } from './oauth-error.rules.js';

const SCOPES = ['read', 'send'];
/** Per client network. */
const TOKEN_REQUESTS_PER_MINUTE = 120;
const REGISTRATIONS_PER_MINUTE = 10;
/** Each may fetch a document from another server. */
const DECISIONS_PER_MINUTE = 120;
const MAX_QUERY = 10_000;

interface OauthContext {
  issuer: string;
  resource: string;
  clients: OauthClients;
  authorizations: Authorizations;
  grants: Grants;
}

export function oauthRoutes(app: Api, context: OauthContext): void {
  metadataRoutes(app, context);
  clientRoutes(app, context);
  personRoutes(app, context);
}

function metadataRoutes(app: Api, { issuer, resource }: OauthContext): void {
  const isPublic = { config: { public: true }, schema: { hide: true } };
  const documentation = `${issuer}/docs/guides/mcp`;
  const server = {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    registration_endpoint: `${issuer}/oauth/register`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    scopes_supported: SCOPES,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    ui_locales_supported: ['en', 'de'],
    service_documentation: documentation,
  };
  const protectedResource = {
    resource,
    authorization_servers: [issuer],
    scopes_supported: SCOPES,
    bearer_methods_supported: ['header'],
    resource_name: 'Mailkeel',
    resource_documentation: documentation,
  };
  app.get('/.well-known/oauth-authorization-server', isPublic, () => server);
  for (const path of ['', new URL(resource).pathname]) {
    app.get(`/.well-known/oauth-protected-resource${path}`, isPublic, () => protectedResource);
  }
}

/** Operations of clients, whose bodies and errors are those of OAuth. */
function clientRoutes(app: Api, { clients, grants }: OauthContext): void {
  void app.register((scope: Api, _options, done) => {
    scope.setErrorHandler(answerOauthError);
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser<string>(
      ['application/x-www-form-urlencoded', 'application/json'],
      { parseAs: 'string' },
      (_request, body, parsed) => parsed(null, body),
    );
    const limited = (perMinute: number) => ({
      config: { public: true },
      schema: { hide: true },
      bodyLimit: PUBLIC_BODY_LIMIT,
      onRequest: refuseTooMany(createClientLimit(scope, perMinute)),
    });
    scope.post('/oauth/register', limited(REGISTRATIONS_PER_MINUTE), async (request, reply) => {
      const { client, createdAt } = await clients.register(readJson(request.body), request.ip);
      return reply.status(201).send({
        client_id: client.id,
        client_id_issued_at: Math.floor(createdAt / 1000),
        ...(client.name === null ? {} : { client_name: client.name }),
        redirect_uris: client.redirectUris,
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      });
    });
    scope.post('/oauth/token', limited(TOKEN_REQUESTS_PER_MINUTE), async (request) => {
      const granted = await grants.issue(readForm(request.body), readVisitor(request));
      return {
        access_token: granted.accessToken,
        token_type: 'Bearer',
        expires_in: ACCESS_TOKEN_MS / 1000,
        refresh_token: granted.refreshToken,
        scope: granted.permission,
      };
    });
    scope.post('/oauth/revoke', limited(TOKEN_REQUESTS_PER_MINUTE), async (request, reply) => {
      await grants.revoke(readForm(request.body));
      return reply.send({});
    });
    done();
  });
}

/** Operations of the consent page. Connecting an application creates an API key, so the role is required. */
function personRoutes(app: Api, { authorizations }: OauthContext): void {
  const query = Type.String({ maxLength: MAX_QUERY });
  const common = {
    config: { session: true, role: 'admin', audit: false },
    onRequest: refuseTooMany(createClientLimit(app, DECISIONS_PER_MINUTE)),
  } as const;

  app.post(
    '/oauth/authorization',
    { ...common, schema: { hide: true, body: closed({ query }) } },
    async ({ body }) => {
      const seen = await authorizations.view(body.query);
      return {
        name: seen.name,
        verified_host: seen.verifiedHost,
        target: seen.target,
        is_loopback: seen.isLoopback,
        is_app: seen.isApp,
        wants_send: seen.wantsSend,
      };
    },
  );

  const decision = Type.Union([
    closed({ query, decision: Type.Literal('deny') }),
    closed({
      query,
      decision: Type.Literal('approve'),
      mode: oneOf(MODES),
      permission: oneOf(['read', 'send']),
      policy: Type.Optional(sendPolicyInput),
    }),
  ]);
  app.post(
    '/oauth/authorization/decision',
    { ...common, schema: { hide: true, body: decision } },
    async (request) => {
      const { body, caller } = request;
      if (body.decision === 'deny') return presentRedirect(await authorizations.deny(body.query));
      const { mode, permission, policy } = body;
      if (permission === 'read' && policy !== undefined) {
        throw new Refusal('bad_request', 'A send policy requires the permission send.');
      }
      const approval = {
        userId: requireSession(request).row.user_id,
        workspaceId: caller.scope.workspaceId,
        ...{ mode, permission, policy: policy === undefined ? null : readPolicy(policy) },
      };
      return presentRedirect(await authorizations.approve(body.query, approval));
    },
  );
}

function presentRedirect({ redirectTo }: { redirectTo: string }) {
  return { redirect_to: redirectTo };
}

function readForm(body: unknown): TokenRequest {
  const form = new URLSearchParams(typeof body === 'string' ? body : '');
  const names = [...form.keys()];
  if (new Set(names).size < names.length) throw new OauthError('invalid_request', 'A parameter is repeated.');
  return Object.fromEntries(form);
}

function readJson(body: unknown): unknown {
  try {
    return JSON.parse(typeof body === 'string' ? body : '');
  } catch {
    throw new OauthError('invalid_client_metadata', 'The body must be JSON.');
  }
}

/** RFC 6749 section 5.2. Refusals that OAuth has no name for keep their status. */
function answerOauthError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof OauthError) {
    return reply.status(400).send({ error: error.code, error_description: error.message });
  }
  const refusal = noteRefusal(error, request, reply);
  const code =
    refusal.type === 'rate_limited' || refusal.type === 'unavailable'
      ? 'temporarily_unavailable'
      : refusal.type === 'internal_error'
        ? 'server_error'
        : 'invalid_request';
  return reply.status(STATUS_OF_TYPE[refusal.type]).send({ error: code, error_description: refusal.message });
}
