// The parts of an OpenAPI 3.1 document that the reference shows.

export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  description?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  format?: string;
}

export interface Parameter {
  in: string;
  name: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
}

export interface Media {
  schema?: Schema;
  example?: unknown;
  examples?: Record<string, { $ref?: string; value?: unknown }>;
}

/** An example has either its value or a URL. */
interface Example {
  value?: unknown;
  externalValue?: string;
}

export interface Answer {
  description?: string;
  content?: Record<string, Media>;
}

interface Operation {
  operationId?: string;
  tags?: string[];
  summary?: string;
  description?: string;
  security?: unknown[];
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { content?: Record<string, Media> };
  responses?: Record<string, Answer | { $ref: string }>;
}

export interface Described {
  info: { title: string; version: string; description?: string };
  servers?: { url: string }[];
  tags?: { name: string; description?: string }[];
  paths?: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, { post?: Operation }>;
  components?: { schemas?: Record<string, Schema>; examples?: Record<string, Example> };
}

/** An operation with its path and method. */
export interface Entry {
  id: string;
  method: string;
  path: string;
  operation: Operation;
}

/** Operations under one tag, in the document's order. */
export interface Group {
  name: string;
  slug: string;
  description: string;
  entries: Entry[];
}

/** Returns the tags in order, each with its operations. Tags without operations are left out. */
export function groupOperations(document: Described): Group[] {
  const groups = new Map<string, Group>();
  for (const { name, description = '' } of document.tags ?? []) {
    groups.set(name, { name, slug: toSlug(name), description, entries: [] });
  }
  for (const [path, methods] of Object.entries(document.paths ?? {})) {
    for (const [method, operation] of Object.entries(methods)) {
      const name = operation.tags?.[0] ?? 'Other';
      const group = groups.get(name) ?? { name, slug: toSlug(name), description: '', entries: [] };
      groups.set(name, group);
      const id = operation.operationId ?? `${method} ${path}`;
      group.entries.push({ id, method: method.toUpperCase(), path, operation });
    }
  }
  return [...groups.values()].filter(({ entries }) => entries.length > 0);
}

/** Returns the named schemas except closed sets of words. */
export function listObjects(document: Described): [name: string, schema: Schema][] {
  return Object.entries(document.components?.schemas ?? {}).filter(([, schema]) => schema.enum === undefined);
}

export function toSlug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** Resolves a `#/components/…` reference; any other value is returned as is. */
export function resolveReference<T extends object>(part: T | { $ref: string }, document: Described): T {
  if (!('$ref' in part) || typeof part.$ref !== 'string') return part as T;
  const steps = part.$ref.split('/').slice(1);
  return steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], document) as T;
}

/** Returns `Message` for `#/components/schemas/Message`, or null for an unnamed schema. */
export function schemaName(schema: Schema): string | null {
  return schema.$ref?.split('/').at(-1) ?? null;
}
