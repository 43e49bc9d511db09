// Pieces that the request and response schemas of /v1 are built from.
import { Type } from 'typebox';
import type { TProperties, TSchema, TSchemaOptions } from 'typebox';

/** A request body or query: a field that is not listed is refused by name. */
export function closed<P extends TProperties>(properties: P, options: TSchemaOptions = {}) {
  return Type.Object(properties, { ...options, additionalProperties: false });
}

export function nullable<S extends TSchema>(schema: S) {
  return Type.Union([schema, Type.Null()]);
}

/** One of a closed set of words. */
export function oneOf<const V extends string>(values: readonly V[], options: TSchemaOptions = {}) {
  return Type.Enum([...values], options);
}

/** ISO 8601, UTC, milliseconds; only for responses: inputs are read by rules/schedule-time and the like. */
export const timestamp = Type.String({ format: 'date-time', examples: ['2026-03-01T09:00:00.000Z'] });

/** Free data of the caller's: any keys, any JSON values. Its size is limited by `metadataProblem`. */
export const metadata = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Free data of yours, at most 16 KiB of JSON.',
});

/** Tags of a message or a contact. */
export const MAX_TAGS = 50;
/** Characters of a tag. */
export const MAX_TAG = 128;
export const tagList = Type.Array(Type.String({ minLength: 1, maxLength: MAX_TAG }), { maxItems: MAX_TAGS });

const METADATA_LIMIT_BYTES = 16 * 1024;

/** What is wrong with a metadata object, in words, or null. */
export function metadataProblem(value: Record<string, unknown>): string | null {
  const bytes = Buffer.byteLength(JSON.stringify(value));
  return bytes > METADATA_LIMIT_BYTES ? `must be at most 16 KiB of JSON; this is ${bytes} bytes` : null;
}

/** `:id` in a path. */
export const idParams = Type.Object({ id: Type.String() });

/** The answer to a DELETE. */
export function deleted<const N extends string>(object: N) {
  return Type.Object({ id: Type.String(), object: Type.Literal(object), deleted: Type.Literal(true) });
}
