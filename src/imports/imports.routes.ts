// Routes of contact imports. The body is on disk before the response, and its rows are processed in the background.
import { Readable } from 'node:stream';
import { Type } from 'typebox';
import {
  contactImport,
  importBody,
  importPreview,
  importQuery,
  previewQuery,
  transferListQuery,
} from './import.schema.js';
import { readPreview } from './file-look.js';
import { listOf } from '../contract/lists.js';
import { Refusal, invalidFields } from '../contract/refusal.js';
import { idParams, MAX_TAG, MAX_TAGS } from '../contract/schema.js';
import type { ImportContext } from './context.js';
import type { ImportStores } from './stores.js';
import type { Transfers } from './transfers.js';
import type { Api } from '../http/api.js';
import { callConsent } from '../contacts/fields.routes.js';
import { listAnswer, readPage } from '../http/lists/pages.js';
import { presentImport } from './transfer.view.js';
import { readLanguage, sayIn } from '../http/language.js';
import { translatedReport } from './rejected-rows.js';
import { takeRows, withRows } from '../http/body/rows-body.js';
import { withFields } from '../http/body/rows-fields.js';
import { scopeWithField } from '../tenants/scope.routes.js';

const tags = ['Imports'];

export function importRoutes(
  app: Api,
  { store, config }: Pick<ImportContext, 'store' | 'config'>,
  transfers: Transfers,
): void {
  createRoutes(app, { store, config }, transfers);
  readRoutes(app, store, transfers);
  rejectedRoute(app, store, transfers);
}

function createRoutes(
  app: Api,
  { store, config: { importSizeLimitBytes } }: Pick<ImportContext, 'store' | 'config'>,
  transfers: Transfers,
): void {
  // A separate scope, because only these routes read their bodies themselves.
  void app.register((scope: Api, _options, done) => {
    takeRows(scope);
    // The body is a stream, and its rows are judged one by one.
    const validatorCompiler: typeof app.validatorCompiler = (part) =>
      part.httpPart === 'body' ? () => true : (app.validatorCompiler?.(part) ?? (() => true));
    scope.post(
      '/v1/imports',
      {
        bodyLimit: importSizeLimitBytes,
        config: { idempotency: 'none' },
        validatorCompiler,
        schema: {
          operationId: 'imports.create',
          tags,
          summary: 'Create an import',
          description:
            'Imports contacts from CSV or JSON in the background. If a contact with the address exists, it is updated: given fields are overwritten, tags are added, and metadata is merged by key. Columns and fields that mark a contact as unsubscribed, bounced or complained set its status and suppress the address. An existing contact with one of these statuses keeps it, and a contact who unsubscribed from the list is not added again. Invalid rows are rejected individually. With curl, use `--data-binary`.',
          querystring: importQuery,
          body: importBody,
          response: { 202: contactImport },
        },
      },
      async (request, reply) =>
        withRows(request, importSizeLimitBytes, async ({ fields, format, charset, pieces }) => {
          const query = withFields(app, request.query, { schema: importQuery, fields });
          const wanted = {
            format,
            charset,
            mode: query.mode ?? 'upsert',
            tags: readTags(query.tags),
            dryRun: query.dry_run ?? false,
            mapping: query.columns ?? {},
            listId: query.list_id ?? null,
            consent: callConsent(request),
          };
          const whose = await scopeWithField(store.tenants, request.caller.scope, query.sub_tenant_id);
          return reply.status(202).send(presentImport(await transfers.startImport(whose, wanted, pieces)));
        }),
    );

    scope.post(
      '/v1/imports/preview',
      {
        bodyLimit: importSizeLimitBytes,
        config: { idempotency: 'none', audit: false },
        validatorCompiler,
        schema: {
          operationId: 'imports.preview',
          tags,
          summary: 'Preview an import',
          description:
            'Reads the first rows of a file and returns how its columns would be mapped, without changing anything. Sending the first 128 KiB of the file is sufficient.',
          querystring: previewQuery,
          body: importBody,
          response: { 200: importPreview },
        },
      },
      async (request) =>
        withRows(request, importSizeLimitBytes, async ({ fields, format, charset, pieces }) => {
          const query = withFields(app, request.query, { schema: previewQuery, fields });
          const preview = await readPreview(pieces, { format, charset, mapping: query.columns ?? {} });
          return { object: 'import_preview' as const, ...preview };
        }),
    );
    done();
  });
}

function readTags(text: string | undefined): string[] {
  const wanted = [...new Set((text ?? '').split(',').map((tag) => tag.trim()))].filter((tag) => tag !== '');
  if (wanted.length > MAX_TAGS || wanted.some((tag) => tag.length > MAX_TAG || tag.includes('\0'))) {
    throw invalidFields([
      { path: 'tags', message: `must contain at most ${MAX_TAGS} tags of up to ${MAX_TAG} characters each` },
    ]);
  }
  return wanted;
}

function readRoutes(app: Api, store: ImportStores, transfers: Transfers): void {
  app.get(
    '/v1/imports',
    {
      schema: {
        operationId: 'imports.list',
        tags,
        summary: 'List imports',
        description: 'Returns imports, newest first.',
        querystring: transferListQuery,
        response: { 200: listOf(contactImport) },
      },
    },
    async (request) => {
      const page = await store.transfers.transfers(request.caller.scope, 'import', readPage(request));
      return listAnswer(request, page, presentImport);
    },
  );

  app.get(
    '/v1/imports/:id',
    {
      schema: {
        operationId: 'imports.get',
        tags,
        summary: 'Retrieve an import',
        description: 'Returns the status, progress and row counts of an import.',
        params: idParams,
        response: { 200: contactImport },
      },
    },
    async (request) => {
      const found = await store.transfers.transfer(request.caller.scope, 'import', request.params.id);
      if (!found) throw new Refusal('not_found');
      return presentImport(found);
    },
  );

  app.post(
    '/v1/imports/:id/cancel',
    {
      config: { optionalBody: true },
      schema: {
        operationId: 'imports.cancel',
        tags,
        summary: 'Cancel an import',
        description: 'Stops an import. Contacts that are already imported remain.',
        params: idParams,
        response: { 200: contactImport },
      },
    },
    async (request) =>
      presentImport(await transfers.cancel(request.caller.scope, 'import', request.params.id)),
  );
}

function rejectedRoute(app: Api, store: ImportStores, transfers: Transfers): void {
  app.get(
    '/v1/imports/:id/rejected',
    {
      exposeHeadRoute: false,
      schema: {
        operationId: 'imports.getRejectedRows',
        tags,
        summary: 'Download rejected rows',
        description:
          'Returns the rejected rows of an import as CSV with the columns `line`, `problem` and `row`. Values that a spreadsheet could interpret as a formula are prefixed with an apostrophe.',
        params: idParams,
        response: {
          200: {
            description: 'The file. It has only a header if no rows were rejected.',
            content: { 'text/csv': { schema: Type.Unsafe<Readable>({ type: 'string' }) } },
          },
        },
      },
    },
    async (request, reply) => {
      const found = await store.transfers.transfer(request.caller.scope, 'import', request.params.id);
      if (!found) throw new Refusal('not_found');
      const language = readLanguage(request);
      const report = await transfers.rejectedRows(found);
      return reply
        .type('text/csv; charset=utf-8; header=present')
        .header('Vary', 'Accept-Language')
        .header('Content-Language', language)
        .header('Content-Disposition', `attachment; filename="${found.id}-rejected.csv"`)
        .send(language === 'en' ? report : Readable.from(translatedReport(report, sayIn(language))));
    },
  );
}
