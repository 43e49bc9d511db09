// GET /v1/audit-log: changes in the workspace and its organization.
import { wireOf } from '../../contract/codec.js';
import { listOf, rangeFields } from '../../contract/lists.js';
import type { AccountStores } from '../stores.js';
import { hasOrganizationAccess } from '../workspaces.js';
import type { Api } from '../../http/api.js';
import { listAnswer, pageQueryWith, readPage, readRange } from '../../http/lists/pages.js';
import type { Caller } from '../../http/access/caller.js';
import { Type } from 'typebox';
import { MODES } from '../../contract/names.js';
import { nameEnums, nameSchemas, nullable, oneOf, timestamp } from '../../contract/schema.js';
import type { AuditRow } from './audit.tables.js';

// The audit log: changes with their actor and origin.
const ACTOR_KINDS = ['api_key', 'user', 'operator'] as const;

const auditLogEntry = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('audit_entry'),
    action: Type.String({
      description: 'The `operationId`, for example `auth.signIn`.',
    }),
    actor: Type.Object({
      kind: oneOf(ACTOR_KINDS, {
        description: 'The kind of actor. `operator` is someone with access to the server itself.',
      }),
      id: nullable(
        Type.String({ description: 'The ID of the actor. `null` if the caller is not authenticated.' }),
      ),
    }),
    target_id: nullable(Type.String({ description: 'The object that was changed or created.' })),
    detail: Type.Record(Type.String(), Type.Unknown(), {
      description:
        '`fields` lists the fields of the request. `values` contains the values that are neither secret nor personal.',
    }),
    workspace_id: nullable(
      Type.String({ description: 'The workspace. `null` for changes to the organization.' }),
    ),
    sub_tenant_id: nullable(Type.String()),
    mode: nullable(oneOf(MODES)),
    ip: nullable(
      Type.String({
        description: "The client's IP address. Keys of a sub-tenant only see it for their own requests.",
      }),
    ),
    request_id: nullable(Type.String()),
    occurred_at: timestamp,
  },
  {
    description:
      'An audit log entry: a change and the actor who made it. The entry is written in the same transaction as the change.',
  },
);

/** Filters of the list. */
const auditFilters = {
  actor_id: Type.Optional(Type.String({ maxLength: 64 })),
  action: Type.Optional(Type.String({ maxLength: 64 })),
  target_id: Type.Optional(Type.String({ maxLength: 100 })),
  ...rangeFields,
};

nameSchemas({
  AuditActor: auditLogEntry.properties.actor,
  AuditEntry: auditLogEntry,
});

nameEnums({ AuditActorKind: ACTOR_KINDS });

/** Addresses of people in the workspace are hidden from a pinned key, which sees those of its own requests. */
const showsAddress = (row: AuditRow, { pinnedTo, actor }: Viewer): boolean =>
  pinnedTo === null || row.actor_id === actor.id;

type Viewer = Pick<Caller, 'actor' | 'pinnedTo'>;

const presentAuditEntry = wireOf(auditLogEntry).from<AuditRow, Viewer>({
  actor: (row) => ({ kind: row.actor_kind, id: row.actor_id }),
  ip: (row, viewer) => (showsAddress(row, viewer) ? row.ip : null),
  request_id: (row, viewer) => (showsAddress(row, viewer) ? row.request_id : null),
  occurred_at: 'at',
});

export function auditLogRoutes(app: Api, { store }: { store: Pick<AccountStores, 'audit'> }): void {
  app.get(
    '/v1/audit-log',
    {
      config: { permission: 'full', role: 'admin' },
      schema: {
        operationId: 'auditLog.list',
        tags: ['Audit log'],
        summary: 'List audit log entries',
        description:
          "Returns every change made through the API, newest first, except sent messages, which have their own audit trails. A key sees its workspace; users and keys with permission `admin` also see the organization. A pinned key only sees its sub-tenant's changes, and a test key only those in test. Requires permission `full`; users need the role `admin`.",
        querystring: pageQueryWith(auditFilters),
        response: { 200: listOf(auditLogEntry) },
      },
    },
    async (request) => {
      const { caller, query } = request;
      const { actor_id: actorId, action, target_id: targetId } = query;
      const filter = {
        ofOrganization: hasOrganizationAccess(caller),
        ...(actorId === undefined ? {} : { actorId }),
        ...(action === undefined ? {} : { action }),
        ...(targetId === undefined ? {} : { targetId }),
        ...readRange(query),
      };
      const page = await store.audit.entries(caller.scope, readPage(request), filter);
      return listAnswer(request, page, (row) => presentAuditEntry(row, caller));
    },
  );
}
