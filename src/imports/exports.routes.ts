// Routes of exports, which are created in the background and downloaded later. Contacts can also be streamed.
import { Readable } from 'node:stream';
import { Type, type TSchema } from 'typebox';
import {
  exportCreate,
  exportObject,
  exportQuery,
  type ExportQuery,
  EXPORT_KINDS,
  exportCreates,
  type ExportCreate,
} from './export.schema.js';
import { transferListQuery } from './import.schema.js';
import { listOf } from '../contract/lists.js';
import { Refusal, invalidFields } from '../contract/refusal.js';
import { deleted, idParams } from '../contract/schema.js';
import type { Clock } from '../lib/runtime/index.js';
import type { ImportContext } from './context.js';
import type { ImportStores } from './stores.js';
import { EXPORT_COLUMNS, MEDIA_TYPES } from './export-file.js';
import type { ContactExport, ExportRequest } from './exports.js';
import type { Transfers } from './transfers.js';
import type { Api } from '../http/api.js';
import { readPieces } from '../http/lists/reading.js';
import { readRange } from '../lib/http/index.js';
import { listAnswer, readPage } from '../http/lists/pages.js';
import { presentExport } from './transfer.view.js';
import { iso } from '../contract/time.js';
import { scopeWithField } from '../tenants/scope.routes.js';
import type { FastifyRequest, FastifySchemaCompiler } from 'fastify';
import { selectTrailEntries } from '../events/event-names.rules.js';
import { readInstant } from '../http/body/fields.js';
import { toMessageFilter } from '../messages/filter.routes.js';
import { positionAfter } from '../feed/events.routes.js';
import { toSuppressionFilter } from '../suppressions/filter.routes.js';
import { createValidatorCompiler } from '../http/body/validation.js';

// Body of POST /v1/exports, as the exports take it.
const NO_FILTERS = ['kind', 'format', 'sub_tenant_id'];

type Caller = Pick<FastifyRequest, 'server' | 'caller'>;

/** Checks a body against the schema of its kind alone, so that errors refer to that kind. */
const compileExportBody: FastifySchemaCompiler<TSchema> = (part) => {
  const compile = createValidatorCompiler();
  if (part.httpPart !== 'body') return compile(part);
  const validators = new Map(
    EXPORT_KINDS.map((kind) => [kind, compile({ ...part, schema: exportCreates[kind] })]),
  );
  return (body: unknown) => {
    const given: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'kind') : undefined;
    const kind = EXPORT_KINDS.find((one) => one === (given ?? 'contacts'));
    const validate = kind === undefined ? undefined : validators.get(kind);
    if (validate) return validate(body);
    return {
      error: invalidFields([{ path: 'kind', message: `must be one of ${EXPORT_KINDS.join(', ')}` }]),
    };
  };
};

/** Refused with `validation_error` for an invalid time, and with `invalid_cursor` for an unknown event. */
function readExportRequest(request: Caller, body: ExportCreate): ExportRequest {
  const format = body.format ?? (body.kind === 'workspace' ? 'ndjson' : 'csv');
  return { format, wanted: wantedRows(request, body) };
}

function wantedRows(request: Caller, body: ExportCreate): ExportRequest['wanted'] {
  if (body.kind === undefined || body.kind === 'contacts') {
    const { list_id: listId = null, tag = null, q, status } = body;
    const filter = {
      ...(q === undefined || q === '' ? {} : { q }),
      ...(status === undefined ? {} : { status: [status].flat() }),
      ...timesOf(body),
    };
    return { kind: 'contacts', listId, tag, filter };
  }
  switch (body.kind) {
    case 'messages':
      return { kind: body.kind, filter: toMessageFilter(body) };
    case 'events': {
      const { kind, events, after } = body;
      return {
        kind,
        entries: events === undefined ? null : selectTrailEntries(events),
        after: after === undefined ? null : String(placeInChain(request, after)),
      };
    }
    case 'suppressions':
      return { kind: body.kind, filter: toSuppressionFilter(body) };
    case 'workspace':
      return { kind: body.kind };
  }
}

