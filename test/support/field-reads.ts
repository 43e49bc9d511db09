// Records the fields of requests that handlers read. Parameters, query and body of each request are replaced by proxies just
// before its handler runs, through the diagnostics channel that Fastify publishes. The route's own schemas give the declared
// fields.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyRequest } from 'fastify';
import { readOperation } from '../../src/http/operation.js';
import type { Schema } from './api-operations.js';

const START = 'tracing:fastify.request.handler:start';

/** A field as named in the report: `query.limit`, `body.content.html`, `body.files[].name`. */
export interface FieldReads {
  /** Operations whose handler ran. */
  ran: ReadonlySet<string>;
  /** Each declared field that no handler read, prefixed with its operation. */
  unread: () => string[];
  stop: () => void;
}

/** Records from now on. */
export function recordFieldReads(): FieldReads {
  const declared = new Set<string>();
  const read = new Set<string>();
  const ran = new Set<string>();

  function watch(message: unknown): void {
    const { request } = message as { request: FastifyRequest };
    const { operationId, body, querystring, params } = readOperation(request);
    if (operationId === undefined) return;
    const note = (path: string): void => void read.add(`${operationId}: ${path}`);
    const parts = { body, query: querystring, params };
    for (const [part, schema] of Object.entries(parts)) {
      if (schema === undefined) continue;
      if (!ran.has(operationId)) {
        for (const path of fieldsOf(schema, part)) declared.add(`${operationId}: ${path}`);
      }
      const name = part as 'body' | 'query' | 'params';
      request[name] = watched(request[name], schema, { path: part, note });
    }
    ran.add(operationId);
  }

  subscribe(START, watch);
  return {
    ran,
    unread: () => [...declared].filter((field) => !read.has(field)),
    stop: () => void unsubscribe(START, watch),
  };
}

interface Watch {
  path: string;
  note: (path: string) => void;
}

/** The schema itself, or those of its alternatives. */
function choicesOf(schema: Schema): Schema[] {
  const choices = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  return [schema, ...choices.flatMap(choicesOf)];
}

function propertiesOf(schema: Schema): Map<string, Schema[]> {
  const found = new Map<string, Schema[]>();
  for (const { properties = {} } of choicesOf(schema)) {
    for (const [name, one] of Object.entries(properties)) found.set(name, [...(found.get(name) ?? []), one]);
  }
  return found;
}

function itemsOf(schema: Schema): Schema {
  return { anyOf: choicesOf(schema).flatMap(({ items }) => (items === undefined ? [] : [items])) };
}

/** The paths of all fields below a value of this schema. */
function fieldsOf(schema: Schema, path: string, depth = 0): string[] {
  if (depth > 12) return [];
  const properties = propertiesOf(schema);
  const own = [...properties].flatMap(([name, schemas]) => {
    const below = `${path}.${name}`;
    return [below, ...fieldsOf({ anyOf: schemas }, below, depth + 1)];
  });
  const items = itemsOf(schema);
  return [...own, ...(items.anyOf?.length ? fieldsOf(items, `${path}[]`, depth + 1) : [])];
}

/** The value with a proxy for each object whose fields the schema names. */
function watched(value: unknown, schema: Schema, { path, note }: Watch): unknown {
  if (Array.isArray(value)) {
    return value.map((one: unknown) => watched(one, itemsOf(schema), { path: `${path}[]`, note }));
  }
  const properties = propertiesOf(schema);
  if (typeof value !== 'object' || value === null || properties.size === 0) return value;
  const inside = Object.fromEntries(
    Object.entries(value).map(([name, one]) => {
      const at = { path: `${path}.${name}`, note };
      return [name, watched(one, { anyOf: properties.get(name) ?? [] }, at)];
    }),
  );
  return noting(inside, (name) => note(`${path}.${name}`));
}

/**
 * An object that records fields read by name. Copying the object, listing its fields and serializing it read all fields and prove
 * nothing, so listing a field permits one read of it that is not recorded.
 */
function noting(target: Record<string, unknown>, note: (name: string) => void): Record<string, unknown> {
  let listed = new Set<PropertyKey>();
  const looked = new Set<PropertyKey>();
  return new Proxy(target, {
    ownKeys(object) {
      const names = Reflect.ownKeys(object);
      listed = new Set(names);
      looked.clear();
      // If only the names were needed, later reads count as reads of the fields.
      queueMicrotask(() => looked.clear());
      return names;
    },
    getOwnPropertyDescriptor(object, name) {
      if (listed.delete(name)) looked.add(name);
      return Reflect.getOwnPropertyDescriptor(object, name);
    },
    get(object, name, receiver) {
      if (!looked.delete(name) && typeof name === 'string') note(name);
      return Reflect.get(object, name, receiver);
    },
    has(object, name) {
      if (typeof name === 'string') note(name);
      return Reflect.has(object, name);
    },
  });
}
