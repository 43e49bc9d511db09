// Suppressions of one environment: list, create, check, delete and import.
import { Type } from 'typebox';
import { listOf } from '../contract/lists.js';
import { deleted } from '../contract/schema.js';
import {
  replyJson,
  suppression,
  suppressionCheck,
  suppressionCheckQuery,
  suppressionCreate,
  suppressionDeleteQuery,
  suppressionImport,
  suppressionImportBody,
  suppressionListQuery,
} from './suppression.schema.js';
import { readEntries } from './entries.js';
import { importSuppressions } from './import.js';
import type { SuppressionContext } from './context.js';
import { createSuppression, findSuppression, liftSuppression } from './suppressions.js';
import { readAddress } from '../http/body/fields.js';
import { takeRows, withRows } from '../http/body/rows-body.js';
import type { Api } from '../http/api.js';
import { listAnswer, readPage } from '../http/lists/pages.js';
import { presentSuppression } from './suppression.view.js';
import { scopeWithField } from '../tenants/scope.routes.js';
import { suppressionExportRoute } from './export.routes.js';
import { readSuppressionFilter } from './filter.routes.js';

const tags = ['Suppressions'];
const SUPPRESSION_ID = /^sup_[0-9a-z]{26}$/;

export function suppressionRoutes(app: Api, context: SuppressionContext): void {
  listRoute(app, context);
  createRoute(app, context);
  importRoute(app, context);
  suppressionExportRoute(app, context);
  checkRoute(app, context);
  deleteRoute(app, context);
}

function checkRoute(app: Api, { store }: SuppressionContext): void {
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
}

function deleteRoute(app: Api, context: SuppressionContext): void {
  const { store } = context;
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
        : await findSuppression(context, scope, readAddress('email', email).key);
      const id = await liftSuppression(context, row);
      return { id, object: 'suppression' as const, deleted: true as const };
    },
  );
}

function listRoute(app: Api, { store }: SuppressionContext): void {
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

function createRoute(app: Api, context: SuppressionContext): void {
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
      const { email, key: emailKey } = readAddress('email', request.body.email);
      const scope = await scopeWithField(context.store.tenants, request.caller.scope, sub_tenant_id);
      const given = { email, emailKey, reason, reply: said ? replyJson(said) : null };
      const { row, isNew } = await createSuppression(context, scope, given);
      return reply.status(isNew ? 201 : 200).send(presentSuppression(row));
    },
  );
}

function importRoute(app: Api, context: SuppressionContext): void {
  const { importSizeLimitBytes: bodyLimit } = context;
  // The route has its own scope because only its body is a stream.
  void app.register((scope: Api, _options, done) => {
    takeRows(scope);
    scope.post(
      '/v1/suppressions/import',
      {
        bodyLimit,
        config: { audit: { makesMany: true }, idempotency: 'none' },
        // Entries are validated one by one as the body arrives.
        validatorCompiler: () => () => true,
        schema: {
          operationId: 'suppressions.import',
          tags,
          summary: 'Import suppressions',
          description:
            'Suppresses many addresses from a CSV or JSON file. The body can be as large as `MAILKEEL_IMPORT_SIZE_LIMIT`. Entries are stored in groups of 500. If the request is interrupted, stored entries remain, and you can send the same body again. Invalid entries are counted as `failed` and do not affect the others. A body without any valid entry is rejected. With curl, use `--data-binary`.',
          body: suppressionImportBody,
          response: { 200: suppressionImport },
        },
      },
      async (request) => {
        const outcome = await withRows(request, bodyLimit, ({ pieces, ...file }) =>
          importSuppressions(context, request.caller.scope, readEntries(pieces, file)),
        );
        return { object: 'suppression_import' as const, ...outcome };
      },
    );
    done();
  });
}