/** Refused with `cursor_ahead` when a restore has undone the event. */
function placeInChain(request: Caller, after: string): number {
  const { position, lostAfter } = positionAfter(request, after, 'after');
  if (lostAfter === null) return position;
  const resume = { occurredAt: 0, position: lostAfter };
  const id = request.server.cursors.eventId(request.caller.scope.workspaceNumber, resume);
  throw new Refusal('cursor_ahead', undefined, { details: { resume_after: id } });
}

/** Returns the filters of a body. */
function filtersOf(body: ExportCreate): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !NO_FILTERS.includes(name)));
}

function timesOf({ created_after: after, created_before: before }: Times) {
  return {
    ...(after === undefined ? {} : { createdAfter: readInstant('created_after', after) }),
    ...(before === undefined ? {} : { createdBefore: readInstant('created_before', before) }),
  };
}

interface Times {
  created_after?: string;
  created_before?: string;
}

const tags = ['Exports'];

export function exportRoutes(
  app: Api,
  { store, clock }: Pick<ImportContext, 'store' | 'clock'>,
  transfers: Transfers,
): void {
  streamRoute(app, clock, transfers);
  createRoute(app, store, transfers);
  readRoutes(app, store);
  changeRoutes(app, transfers);
  fileRoute(app, store, transfers);
}

const file = (description: string) => ({ schema: Type.Unsafe<Readable>({ type: 'string', description }) });
const CONTACTS = {
  'text/csv': file(`Columns: ${EXPORT_COLUMNS.contacts.join(', ')}.`),
  'application/x-ndjson': file('One contact per line.'),
  'application/json': file('All contacts in an array.'),
};
const EXPORTED = {
  'text/csv': file(
    Object.entries(EXPORT_COLUMNS)
      .map(([kind, columns]) => `Columns for ${kind}: ${columns.join(', ')}.`)
      .join(' '),
  ),
  'application/x-ndjson': file(
    'One object per line, as in the list operation. A workspace export begins with a header and ends with a trailer.',
  ),
  'application/json': file('All objects in an array.'),
};

function readContacts({
  format = 'csv',
  list_id: listId,
  tag,
  status,
}: ExportQuery): ExportRequest<ContactExport> {
  const filter = status === undefined ? {} : { status: [status] };
  return { format, wanted: { kind: 'contacts', listId: listId ?? null, tag: tag ?? null, filter } };
}

function streamRoute(app: Api, clock: Clock, transfers: Transfers): void {
  app.get(
    '/v1/exports/contacts',
    {
      // Without HEAD, which would read all contacts and discard them.
      exposeHeadRoute: false,
      config: { reading: 'file' },
      schema: {
        operationId: 'contacts.export',
        tags: ['Contacts'],
        summary: 'Download contacts',
        description:
          'Returns contacts as CSV, JSON or newline-delimited JSON. Importing the file again changes nothing. In CSV, cells that a spreadsheet could interpret as a formula are prefixed with an apostrophe, which the import removes.',
        querystring: exportQuery,
        response: { 200: { description: 'The file, oldest first.', content: CONTACTS } },
      },
    },
    async (request, reply) => {
      const { scope } = request.caller;
      const wanted = readContacts(request.query);
      const name = `contacts-${iso(clock()).slice(0, 10)}.${wanted.format}`;
      const pieces = await transfers.streamContacts(scope, wanted);
      return reply
        .type(MEDIA_TYPES[wanted.format])
        .header('Content-Disposition', `attachment; filename="${name}"`)
        .send(Readable.from(readPieces(request, pieces)));
    },
  );
}

function createRoute(app: Api, store: ImportStores, transfers: Transfers): void {
  app.post(
    '/v1/exports',
    {
      // A key that may list the rows may export them.
      config: { optionalBody: true, permission: 'read' },
      validatorCompiler: compileExportBody,
      schema: {
        operationId: 'exports.create',
        tags,
        summary: 'Create an export',
        description:
          'Exports contacts, messages, events or suppressions to a file in the background. Accepts the same filters as the list operation of that kind. The file has the objects that existed at the time of the request, oldest first. In CSV, cells that a spreadsheet could interpret as a formula are prefixed with an apostrophe. The kind `workspace` exports sub-tenants, suppressions, templates, lists, contacts, senders, webhook endpoints and more to one NDJSON file that another Mailkeel server can import.',
        body: exportCreate,
        response: { 202: exportObject },
      },
    },
    async (request, reply) => {
      const { body, caller } = request;
      const scope = await scopeWithField(store.tenants, caller.scope, body.sub_tenant_id);
      const wanted = readExportRequest(request, body);
      return reply
        .status(202)
        .send(presentExport(await transfers.startExport(scope, wanted, filtersOf(body))));
    },
  );
}

