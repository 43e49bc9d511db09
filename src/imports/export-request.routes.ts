// What the body of POST /v1/exports asks for, as the exports take it.
import type { FastifyRequest, FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { EXPORT_KINDS, exportCreates } from './export.schema.js';
import type { ExportCreate } from './export.schema.js';
import { invalidFields } from '../contract/refusal.js';
import { trailEntriesOf } from '../webhooks/event.rules.js';
import type { ExportRequest } from './exports.js';
import { readInstant } from '../api/instant-field.js';
import { messageFilterOf } from '../messages/filter.routes.js';
import { positionAfter } from '../events/events.routes.js';
import { suppressionFilterOf } from '../suppressions/filter.routes.js';
import { createValidatorCompiler } from '../api/validation.js';

const NO_FILTERS = ['kind', 'format', 'sub_tenant_id'];

type Caller = Pick<FastifyRequest, 'server' | 'caller'>;

/** Checks a body against the schema of its kind alone, so that what is wrong is said of that. */
export const compileExportBody: FastifySchemaCompiler<TSchema> = (part) => {
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

/** Refused with `validation_error` for a time that is none, with `invalid_cursor` for an event that is none. */
export function readExportRequest(request: Caller, body: ExportCreate): ExportRequest {
  return { format: body.format ?? 'csv', wanted: wantedRows(request, body) };
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
      return { kind: body.kind, filter: messageFilterOf(body) };
    case 'events': {
      const { kind, events, after } = body;
      return {
        kind,
        entries: events === undefined ? null : trailEntriesOf(events),
        after: after === undefined ? null : String(positionAfter(request, after, 'after')),
      };
    }
    case 'suppressions':
      return { kind: body.kind, filter: suppressionFilterOf(body) };
  }
}

/** The filters of a body as it has them. */
export function filtersOf(body: ExportCreate): Record<string, unknown> {
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
