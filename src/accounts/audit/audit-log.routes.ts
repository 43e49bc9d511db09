// GET /v1/audit-log: who changed what in the workspace and in its organization.
import { auditFilters, auditLogEntry } from './audit.schema.js';
import { wireOf } from '../../contract/codec.js';
import { listOf } from '../../contract/lists.js';
import type { Store } from '../../store/store.js';
import { isOfOrganization } from '../workspaces.js';
import type { Api } from '../../api/api.js';
import { readInstant } from '../../api/instant-field.js';
import { listAnswer, pageQueryWith, readPage } from '../../api/pages.js';
import type { AuditRow } from './audit.store.js';
import type { Caller } from '../api-keys/credential-cache.js';

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
