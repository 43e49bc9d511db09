// Description of a vendor's interface: its operations, where its key is sent, and how it reports a refusal.
import type { IncomingHttpHeaders } from 'node:http';
import type { Static, TSchema, TUnknown } from 'typebox';
import type { KeyPermission, Mode } from '../contract/names.js';
import type { Refusal } from '../contract/refusal.js';
import type { Expand } from './expansion.js';
import type { TakenFields } from './form-body.js';
import type { V1 } from './v1.js';

export interface CompatAnswer {
  status?: number;
  headers?: Record<string, string>;
  /** JSON; undefined for an empty body. */
  body?: unknown;
}

/** A request of a vendor's client, read and checked. */
export interface CompatCall<Body = unknown, Query = unknown> {
  body: Body;
  query: Query;
  /** Of the path, decoded. */
  params: Readonly<Record<string, string>>;
  headers: IncomingHttpHeaders;
  /** The operations of /v1, with the key of the request. */
  v1: V1;
  /** Of the appliance and this vendor, for links to further pages. */
  baseUrl: string;
  /** Of the key. */
  mode: Mode;
  requestId: string;
  /** Values that JSON within the body may have, as the body itself. */
  jsonMembers: number;
  /** Fills the copies of one request that stands for many messages. */
  expand: Expand;
}

interface RouteOf<B extends TSchema, Q extends TSchema> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the vendor's base; with `:name` parts. */
  path: string;
  /** That of the operation of /v1 that it uses. */
  permission: KeyPermission;
  /** Fields marked by `notHere` are refused with their sentence. */
  body?: B;
  query?: Q;
  /** The fields of the form, or of JSON in its place, that the operation takes. `body` is then `Type.Unknown()`. */
  form?: TakenFields;
  /** Whether the body may be as large as that of messages. */
  isLarge?: boolean;
  /** A body that works, or nearly: what the tests of permissions send. */
  example?: unknown;
  handle: (call: CompatCall<Static<B>, Static<Q>>) => Promise<CompatAnswer>;
}

export type CompatRoute = RouteOf<TSchema, TSchema>;

/** Types `handle` by the schemas of its route. */
export function compatRoute<B extends TSchema = TUnknown, Q extends TSchema = TUnknown>(
  route: RouteOf<B, Q>,
): CompatRoute {
  return route;
}

/** A request that is refused. */
export interface Asked {
  /** That of the refusal in /v1. */
  status: number;
  /** Below the vendor's base. */
  path: string;
}

export interface Vendor {
  /** Of the base path and the setting. */
  name: string;
  routes: readonly CompatRoute[];
  keyOf: (headers: IncomingHttpHeaders) => string | null;
  /**
   * Whether the vendor tracks opens and clicks of messages that do not say so; absent where that is a setting of the vendor's
   * account, in whose place the organization has its own.
   */
  isTracked?: boolean;
  /** The vendor's names of fields of /v1, for what /v1 refuses. */
  fields: Readonly<Record<string, string>>;
  /** A refusal in the vendor's shape. */
  errorAnswer: (refusal: Refusal, asked: Asked) => { status: number; body: unknown };
  /** The query as the schemas of its routes have it. */
  readQuery?: (query: Record<string, unknown>) => Record<string, unknown>;
  /** Reads bodies of `multipart/form-data` and `application/x-www-form-urlencoded` too. */
  takesForms?: true;
}

const NOT_HERE = 'x-not-here';

/** A field of the vendor's that cannot be had; `sentence` says what to do instead. */
export function notHere<S extends TSchema>(schema: S, sentence: string): S {
  return Object.assign(schema, { [NOT_HERE]: sentence });
}

/** The sentences of fields that are given and cannot be had, by their dotted paths. Empty values count as absent. */
export function notHereProblems(
  schema: TSchema,
  value: unknown,
  path = '',
): { path: string; message: string }[] {
  if (value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0))
    return [];
  const { properties, items, anyOf, ...rest } = schema as {
    properties?: Record<string, TSchema>;
    items?: TSchema;
    anyOf?: (TSchema & { const?: unknown; enum?: readonly unknown[] })[];
  };
  const sentence = (rest as Record<string, unknown>)[NOT_HERE];
  if (typeof sentence === 'string') return [{ path, message: sentence }];
  if (anyOf !== undefined) {
    const meant = anyOf.filter(
      ({ const: only, enum: words = [only] }) => words[0] === undefined || words.includes(value),
    );
    return meant.flatMap((one) => notHereProblems(one, value, path));
  }
  const below = (name: string | number): string => (path === '' ? String(name) : `${path}.${name}`);
  if (Array.isArray(value)) {
    return items === undefined
      ? []
      : value.flatMap((one: unknown, at) => notHereProblems(items, one, below(at)));
  }
  if (properties === undefined || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, one]) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return property === undefined ? [] : notHereProblems(property, one, below(name));
  });
}
