// Describes a vendor's API: its operations, how clients send the key, and the form of errors.
import type { IncomingHttpHeaders } from 'node:http';
import type { Static, TSchema, TUnknown } from 'typebox';
import type { FastifyRequest } from 'fastify';
import type { KeyPermission, Mode } from '../contract/names.js';
import { Refusal } from '../contract/refusal.js';
import type { SignatureReader } from '../http/access/signature.js';
import type { CompatContext } from './context.js';
import type { Expand } from './expansion.js';
import type { TakenFields } from './form-body.js';
import type { V1 } from './v1.js';

export interface CompatAnswer {
  status?: number;
  headers?: Record<string, string>;
  /** JSON, or text if there is a type; undefined for an empty body. */
  body?: unknown;
  /** Media type of a text. */
  type?: string;
}

/** A vendor client's request, parsed and validated. */
export interface CompatCall<Body = unknown, Query = unknown> {
  body: Body;
  query: Query;
  /** Path parameters, decoded. */
  params: Readonly<Record<string, string>>;
  headers: IncomingHttpHeaders;
  /** The operations of /v1, called with the request's key. */
  v1: V1;
  /** Base URL of this server and vendor, for links to other pages. */
  baseUrl: string;
  /** Environment of the key. */
  mode: Mode;
  requestId: string;
  /** Most values of JSON within the body, as for the body itself. */
  jsonMembers: number;
  /** Fills the copies of a request that stands for many messages. */
  expand: Expand;
}

interface RouteOf<B extends TSchema, Q extends TSchema> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path below the vendor's base, with `:name` parameters. */
  path: string;
  /** Permission of the /v1 operation that it uses. */
  permission: KeyPermission;
  /** Fields marked by `notHere` are refused with their sentence. */
  body?: B;
  query?: Q;
  /** Fields that the operation accepts in a form, or in JSON instead. `body` is then `Type.Unknown()`. */
  form?: TakenFields;
  /** True if the body may be as large as that of messages. */
  isLarge?: boolean;
  /** A valid or nearly valid body, for the permission tests. */
  example?: unknown;
  handle: (call: CompatCall<Static<B>, Static<Q>>) => Promise<CompatAnswer>;
}

export type CompatRoute = RouteOf<TSchema, TSchema>;

/** Derives the types of `handle` from the route's schemas. */
export function compatRoute<B extends TSchema = TUnknown, Q extends TSchema = TUnknown>(
  route: RouteOf<B, Q>,
): CompatRoute {
  return route;
}

/** Refuses an operation of the vendor that Mailkeel does not have. */
export class UnknownOperation extends Refusal {
  constructor(message: string) {
    super('not_found', message);
  }
}

/** A refused request. */
export interface Asked {
  /** Status of the refusal in /v1. */
  status: number;
  /** Path below the vendor's base. */
  path: string;
  requestId: string;
}

/** Operations that share one path, and that the body names. */
interface Actions {
  routes: readonly CompatRoute[];
  /** Finds the operation, and validates its parameters. Throws a Refusal. */
  read: (body: unknown) => { route: CompatRoute; body: unknown };
}

/** Paths below the vendor's base, with `:name` parameters, and what to use instead of the operations at and below each. */
export type NotServed = Readonly<Record<string, string>>;

export interface Vendor {
  /** Name in the base path and the setting. */
  name: string;
  routes: readonly CompatRoute[];
  notServed: NotServed;
  /** Operations of `POST` to the base path. */
  actions?: Actions;
  /** Finds the key in a request. */
  keyOf?: (headers: IncomingHttpHeaders) => string | null;
  /** For a vendor whose clients sign requests instead of sending the key. */
  signed?: {
    createReader: (context: CompatContext) => SignatureReader;
    /** Parses a body whose signature was verified. Throws a Refusal. */
    readBody: (octets: Buffer, request: FastifyRequest) => unknown;
  };
  /**
   * Whether the vendor tracks opens and clicks by default. Absent if that is an account setting there, which the organization's
   * setting replaces.
   */
  isTracked?: boolean;
  /** The vendor's names of /v1 fields, for refusals by /v1. */
  fields: Readonly<Record<string, string>>;
  /** Converts a refusal to the vendor's form. */
  errorAnswer: (refusal: Refusal, asked: Asked) => CompatAnswer & { status: number };
  /** Converts the query to the form that the schemas expect. */
  readQuery?: (query: Record<string, unknown>) => Record<string, unknown>;
  /** Header of each answer with the request's ID. */
  requestIdHeader?: string;
  /** Finds the key of a request that a client repeats automatically. An Idempotency-Key header takes precedence. */
  idempotencyKeyOf?: (headers: IncomingHttpHeaders) => string | null;
  /** True if bodies may be `multipart/form-data` or `application/x-www-form-urlencoded`. */
  takesForms?: true;
}

const NOT_HERE = 'x-not-here';

/** Marks an unsupported field; `sentence` suggests an alternative. */
export function notHere<S extends TSchema>(schema: S, sentence: string): S {
  return Object.assign(schema, { [NOT_HERE]: sentence });
}

/** Returns the sentences of unsupported fields in the body, by dotted path. Empty values count as absent. */
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
