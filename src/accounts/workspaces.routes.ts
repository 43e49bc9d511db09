// Workspaces: list, create, read and change. A key sees its own workspace, and people see those of the organization.
import { readPrecondition } from '../http/server/preconditions.js';
import { wireOf } from '../contract/codec.js';
import { listOf } from '../contract/lists.js';
import { Refusal } from '../contract/refusal.js';
import { idParams, closed, nameEnums, nameSchemas, nullable, oneOf, timestamp } from '../contract/schema.js';
import type { Caller } from '../http/access/caller.js';
import { hasOrganizationAccess, Workspaces } from './workspaces.js';
import type { Api } from '../http/api.js';
import { listAnswer, orderedQuery, readPage } from '../http/lists/pages.js';
import { presentApiKey } from './api-keys/api-key.view.js';
import { iso } from '../contract/time.js';
import { Type } from 'typebox';
import { createdApiKey } from './api-keys/api-key.schema.js';
import type { Workspace } from './accounts.tables.js';

const RETENTION_MODES = ['redact', 'delete'] as const;
const MAX_RETENTION_DAYS = 36_500;

const nameSchema = Type.String({ minLength: 1, maxLength: 200 });
const retentionDays = nullable(
  Type.Integer({
    minimum: 0,
    maximum: MAX_RETENTION_DAYS,
    description: "Number of days to keep messages. `0` keeps them forever; `null` uses the server's setting.",
  }),
);
const retentionMode = nullable(
  oneOf(RETENTION_MODES, {
    description:
      "What happens to messages after that time. `redact` deletes content and personal data. `delete` deletes everything except the event hashes. `null` uses the server's setting.",
  }),
);

const fields = {
  id: Type.String(),
  object: Type.Literal('workspace'),
  name: Type.String(),
  retention_days: retentionDays,
  retention_mode: retentionMode,
  created_at: timestamp,
  updated_at: timestamp,
};

const workspace = Type.Object(fields);

const createdWorkspace = Type.Object({
  ...fields,
  api_keys: Type.Array(createdApiKey, {
    description:
      'The first live and test key, if you set `api_keys` to `true`. Their secrets are only returned in this response.',
  }),
});

const workspaceCreate = closed(
  {
    name: nameSchema,
    retention_days: Type.Optional(retentionDays),
    retention_mode: Type.Optional(retentionMode),
    api_keys: Type.Optional(
      Type.Boolean({ default: false, description: 'Whether to also create a live key and a test key.' }),
    ),
  },
  { examples: [{ name: 'Second store', api_keys: true }] },
);

const workspaceChange = closed(
  {
    name: Type.Optional(nameSchema),
    retention_days: Type.Optional(retentionDays),
    retention_mode: Type.Optional(retentionMode),
  },
  { examples: [{ retention_days: 90, retention_mode: 'redact' }] },
);

nameSchemas({
  Workspace: workspace,
  WorkspaceCreated: createdWorkspace,
  WorkspaceCreate: workspaceCreate,
  WorkspaceUpdate: workspaceChange,
});

nameEnums({ RetentionMode: RETENTION_MODES });

const presentWorkspace = wireOf(workspace).from<Workspace>({
  updated_at: (row) => iso(row.updated_at ?? row.created_at),
});

const tags = ['Workspaces'];
const managing = { permission: 'admin', role: 'admin', audit: { shows: ['name'] } } as const;

type WorkspaceContext = ConstructorParameters<typeof Workspaces>[0];

export function workspaceRoutes(app: Api, context: WorkspaceContext): void {
  const workspaces = new Workspaces(context);
  listRoute(app, context, workspaces);
  createRoute(app, workspaces);
  objectRoutes(app, workspaces);
}

function listRoute(app: Api, { store }: Pick<WorkspaceContext, 'store'>, workspaces: Workspaces): void {
  app.get(
    '/v1/workspaces',
    {
      schema: {
        operationId: 'workspaces.list',
        tags,
        summary: 'List workspaces',
        description:
          'Returns all workspaces of the organization to users and keys with permission `admin`, and only its own workspace to any other key.',
        querystring: orderedQuery,
        response: { 200: listOf(workspace) },
      },
    },
    async (request) => {
      const { caller } = request;
      refuseTenants(caller);
      const { organizationId, workspaceId } = caller.scope;
      const page = readPage(request);
      if (hasOrganizationAccess(caller)) {
        return listAnswer(request, await store.accounts.workspaces(organizationId, page), presentWorkspace);
      }
      const own = page.after === null ? [await workspaces.read(caller, workspaceId)] : [];
      return listAnswer(request, { rows: own, next: null }, presentWorkspace);
    },
  );
}

function createRoute(app: Api, workspaces: Workspaces): void {
  app.post(
    '/v1/workspaces',
    {
      config: managing,
      schema: {
        operationId: 'workspaces.create',
        tags,
        summary: 'Create a workspace',
        description:
          'Creates a workspace with a live and a test environment, optionally with API keys. Requires a live key with permission `admin` that is not pinned, or a signed-in admin. The new keys have permission `full`, expire no later than the calling key, and are restricted to the same IP addresses.',
        body: workspaceCreate,
        response: { 201: createdWorkspace },
      },
    },
    async (request, reply) => {
      const { name, retention_days = null, retention_mode = null, api_keys = false } = request.body;
      const wanted = { name, retentionDays: retention_days, retentionMode: retention_mode };
      const { row, keys } = await workspaces.create(request.caller, wanted, api_keys);
      const shown = keys.map((key) => ({ ...presentApiKey(key.row), secret: key.secret }));
      return reply.status(201).send({ ...presentWorkspace(row), api_keys: shown });
    },
  );
}

function objectRoutes(app: Api, workspaces: Workspaces): void {
  app.get(
    '/v1/workspaces/:id',
    {
      config: { versioned: true },
      schema: {
        operationId: 'workspaces.get',
        tags,
        summary: 'Retrieve a workspace',
        description:
          'Returns a workspace with its retention settings. Not available to requests limited to a sub-tenant.',
        params: idParams,
        response: { 200: workspace },
      },
    },
    async (request) => {
      refuseTenants(request.caller);
      return presentWorkspace(await workspaces.read(request.caller, request.params.id));
    },
  );

  app.patch(
    '/v1/workspaces/:id',
    {
      config: { ...managing, versioned: true },
      schema: {
        operationId: 'workspaces.update',
        tags,
        summary: 'Update a workspace',
        description:
          'Changes the name or retention settings of a workspace. Requires permission `admin`; users need the role `admin`.',
        params: idParams,
        body: workspaceChange,
        response: { 200: workspace },
      },
    },
    async (request) => {
      const { name, retention_days, retention_mode } = request.body;
      const change = {
        ...(name === undefined ? {} : { name }),
        ...(retention_days === undefined ? {} : { retentionDays: retention_days }),
        ...(retention_mode === undefined ? {} : { retentionMode: retention_mode }),
      };
      const { caller, params } = request;
      const guard = readPrecondition(request, await workspaces.read(caller, params.id));
      return presentWorkspace(await workspaces.change(caller, params.id, change, guard));
    },
  );
}

function refuseTenants({ scope }: Caller): void {
  if (scope.subTenantId === null) return;
  throw new Refusal(
    'forbidden',
    'Requests scoped to a sub-tenant cannot access workspaces. Send the request for the whole workspace, with a key that is not pinned to a sub-tenant.',
  );
}
