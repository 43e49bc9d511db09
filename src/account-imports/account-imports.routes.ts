// Imports of accounts at other vendors.
import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { callConsent } from '../contacts/fields.routes.js';
import { orderedQuery } from '../contract/lists.js';
import { Refusal, invalidFields } from '../contract/refusal.js';
import { idParams } from '../contract/schema.js';
import type { Api } from '../http/api.js';
import { readLanguage, sayIn } from '../http/language.js';
import { resource } from '../http/lists/resource.js';
import { scopeWithField } from '../tenants/scope.routes.js';
import { takeRows, withRows } from '../http/body/rows-body.js';
import { withFields } from '../http/body/rows-fields.js';
import type { Config } from '../settings/settings.js';
import {
  accountImport,
  accountImportCreate,
  accountImportFile,
  accountImportUpload,
} from './account-import.schema.js';
import { presentAccountImport } from './account-import.view.js';
import type { AccountImports } from './account-imports.js';
import { IMPORT_KINDS, type ImportKind } from './kinds.rules.js';
import { reportFile } from './report.js';
import type { AccountImportStores } from './stores.js';

const tags = ['Account imports'];
/** Media types of archives and dumps. */
const FILE_TYPES = [
  ...['application/zip', 'application/x-zip-compressed', 'application/gzip', 'application/x-gzip'],
  ...['application/sql', 'application/x-sql'],
];
const ACCOUNT_IMPORTS = {
  path: '/v1/account-imports',
  operations: 'accountImports',
  tag: 'Account imports',
  object: 'account_import',
  schema: accountImport,
} as const;

export function accountImportRoutes(
  app: Api,
  { store, config }: { store: AccountImportStores; config: Pick<Config, 'importSizeLimitBytes'> },
  imports: AccountImports,
): void {
  createRoute(app, store, imports);
  uploadRoute(app, { store, config }, imports);
  const plain = resource(app, ACCOUNT_IMPORTS);
  plain.list({
    summary: 'List account imports',
    description: 'Returns account imports, newest first.',
    query: orderedQuery,
    read: ({ caller }, page) => store.accountImports.accountImports(caller.scope, page),
    present: presentAccountImport,
  });
  plain.get({
    summary: 'Retrieve an account import',
    description: 'Returns the status and the counts of an account import. The credentials are not included.',
    find: ({ caller, params }) => store.accountImports.accountImport(caller.scope, params.id),
    present: presentAccountImport,
  });
  cancelRoute(app, imports);
  reportRoute(app, store);
}

function createRoute(app: Api, store: AccountImportStores, imports: AccountImports): void {
  app.post(
    '/v1/account-imports',
    {
      config: { role: 'admin' },
      schema: {
        operationId: 'accountImports.create',
        tags,
        summary: 'Create an account import',
        description:
          'Imports suppressions, lists, contacts, templates, domains and webhooks from an account at another vendor in the background. Mailkeel does not change the account at the vendor. You can repeat an import, because objects of an earlier import are not created again. Users need the role `admin`.',
        body: accountImportCreate,
        response: { 202: accountImport },
      },
    },
    async (request, reply) => {
      const { body, caller } = request;
      const { api_key, account_token, region, url, user, token } = body.connection;
      const { access_key_id, secret_access_key, aws_region } = body.connection;
      const scope = await scopeWithField(store.tenants, caller.scope, body.sub_tenant_id);
      const row = await imports.start(scope, {
        source: body.source,
        connection: {
          ...{ api_key, account_token, region, url, user, token },
          ...{ access_key_id, secret_access_key, aws_region },
        },
        kinds: body.kinds,
        isDryRun: body.dry_run ?? false,
        consent: callConsent(request),
      });
      return reply.status(202).send(presentAccountImport(row));
    },
  );
}