function readRoutes(app: Api, store: ImportStores): void {
  app.get(
    '/v1/exports',
    {
      schema: {
        operationId: 'exports.list',
        tags,
        summary: 'List exports',
        description: 'Returns exports, newest first.',
        querystring: transferListQuery,
        response: { 200: listOf(exportObject) },
      },
    },
    async (request) => {
      const page = await store.transfers.transfers(request.caller.scope, 'export', readPage(request));
      return listAnswer(request, page, presentExport);
    },
  );

  app.get(
    '/v1/exports/:id',
    {
      schema: {
        operationId: 'exports.get',
        tags,
        summary: 'Retrieve an export',
        description: 'Returns the status and progress of an export.',
        params: idParams,
        response: { 200: exportObject },
      },
    },
    async (request) => {
      const found = await store.transfers.transfer(request.caller.scope, 'export', request.params.id);
      if (!found) throw new Refusal('not_found');
      return presentExport(found);
    },
  );
}

function changeRoutes(app: Api, transfers: Transfers): void {
  app.post(
    '/v1/exports/:id/cancel',
    {
      config: { optionalBody: true },
      schema: {
        operationId: 'exports.cancel',
        tags,
        summary: 'Cancel an export',
        description: 'Stops an export and deletes its file.',
        params: idParams,
        response: { 200: exportObject },
      },
    },
    async (request) =>
      presentExport(await transfers.cancel(request.caller.scope, 'export', request.params.id)),
  );

  app.delete(
    '/v1/exports/:id',
    {
      schema: {
        operationId: 'exports.delete',
        tags,
        summary: 'Delete an export',
        description:
          "Deletes an export and its file, and stops the export if it is running. The file no longer counts toward the workspace's storage quota.",
        params: idParams,
        response: { 200: deleted('export') },
      },
    },
    async (request) => {
      const { id } = request.params;
      await transfers.deleteExport(request.caller.scope, id);
      return { id, object: 'export' as const, deleted: true as const };
    },
  );
}

function fileRoute(app: Api, store: ImportStores, transfers: Transfers): void {
  app.get(
    '/v1/exports/:id/file',
    {
      exposeHeadRoute: false,
      schema: {
        operationId: 'exports.getFile',
        tags,
        summary: 'Download an export file',
        description:
          'Returns the file of a completed export. Supports the `Range` header for partial downloads.',
        params: idParams,
        response: {
          200: { description: 'The file, oldest first.', content: EXPORTED },
          206: { description: 'The requested range.', content: EXPORTED },
        },
      },
    },
    async (request, reply) => {
      const found = await store.transfers.transfer(request.caller.scope, 'export', request.params.id);
      if (!found) throw new Refusal('not_found');
      if (found.status !== 'completed') throw new Refusal('conflict', 'The export is not complete yet.');
      const range = readRange(request.headers.range, found.size_bytes);
      if (!range) {
        throw new Refusal(
          'bad_request',
          `The file is ${found.size_bytes} bytes long, and the requested Range is outside it.`,
        );
      }
      const octets = await transfers.exportedFile(found, range);
      if (!octets && range.end > range.start)
        throw new Refusal('not_found', 'The file is no longer available.');
      if (!range.isWhole) {
        reply
          .status(206)
          .header('Content-Range', `bytes ${range.start}-${range.end - 1}/${found.size_bytes}`);
      }
      return reply
        .type(MEDIA_TYPES[found.format])
        .header('Accept-Ranges', 'bytes')
        .header('Content-Length', String(range.end - range.start))
        .header('Content-Disposition', `attachment; filename="${found.id}.${found.format}"`)
        .send(octets ?? Readable.from([]));
    },
  );
}
