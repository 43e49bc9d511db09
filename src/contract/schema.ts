// Pieces that the request and response schemas of /v1 are built from.
import {
  Type,
  type TProperties,
  type TSchema,
  type TSchemaOptions,
  type TString,
  type TUnsafe,
} from 'typebox';
import { NAMED_SETS } from './names.js';

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

/** The mark of a schema that is a component of the OpenAPI document; its value is the component's name. */
export const COMPONENT = 'x-component';
/** The mark of a value of which the document shows a component. */
export const SHOWN_AS = 'x-shown-as';
/**
 * The mark of an object in which an empty text or list is a value: it clears what is stored, or is a condition that nothing meets.
 * Elsewhere in the body of a POST, such a value of an optional field counts as absent.
 */
export const KEEPS_EMPTY = 'x-keeps-empty';
/** The mark of a list envelope, which is named after its items. */
export const LIST_ENVELOPE = 'x-list-envelope';

/**
 * Makes a schema a component of the OpenAPI document: wherever it stands there is a `$ref`. A name stands for one schema
 * only. Marks the schema itself and answers it. `Type.Optional` copies a schema, so name it before. Validation ignores marks.
 */
export function named<S extends TSchema>(name: string, schema: S): S {
  return Object.assign(schema, { [COMPONENT]: name });
}

/**
 * Any value at run time, where something else checks it; the document shows the component of this name, which has to be in it
 * otherwise too.
 */
export function shownAs<T = unknown>(name: string): TUnsafe<T> {
  return Type.Unsafe<T>({ [SHOWN_AS]: name });
}

/** `named` for the schemas of a file, at its end. */
export function nameSchemas(schemas: Readonly<Record<string, TSchema>>): void {
  for (const [name, schema] of Object.entries(schemas)) named(name, schema);
}

const enumNames = new Map(Object.entries(NAMED_SETS).map(([name, values]) => [values.join(), name]));

/** Makes components of closed sets of words: every `oneOf` with exactly these is a `$ref`. Throws when a set has a name already. */
export function nameEnums(enums: Readonly<Record<string, readonly string[]>>): void {
  for (const [name, values] of Object.entries(enums)) {
    const key = values.join();
    const known = enumNames.get(key) ?? name;
    if (known !== name) throw new Error(`The words of ${name} are those of ${known}: ${key}`);
    enumNames.set(key, name);
  }
}

/** The name of a closed set of words; undefined when it has none. */
export function nameOfEnum(values: readonly unknown[]): string | undefined {
  return enumNames.get(values.join());
}

/** ISO 8601, UTC, milliseconds; only for responses: inputs are read by messages/accept/schedule-time.rules and the like. */
export const timestamp = timestampWith({});

/** A string of the format `date-time`: distinguished by its type, so that a wire object can be derived from its row. */
export type TTimestamp = TString & { format: 'date-time' };

/** `timestamp` with a description. */
export function timestampWith(options: TSchemaOptions): TTimestamp {
  return Type.String({ format: 'date-time', ...options }) as TTimestamp; // the format is in the options
}

/** An address and a link; only for responses, since the format would refuse what inputs are read from. */
export const emailText = Type.String({ format: 'email' });
export const uriText = Type.String({ format: 'uri' });

/** Free data of the caller's: any keys, any JSON values. Its size is limited by `metadataProblem`. */
export const metadata = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Your own key-value data, up to 16 KiB of JSON.',
});

/** Tags of a message or a contact. */
export const MAX_TAGS = 50;
/** Characters of a tag. */
export const MAX_TAG = 128;
export const tagList = Type.Array(Type.String({ minLength: 1, maxLength: MAX_TAG }), { maxItems: MAX_TAGS });

const METADATA_LIMIT_BYTES = 16 * 1024;

/** Problem of a metadata object, as a sentence; null when it is valid. */
export function metadataProblem(value: Record<string, unknown>): string | null {
  const bytes = Buffer.byteLength(JSON.stringify(value));
  return bytes > METADATA_LIMIT_BYTES ? `must not exceed 16 KiB of JSON (currently ${bytes} bytes)` : null;
}

/** `:id` in a path. */
export const idParams = Type.Object({ id: Type.String() });

/** The answer to a DELETE. */
export function deleted<const N extends string>(object: N) {
  const answer = Type.Object({
    id: Type.String(),
    object: Type.Literal(object),
    deleted: Type.Literal(true),
  });
  return named(`${pascalCase(object)}Deleted`, answer);
}

/** `sub_tenant` as `SubTenant`. */
function pascalCase(text: string): string {
  return text.replaceAll(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());
}
