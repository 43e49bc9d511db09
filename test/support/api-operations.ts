// Reads the operations of the OpenAPI document, and generates values that their schemas accept.
import { readFileSync } from 'node:fs';

export interface Schema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  example?: unknown;
  examples?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  format?: string;
  pattern?: string;
  minimum?: number;
  minLength?: number;
  minItems?: number;
}

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema: Schema;
}

export interface Operation {
  id: string;
  method: string;
  /** With parameters in braces. */
  path: string;
  isPublic: boolean;
  /** Its response never ends. */
  streams: boolean;
  parameters: Parameter[];
  /** By content type. */
  bodies: Record<string, { schema: Schema; example?: unknown }>;
}

export interface ApiDocument {
  paths: Record<
    string,
    Record<
      string,
      {
        operationId: string;
        security?: unknown[];
        parameters?: Parameter[];
        requestBody?: { content: Operation['bodies'] };
        responses: Record<string, { content?: Record<string, unknown> }>;
      }
    >
  >;
}

let document: ApiDocument | null = null;
let operations: Operation[] | null = null;

/** The document in docs/, read once per worker. test/http/openapi.test.ts checks that the program serves it. */
export function apiDocument(): ApiDocument {
  document ??= JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as ApiDocument;
  return document;
}

/** The operations of that document. */
export function apiOperations(): readonly Operation[] {
  operations ??= operationsOf(apiDocument());
  return operations;
}

/** A part of a document with its references resolved. */
export function inlined<T>(part: T, document: unknown): T {
  return follow(part, document) as T;
}

function follow(part: unknown, document: unknown): unknown {
  if (Array.isArray(part)) return part.map((one: unknown) => follow(one, document));
  if (typeof part !== 'object' || part === null) return part;
  const { $ref: reference, ...rest } = part as Record<string, unknown>;
  const steps = typeof reference === 'string' ? reference.split('/').slice(1) : [];
  const own = Object.entries(rest).map(([key, value]) => [key, follow(value, document)] as const);
  if (steps.length === 0) return Object.fromEntries(own);
  const target = steps.reduce((at, step) => (at as Record<string, unknown>)[step], document);
  return { ...(follow(target, document) as object), ...Object.fromEntries(own) };
}

export function operationsOf(given: ApiDocument): Operation[] {
  const document = { ...given, paths: inlined(given.paths, given) };
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      id: operation.operationId,
      method: method.toUpperCase(),
      path,
      isPublic: operation.security?.length === 0,
      streams: Object.values(operation.responses).some(
        (answer) => 'text/event-stream' in (answer.content ?? {}),
      ),
      parameters: operation.parameters ?? [],
      bodies: operation.requestBody?.content ?? {},
    })),
  );
}

/**
 * A JSON body that passes validation: the operation's own example, or one generated from its schema. Undefined if it has no body.
 */
export function jsonBodyOf({ bodies }: Operation): unknown {
  const body = bodies['application/json'];
  if (!body) return undefined;
  if (body.example !== undefined) return structuredClone(body.example);
  return valueOf(body.schema, '');
}

/** Names that refer to another object. */
export function isReference(name: string): boolean {
  return /(^|_)ids?$/.test(name) && name !== 'external_id';
}

/** A value of a schema: with its required properties, or with one if none is required. */
export function valueOf(schema: Schema, name: string): unknown {
  const told = schema.example ?? schema.examples?.[0] ?? schema.const ?? schema.enum?.[0];
  if (told !== undefined) return structuredClone(told);
  const choice = (schema.anyOf ?? schema.oneOf)?.find((one) => one.type !== 'null');
  if (choice) return valueOf(choice, name);
  switch ([schema.type].flat()[0]) {
    case 'object':
      return objectOf(schema);
    case 'array':
      return schema.items ? [valueOf(schema.items, name)] : [];
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    case undefined:
    default:
      return textOf(schema, name);
  }
}

function objectOf({ properties = {}, required = [] }: Schema): Record<string, unknown> {
  const optional = Object.keys(properties).filter((name) => !isReference(name));
  const names = required.length > 0 ? required : optional.slice(0, 1);
  return Object.fromEntries(names.map((name) => [name, valueOf(properties[name] ?? {}, name)]));
}

function textOf({ format, minLength = 1 }: Schema, name: string): string {
  if (format === 'date-time' || /_at$|^since$|^until$/.test(name)) return '2030-01-01T00:00:00.000Z';
  if (/email|^to$/.test(name)) return 'somebody@example.com';
  if (/url/.test(name)) return 'https://hooks.example.com/in';
  if (/domain/.test(name)) return 'somewhere.example';
  return 'x'.repeat(Math.max(minLength, 12));
}
