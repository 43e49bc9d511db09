// The audit log: who changed what, from where.
import { Type } from 'typebox';
import { MODES } from '../../contract/names.js';
import { nameEnums, nameSchemas, nullable, oneOf, timestamp } from '../../contract/schema.js';

const ACTOR_KINDS = ['api_key', 'user', 'operator'] as const;

export const auditLogEntry = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('audit_entry'),
    action: Type.String({
      description: 'The operation, by its operationId; also `auth.signIn` and the like.',
    }),
    actor: Type.Object({
      kind: oneOf(ACTOR_KINDS, { description: '`operator`: somebody at the machine itself.' }),
      id: nullable(Type.String({ description: 'Null where nobody has proved who they are.' })),
    }),
    target_id: nullable(Type.String({ description: 'What was changed, or made.' })),
    detail: Type.Record(Type.String(), Type.Unknown(), {
      description: '`fields` of the request and those `values` that are neither secret nor personal.',
    }),
    workspace_id: nullable(Type.String({ description: 'Null for what is the organization’s.' })),
    sub_tenant_id: nullable(Type.String()),
    mode: nullable(oneOf(MODES)),
    ip: nullable(Type.String({ description: 'Not shown to keys of a sub-tenant, but for what they did.' })),
    request_id: nullable(Type.String()),
    occurred_at: timestamp,
  },
  { description: 'Something that was changed, kept in the transaction of the change.' },
);

/** Filters of the list. */
export const auditFilters = {
  actor_id: Type.Optional(Type.String({ maxLength: 64 })),
  action: Type.Optional(Type.String({ maxLength: 64 })),
  target_id: Type.Optional(Type.String({ maxLength: 100 })),
  since: Type.Optional(Type.String({ maxLength: 40, description: 'A date or an ISO 8601 time; included.' })),
  until: Type.Optional(Type.String({ maxLength: 40, description: 'Not included.' })),
};

nameSchemas({
  AuditActor: auditLogEntry.properties.actor,
  AuditEntry: auditLogEntry,
});

nameEnums({ AuditActorKind: ACTOR_KINDS });
