// API keys: list, create, read, change, rotate and revoke, within the rights of the caller.
import {
  apiKey,
  apiKeyChange,
  apiKeyCreate,
  apiKeyRotate,
  createdApiKey,
  sesCredentials,
} from './api-key.schema.js';
import { invalidFields, type FieldProblem } from '../../contract/refusal.js';
import { idParams } from '../../contract/schema.js';
import { allowedAddressProblem } from '../../lib/addresses/index.js';
import { parseDuration } from '../../lib/config/index.js';
import type { AccountContext } from '../context.js';
import { iso } from '../../contract/time.js';
import type { MadeKey } from './api-key-plan.js';
import { ApiKeys } from './api-keys.js';
import { readPolicy } from './read-policy.rules.js';
import type { Api } from '../../http/api.js';
import { orderedQuery } from '../../http/lists/pages.js';
import { resource } from '../../http/lists/resource.js';
import { presentApiKey } from './api-key.view.js';
import { scopeWithField } from '../../tenants/scope.routes.js';

const tags = ['API keys'];
const API_KEYS = {
  path: '/v1/api-keys',
  operations: 'apiKeys',
  tag: 'API keys',
  object: 'api_key',
  schema: apiKey,
} as const;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/i;
const LONGEST_OVERLAP_MS = 30 * 86_400_000;
const config = { role: 'admin', audit: { shows: ['name', 'allowed_ips', 'overlap'] } } as const;

type KeyContext = Pick<AccountContext, 'store' | 'clock'>;

export function apiKeyRoutes(app: Api, context: KeyContext & ConstructorParameters<typeof ApiKeys>[0]): void {
  const keys = new ApiKeys(context);
  collectionRoutes(app, context, keys);
  objectRoutes(app, context, keys);
  sesCredentialsRoute(app, keys);
}

function collectionRoutes(app: Api, { store, clock }: KeyContext, keys: ApiKeys): void {
  const plain = resource(app, API_KEYS);

  plain.list({
    config: { role: 'admin' },
    summary: 'List API keys',
    description:
      'Returns the API keys of the workspace in both environments, newest first. Users need the role `admin`.',
    query: orderedQuery,
    read: ({ caller }, page) => store.accounts.apiKeys(caller.scope, page),
    present: (row) => presentApiKey(row),
  });

  app.post(
    '/v1/api-keys',
    {
      config: { ...config, showsSecret: true },
      schema: {
        operationId: 'apiKeys.create',
        tags,
        summary: 'Create an API key',
        description:
          'Creates an API key and returns its secret, which is not shown again. Users need the role `admin`.',
        body: apiKeyCreate,
        response: { 201: createdApiKey },
      },
    },
    async (request, reply) => {
      const { caller, body } = request;
      const { name, permission = 'full', mode = caller.scope.mode } = body;
      const allowedIps = readAllowedIps(body.allowed_ips) ?? null;
      const expiresAt = readExpiry(body.expires_at, clock()) ?? null;
      const scope = await scopeWithField(store.tenants, caller.scope, body.sub_tenant_id);
      const policy = body.policy ? readPolicy(body.policy) : null;
      const wanted = { name, permission, mode, allowedIps, expiresAt, policy };
      const made = await keys.create(caller, scope, wanted);
      return reply.status(201).send(presentMade(made));
    },
  );
}

