// Suppressions of one environment: list, add, ask, lift; import and export are beside this.
import { Type } from 'typebox';
import { listOf } from '../contract/lists.js';
import { Refusal } from '../contract/refusal.js';
import { deleted } from '../contract/schema.js';
import {
  replyJson,
  suppression,
  suppressionCheck,
  suppressionCheckQuery,
  suppressionCreate,
  suppressionDeleteQuery,
  suppressionListQuery,
} from './suppression.schema.js';
import type { Clock } from '../lib/runtime/clock.js';
import { newId } from '../lib/runtime/ids.js';
import type { Scope } from '../database/scope.js';
import type { SuppressionStores } from './stores.js';
import { readAddress, type AddressField } from '../http/body/fields.js';
import type { Api } from '../http/api.js';
import { listAnswer, readPage } from '../http/lists/pages.js';
import { presentSuppression } from './suppression.view.js';
import { scopeWithField } from '../tenants/scope.routes.js';
import { suppressionExportRoute } from './export.routes.js';
import { readSuppressionFilter } from './filter.routes.js';
import { suppressionImportRoute } from './import.routes.js';
import type { Suppression } from './suppressions.tables.js';
import { liftSuppressions, suppress } from './suppression-changes.store.js';

export interface SuppressionDeps {
  store: Pick<SuppressionStores, 'suppressions' | 'tenants' | 'commit'>;
  clock: Clock;
  importSizeLimitBytes: number;
}

const tags = ['Suppressions'];
const SUPPRESSION_ID = /^sup_[0-9a-z]{26}$/;

export function suppressionRoutes(app: Api, deps: SuppressionDeps): void {
  const { store, clock, importSizeLimitBytes } = deps;
  listRoute(app, deps);
  createRoute(app, deps);
  suppressionImportRoute(app, { store, clock, importSizeLimitBytes });
  suppressionExportRoute(app, deps);

  app.get(
    '/v1/suppressions/check',
    {
      schema: {
        operationId: 'suppressions.check',
        tags,
        summary: 'Check whether an address is suppressed',
        description:
          "Checks an address for messages of the workspace itself. With `sub_tenant_id`, or with a key pinned to a sub-tenant, checks it for that sub-tenant, including the sub-tenant's own suppressions.",
        querystring: suppressionCheckQuery,
        response: { 200: suppressionCheck },
      },
    },
    async (request) => {
      const { email, key } = readAddress('email', request.query.email);
      const scope = await scopeWithField(store.tenants, request.caller.scope, request.query.sub_tenant_id);
      const rows = await store.suppressions.suppressionsOf(scope, [key]);
      const row = rows.find((one) => one.sub_tenant_key === '') ?? rows[0];
      if (!row) return { email, suppressed: false, reason: null, scope: null };
      const where = row.sub_tenant_key === '' ? ('workspace' as const) : ('sub_tenant' as const);
      return { email, suppressed: true, reason: row.reason, scope: where };
    },
  );

  app.delete(
    '/v1/suppressions/:email',
    {
      schema: {
        operationId: 'suppressions.delete',
        tags,
        summary: 'Delete a suppression',
        description:
          'Lifts the suppression of an address. A contact of the same owner with the status `bounced`, `complained` or `unsubscribed` becomes `active` again.',
        params: Type.Object({
          email: Type.String({ description: 'The URL-encoded address, or the ID of the suppression.' }),
        }),
        querystring: suppressionDeleteQuery,
        response: { 200: deleted('suppression') },
      },
    },
    async (request) => {
      const scope = await scopeWithField(store.tenants, request.caller.scope, request.query.sub_tenant_id);
      const { email } = request.params;
      const row = SUPPRESSION_ID.test(email)
        ? await store.suppressions.suppression(scope, email)
        : await ownRow(store, scope, readAddress('email', email));
      if (!row) throw new Refusal('not_found');
      await store.commit([
        liftSuppressions({ where: { id: row.id }, at: clock(), otherwise: { code: 'not_found' } }),
      ]);
      return { id: row.id, object: 'suppression' as const, deleted: true as const };
    },
  );
}

function listRoute(app: Api, { store }: SuppressionDeps): void {
  app.get(
    '/v1/suppressions',
    {
      schema: {
        operationId: 'suppressions.list',
        tags,
        summary: 'List suppressions',
        description:
          'Returns suppressed addresses, newest first. With `q`, a page may have fewer than `limit` items while `has_more` is `true`.',
        querystring: suppressionListQuery,
        response: { 200: listOf(suppression) },
      },
    },
    async (request) => {
      const page = readPage(request);
      const wanted = readSuppressionFilter(request.query, request.caller.scope);
      const found = wanted
        ? await store.suppressions.suppressions(wanted.scope, page, wanted.filter)
        : { rows: [], next: null };
      return listAnswer(request, found, presentSuppression);
    },
  );
}

function createRoute(app: Api, { store, clock }: SuppressionDeps): void {
  app.post(
    '/v1/suppressions',
    {
      schema: {
        operationId: 'suppressions.create',
        tags,
        summary: 'Create a suppression',
        description:
          'Suppresses an address (201), or returns the existing suppression (200), which keeps its reason. Without `sub_tenant_id`, the suppression applies to all sub-tenants.',
        body: suppressionCreate,
        response: { 200: suppression, 201: suppression },
      },
    },
    async (request, reply) => {
      const { reason = 'manual', sub_tenant_id, reply: said } = request.body;
      const address = readAddress('email', request.body.email);
      const scope = await scopeWithField(store.tenants, request.caller.scope, sub_tenant_id);
      const known = await ownRow(store, scope, address);
      if (known) return reply.status(200).send(presentSuppression(known));
      const now = clock();
      const row = {
        id: newId('sup', now),
        environment_id: scope.environmentId,
        sub_tenant_key: scope.subTenantId ?? '',
        email: address.email,
        email_key: address.key,
        reason,
        message_public_id: null,
        reply: said ? replyJson(said) : null,
        created_at: now,
      };
      await store.commit([suppress({ row, conflict: 'ignore' })]);
      // a simultaneous request may have been first; its row is then the answer
      const kept = (await ownRow(store, scope, address)) ?? row;
      return reply.status(kept.id === row.id ? 201 : 200).send(presentSuppression(kept));
    },
  );
}

/** The row of exactly this scope: a sub-tenant does not touch the workspace's, nor the other way round. */
async function ownRow(
  store: SuppressionDeps['store'],
  scope: Scope,
  { key }: AddressField,
): Promise<Suppression | null> {
  const [row = null] = await store.suppressions.suppressionsOfExactly(scope, [key]);
  return row;
}
