// GET /v1/me: the caller, with permissions and limits.
import { Refusal } from '../contract/refusal.js';
import type { Scope } from '../database/scope.js';
import type { AccountContext } from './context.js';
import type { Caller } from '../http/access/caller.js';
import type { Account } from './people/account.js';
import type { Api } from '../http/api.js';
import { presentApiKey } from './api-keys/api-key.view.js';
import { presentUser } from './people/people.view.js';
import { requestsPerMinute } from '../http/access/rate-limit.js';
import { Type, type Static } from 'typebox';
import { apiKey } from './api-keys/api-key.schema.js';
import { KEY_PERMISSIONS, MODES, ROLES } from '../contract/names.js';
import { nameSchemas, nullable, oneOf } from '../contract/schema.js';
import { user } from './people/user.schema.js';

const place = Type.Object({
  id: Type.String(),
  name: nullable(Type.String({ description: 'The name. `null` if the request is limited to a sub-tenant.' })),
});

const personSchema = Type.Object({
  user,
  role: oneOf(ROLES, { description: 'The role in the organization.' }),
  workspaces: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      organization_id: Type.String(),
      role: oneOf(ROLES),
    }),
    { description: 'Workspaces that you can select with `X-Workspace-Id`.' },
  ),
});

const limits = Type.Object({
  requests_per_minute: nullable(
    Type.Integer({
      description:
        'Requests per minute for all keys of the environment together, or for the user. `null` if there is no limit.',
    }),
  ),
  recipients_per_message: Type.Integer(),
  attachments_per_message: Type.Integer(),
  message_size_bytes: Type.Integer(),
  messages_per_batch: Type.Integer(),
});

const me = Type.Object({
  object: Type.Literal('me'),
  mode: oneOf(MODES, { description: 'The environment of this request.' }),
  permission: oneOf(KEY_PERMISSIONS, {
    description: 'The permission, with the same values as for API keys.',
  }),
  sub_tenant_id: nullable(Type.String({ description: 'The sub-tenant the request is limited to.' })),
  pinned: Type.Boolean({ description: 'Whether the key is pinned to that sub-tenant.' }),
  api_key: nullable(apiKey),
  person: nullable(personSchema),
  organization: place,
  workspace: place,
  limits,
});
export type MeWire = Static<typeof me>;

nameSchemas({
  Me: me,
  MePlace: place,
  MePerson: personSchema,
  MeWorkspace: personSchema.properties.workspaces.items,
  MeLimits: limits,
});

export function meRoutes(app: Api, context: AccountContext, account: Account): void {
  app.get(
    '/v1/me',
    {
      config: { permission: 'send', role: 'viewer' },
      schema: {
        operationId: 'me.get',
        tags: ['Me'],
        summary: 'Retrieve the caller',
        description:
          'Returns the API key or user that makes the request, with its permission, workspace, environment and limits.',
        response: { 200: me },
      },
    },
    ({ caller }) => presentMe(context, account, caller),
  );
}

async function presentMe(
  { store, settings }: AccountContext,
  account: Account,
  caller: Caller,
): Promise<MeWire> {
  const { scope, actor, permission, pinnedTo } = caller;
  const [organization, workspace, key, person] = await Promise.all([
    store.accounts.organization(scope),
    store.accounts.workspace(scope.organizationId, scope.workspaceId),
    // The key need not belong to the sub-tenant that this request names.
    actor.kind === 'api_key' ? store.accounts.apiKey({ ...scope, subTenantId: pinnedTo }, actor.id) : null,
    actor.kind === 'user' ? presentPerson(store, account, caller) : null,
  ]);
  // The key was revoked since the request began.
  if (actor.kind === 'api_key' && key === null) throw new Refusal('unauthorized');
  // Customers do not see the platform's own name.
  const nameOf = (name: string | undefined): string | null =>
    scope.subTenantId === null ? (name ?? null) : null;
  return {
    object: 'me',
    mode: scope.mode,
    permission,
    sub_tenant_id: scope.subTenantId,
    pinned: pinnedTo !== null,
    api_key: key === null ? null : presentApiKey(key),
    person,
    organization: { id: scope.organizationId, name: nameOf(organization.name) },
    workspace: { id: scope.workspaceId, name: nameOf(workspace?.name) },
    limits: presentLimits(settings, scope),
  };
}

async function presentPerson(
  store: AccountContext['store'],
  account: Account,
  { actor, role }: Caller,
): Promise<MeWire['person']> {
  if (role === null) throw new Error('A person has a role.');
  const [row, workspaces] = await Promise.all([account.read(actor.id), store.people.workspacesOf(actor.id)]);
  return { user: presentUser(row), role, workspaces };
}

function presentLimits(settings: AccountContext['settings'], scope: Scope): MeWire['limits'] {
  return {
    requests_per_minute: requestsPerMinute(settings, scope),
    recipients_per_message: settings.recipientLimit,
    attachments_per_message: settings.attachmentLimit,
    message_size_bytes: settings.messageSizeLimitBytes,
    messages_per_batch: settings.batchLimit,
  };
}
