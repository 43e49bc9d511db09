// GET /v1/audit-log: who changed what in the workspace and in its organization.
import { auditFilters, auditLogEntry, type AuditLogEntryWire } from './audit.schema.js';
import { listOf } from '../../contract/lists.js';
import type { Store } from '../../store/store.js';
import { isOfOrganization } from '../workspaces.js';
import type { Api } from '../../api/api.js';
import { readInstant } from '../../api/instant-field.js';
import { listAnswer, pageQueryWith, readPage } from '../../api/pages.js';
import type { AuditRow } from './audit.store.js';
import type { Caller } from '../api-keys/credential-cache.js';
import { iso } from '../../contract/time.js';

// An entry of the audit log as /v1 shows it.
/** Where the platform's own people sit is not its customers' to see: their keys see the addresses of what they did. */
function presentAuditEntry(row: AuditRow, caller: Pick<Caller, 'actor' | 'pinnedTo'>): AuditLogEntryWire {
  const showsAddress = caller.pinnedTo === null || row.actor_id === caller.actor.id;
  return {
    id: row.id,
    object: 'audit_entry',
    action: row.action,
    actor: { kind: row.actor_kind, id: row.actor_id },
    target_id: row.target_id,
    detail: JSON.parse(row.detail) as Record<string, unknown>,
    workspace_id: row.workspace_id,
    sub_tenant_id: row.sub_tenant_id,
    mode: row.mode,
    ip: showsAddress ? row.ip : null,
    request_id: showsAddress ? row.request_id : null,
    occurred_at: iso(row.at),
  };
}

export function auditLogRoutes(app: Api, { store }: { store: Pick<Store, 'audit'> }): void {
  app.get(
    '/v1/audit-log',
    {
      config: { permission: 'full', role: 'admin' },
      schema: {
        operationId: 'auditLog.list',
        tags: ['Audit log'],
        summary: 'List who changed what, newest first',
        description:
          'Every change through the API is here, but for messages that were sent: their own trail tells. ' +
          'A key sees its workspace; one of permission `admin`, and a person, also the organization. ' +
          'A pinned key sees what was done for its sub-tenant, a test key what was done in test.',
        querystring: pageQueryWith(auditFilters),
        response: { 200: listOf(auditLogEntry) },
      },
    },
    async (request) => {
      const { caller, query } = request;
      const { actor_id: actorId, action, target_id: targetId, since, until } = query;
      const filter = {
        ofOrganization: isOfOrganization(caller),
        ...(actorId === undefined ? {} : { actorId }),
        ...(action === undefined ? {} : { action }),
        ...(targetId === undefined ? {} : { targetId }),
        ...(since === undefined ? {} : { since: readInstant('since', since) }),
        ...(until === undefined ? {} : { until: readInstant('until', until) }),
      };
      const page = await store.audit.entries(caller.scope, readPage(request), filter);
      return listAnswer(request, page, (row) => presentAuditEntry(row, caller));
    },
  );
}
