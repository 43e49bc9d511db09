// API keys: list, make, revoke. A key makes and revokes only within its own reach.
import { apiKey, apiKeyCreate, createdApiKey } from '../../../contract/api-key.js';
import { listOf } from '../../../contract/lists.js';
import type { Mode } from '../../../contract/names.js';
import { Refusal, invalidFields } from '../../../contract/refusal.js';
import type { FieldProblem } from '../../../contract/refusal.js';
import { deleted, idParams } from '../../../contract/schema.js';
import { allowedAddressProblem } from '../../../rules/allowed-addresses.js';
import type { Clock } from '../../../runtime/clock.js';
import type { Store } from '../../../store/store.js';
import { planApiKey } from '../../../work/accounts/api-key-plan.js';
import type { Caller } from '../../../work/accounts/credential-cache.js';
import type { Api } from '../api.js';
import type { CredentialCache } from '../../../work/accounts/credential-cache.js';
import { listAnswer, pageQuery, readPage } from '../pages.js';
import { presentApiKey } from '../present/api-key.js';
import { scopeWithField } from '../sub-tenant-scope.js';

export interface ApiKeyDeps {
  store: Pick<Store, 'accounts' | 'tenants' | 'commit'>;
  clock: Clock;
  credentials: Pick<CredentialCache, 'forget'>;
}

const tags = ['API keys'];
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/i;

export function apiKeyRoutes(app: Api, deps: ApiKeyDeps): void {
  const { store, clock, credentials } = deps;

  app.get(
    '/v1/api-keys',
    {
      schema: {
        operationId: 'listApiKeys',
        tags,
        summary: 'List the API keys of the workspace, both environments',
        querystring: pageQuery,
        response: { 200: listOf(apiKey) },
      },
    },
    async (request) => {
      const page = await store.accounts.apiKeys(request.caller.scope, readPage(request.query));
      return listAnswer(page, presentApiKey);
    },
  );

  app.post(
    '/v1/api-keys',
    {
      schema: {
        operationId: 'createApiKey',
        tags,
        summary: 'Make an API key; the answer shows its secret, once',
        body: apiKeyCreate,
        response: { 201: createdApiKey },
      },
    },
    async (request, reply) => {
      const now = clock();
      const { name, permission = 'full', mode = request.caller.scope.mode, ...rest } = request.body;
      refuseBeyond(request.caller, mode);
      const allowedIps = readAllowedIps(rest.allowed_ips);
      const expiresAt = readExpiry(rest.expires_at, now);
      const scope = await scopeWithField(store.tenants, request.caller.scope, rest.sub_tenant_id);
      const { environmentId } = await store.accounts.environmentOf(scope.workspaceId, mode);
      const { subTenantId } = scope;
      const key = { environmentId, mode, name, permission, subTenantId, allowedIps, expiresAt };
      const { secret, change } = planApiKey(key, now);
      await store.commit([change]);
      if (change.into !== 'api_keys') throw new Error('The plan of an API key inserts an API key.');
      const { row } = change;
      const shown = presentApiKey({
        ...row,
        sub_tenant_id: subTenantId,
        allowed_ips: row.allowed_ips ?? null,
        expires_at: expiresAt,
        revoked_at: null,
        replaced_by: null,
        mode,
      });
      return reply.status(201).send({ ...shown, secret });
    },
  );

  app.delete(
    '/v1/api-keys/:id',
    {
      schema: {
        operationId: 'revokeApiKey',
        tags,
        summary: 'Revoke an API key; it stops working at once',
        params: idParams,
        response: { 200: deleted('api_key') },
      },
    },
    async (request) => {
      const { id } = request.params;
      const key = await store.accounts.apiKey(request.caller.scope, id);
      if (!key) throw new Refusal('not_found');
      refuseBeyond(request.caller, key.mode);
      await store.commit([
        {
          kind: 'update',
          table: 'api_keys',
          set: { revoked_at: clock() },
          where: { id, revoked_at: null },
          otherwise: { code: 'not_found' },
        },
      ]);
      credentials.forget(id);
      return { id, object: 'api_key' as const, deleted: true as const };
    },
  );
}

function refuseBeyond(caller: Caller, mode: Mode): void {
  if (caller.scope.mode === 'test' && mode === 'live') {
    throw new Refusal('forbidden', 'A test key cannot make or revoke live keys.');
  }
}

function readAllowedIps(entries: string[] | null | undefined): string[] | null {
  if (entries === undefined || entries === null) return null;
  const problems = entries.flatMap((entry, i): FieldProblem[] => {
    const message = allowedAddressProblem(entry);
    return message === null ? [] : [{ path: `allowed_ips.${i}`, message }];
  });
  if (problems.length > 0) throw invalidFields(problems);
  return entries;
}

function readExpiry(text: string | null | undefined, now: number): number | null {
  if (text === undefined || text === null) return null;
  const at = INSTANT.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(at)) {
    throw invalidFields([{ path: 'expires_at', message: 'must be a time such as 2027-01-01T00:00:00Z' }]);
  }
  if (at <= now) throw invalidFields([{ path: 'expires_at', message: 'is in the past' }]);
  return at;
}