function objectRoutes(app: Api, { clock }: KeyContext, keys: ApiKeys): void {
  const plain = resource(app, API_KEYS);

  plain.get({
    config: { role: 'admin' },
    summary: 'Retrieve an API key',
    description: 'Returns an API key without its secret. Users need the role `admin`.',
    find: ({ caller, params }) => keys.read(caller, params.id),
    present: (row) => presentApiKey(row),
  });

  app.patch(
    '/v1/api-keys/:id',
    {
      config,
      schema: {
        operationId: 'apiKeys.update',
        tags,
        summary: 'Update an API key',
        description:
          'Changes the name, allowed IP addresses, expiry or send policy of an API key. Changes apply immediately. `policy` replaces the whole policy, and `null` removes it. Users need the role `admin`.',
        params: idParams,
        body: apiKeyChange,
        response: { 200: apiKey },
      },
    },
    async (request) => {
      const { caller, params, body } = request;
      const allowedIps = readAllowedIps(body.allowed_ips);
      const expiresAt = readExpiry(body.expires_at, clock());
      const change = {
        ...(body.name === undefined ? {} : { name: body.name }),
        ...(allowedIps === undefined ? {} : { allowedIps }),
        ...(expiresAt === undefined ? {} : { expiresAt }),
        ...(body.policy === undefined ? {} : { policy: body.policy && readPolicy(body.policy) }),
      };
      return presentApiKey(await keys.change(caller, params.id, change));
    },
  );

  app.post(
    '/v1/api-keys/:id/rotate',
    {
      config: { ...config, showsSecret: true, optionalBody: true },
      schema: {
        operationId: 'apiKeys.rotate',
        tags,
        summary: 'Rotate an API key',
        description:
          'Creates a key that replaces this one; both work during the overlap. The new key has the same name, permission, environment, sub-tenant, allowed IP addresses, send policy and lifetime. Its secret is only returned in this response. Users need the role `admin`.',
        params: idParams,
        body: apiKeyRotate,
        response: { 201: createdApiKey },
      },
    },
    async (request, reply) => {
      const { caller, params, body } = request;
      const made = await keys.rotate(caller, params.id, readOverlap(body.overlap));
      return reply.status(201).send(presentMade(made));
    },
  );

  plain.remove({
    operation: 'revoke',
    config,
    summary: 'Revoke an API key',
    description: 'Revokes an API key immediately. Users need the role `admin`.',
    remove: ({ caller, params }) => keys.revoke(caller, params.id),
  });
}

function sesCredentialsRoute(app: Api, keys: ApiKeys): void {
  app.post(
    '/v1/api-keys/:id/ses-credentials',
    {
      config: { ...config, showsSecret: true },
      schema: {
        operationId: 'apiKeys.createSesCredentials',
        tags,
        summary: 'Create SES credentials',
        description:
          'Creates an access key ID and a secret access key, with which Amazon SES clients sign requests to `/compat/ses` as this API key. Earlier SES credentials of the key stop working. The new ones have its permission, expiry and allowed IP addresses, and end when it is revoked. The secret is only returned in this response. Users need the role `admin` and can do this for their own keys.',
        params: idParams,
        response: { 201: sesCredentials },
      },
    },
    async ({ caller, params }, reply) => {
      const { keyId, secret, createdAt } = await keys.createSesCredentials(caller, params.id);
      return reply.status(201).send({
        object: 'ses_credentials',
        api_key_id: keyId,
        access_key_id: keyId,
        secret_access_key: secret,
        created_at: iso(createdAt),
      });
    },
  );
}

function presentMade({ row, secret }: MadeKey) {
  return { ...presentApiKey(row), secret };
}

/** Returns undefined if the request has no such field. */
function readAllowedIps(entries: string[] | null | undefined): string[] | null | undefined {
  if (entries === undefined || entries === null) return entries;
  const problems = entries.flatMap((entry, i): FieldProblem[] => {
    const message = allowedAddressProblem(entry);
    return message === null ? [] : [{ path: `allowed_ips.${i}`, message }];
  });
  if (problems.length > 0) throw invalidFields(problems);
  return entries;
}

function readExpiry(text: string | null | undefined, now: number): number | null | undefined {
  if (text === undefined || text === null) return text;
  const at = INSTANT.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(at)) {
    throw invalidFields([{ path: 'expires_at', message: 'must be a time such as 2027-01-01T00:00:00Z' }]);
  }
  if (at <= now) throw invalidFields([{ path: 'expires_at', message: 'is in the past' }]);
  return at;
}

function readOverlap(text: string | undefined): number | null {
  if (text === undefined) return null;
  const ms = text.trim() === '0' ? 0 : parseDuration(text);
  if (ms === undefined || ms > LONGEST_OVERLAP_MS) {
    throw invalidFields([{ path: 'overlap', message: 'must be 0 or a duration of up to 30d, such as 24h' }]);
  }
  return ms;
}