function uploadRoute(
  app: Api,
  {
    store,
    config: { importSizeLimitBytes },
  }: { store: AccountImportStores; config: Pick<Config, 'importSizeLimitBytes'> },
  imports: AccountImports,
): void {
  // A separate scope, because only this route reads its body itself.
  void app.register((scope: Api, _options, done) => {
    takeRows(scope, FILE_TYPES);
    // The body is a stream, which is checked as it arrives.
    const validatorCompiler: typeof app.validatorCompiler = (part) =>
      part.httpPart === 'body' ? () => true : (app.validatorCompiler?.(part) ?? (() => true));
    scope.post(
      '/v1/account-imports/upload',
      {
        bodyLimit: importSizeLimitBytes,
        config: { idempotency: 'none', role: 'admin' },
        validatorCompiler,
        schema: {
          operationId: 'accountImports.upload',
          tags,
          summary: 'Create an account import from a file',
          description:
            'Imports the file of a workspace export, or a file of another program, in the background. Objects of an earlier import are not created again, so an import can be repeated. An incomplete file is refused, and the file is deleted when the import ends. Users need the role `admin`. With curl, use `--data-binary`.',
          querystring: accountImportUpload,
          body: accountImportFile,
          response: { 202: accountImport },
        },
      },
      async (request, reply) =>
        withRows(request, importSizeLimitBytes, async ({ fields, pieces, charset }) => {
          const query = withFields(app, request.query, { schema: accountImportUpload, fields });
          const whose = await scopeWithField(store.tenants, request.caller.scope, query.sub_tenant_id);
          const wanted = {
            source: query.source ?? 'mailkeel',
            name: query.name ?? null,
            kinds: readKinds(query.kinds),
            isDryRun: query.dry_run ?? false,
            consent: callConsent(request),
          };
          return reply
            .status(202)
            .send(presentAccountImport(await imports.startWithFile(whose, wanted, { pieces, charset })));
        }),
    );
    done();
  });
}

function readKinds(text: string | undefined): ImportKind[] | undefined {
  if (text === undefined) return undefined;
  return text.split(',').map((name) => {
    const kind = IMPORT_KINDS.find((one) => one === name.trim());
    if (kind !== undefined) return kind;
    throw invalidFields([
      { path: 'kinds', message: `must contain only these values: ${IMPORT_KINDS.join(', ')}` },
    ]);
  });
}

function cancelRoute(app: Api, imports: AccountImports): void {
  app.post(
    '/v1/account-imports/:id/cancel',
    {
      config: { role: 'admin', optionalBody: true },
      schema: {
        operationId: 'accountImports.cancel',
        tags,
        summary: 'Cancel an account import',
        description:
          'Stops an account import and deletes its credentials. Objects that are already imported remain.',
        params: idParams,
        response: { 200: accountImport },
      },
    },
    async ({ caller, params }) => presentAccountImport(await imports.cancel(caller.scope, params.id)),
  );
}

function reportRoute(app: Api, store: AccountImportStores): void {
  app.get(
    '/v1/account-imports/:id/report',
    {
      exposeHeadRoute: false,
      schema: {
        operationId: 'accountImports.getReport',
        tags,
        summary: 'Download the report of an account import',
        description:
          'Returns the objects that were left out as CSV with the columns `kind`, `external_id`, `name`, `line` and `problem`. `line` is a line of a template. Values that a spreadsheet could interpret as a formula are prefixed with an apostrophe.',
        params: idParams,
        response: {
          200: {
            description: 'The file. It has only a header if nothing was left out.',
            content: { 'text/csv': { schema: Type.Unsafe<Readable>({ type: 'string' }) } },
          },
        },
      },
    },
    async (request, reply) => {
      const { caller, params } = request;
      const found = await store.accountImports.accountImport(caller.scope, params.id);
      if (!found) throw new Refusal('not_found');
      const language = readLanguage(request);
      return reply
        .type('text/csv; charset=utf-8; header=present')
        .header('Vary', 'Accept-Language')
        .header('Content-Language', language)
        .header('Content-Disposition', `attachment; filename="${found.id}-report.csv"`)
        .send(Readable.from(reportFile(store, found, sayIn(language))));
    },
  );
}
