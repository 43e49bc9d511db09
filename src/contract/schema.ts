// Common parts of the request and response schemas of /v1.
import {
  Type,
  type TProperties,
  type TSchema,
  type TSchemaOptions,
  type TString,
  type TStringOptions,
  type TUnsafe,
} from 'typebox';
import { NAMED_SETS } from './names.js';

/** A request body or query that refuses undeclared fields by name. */
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

const SENTENCE = Symbol('sentence');

/** A sentence of the server in an answer, which is translated into the language of the request. */
export function sentence(options: TStringOptions = {}): TString {
  return Object.assign(Type.String(options), { [SENTENCE]: true });
}

const VERBATIM = Symbol('verbatim');

/** A part of a response that repeats the request; its sentences are not translated. */
export function verbatim<S extends TSchema>(schema: S): S {
  return Object.assign(schema, { [VERBATIM]: true });
}

/** Returns the paths of the sentences in an answer, such as `data.problem.message`, without the positions in lists. */
export function sentencePaths(schema: TSchema): string[] {
  if (SENTENCE in schema) return [''];
  if (VERBATIM in schema) return [];
  const paths = [...childrenOf(schema)].flatMap(([name, child]) =>
    sentencePaths(child).map((path) => [name, path].filter((part) => part !== '').join('.')),
  );
  return [...new Set(paths)];
}

function* childrenOf(schema: TSchema): Generator<[name: string, child: TSchema]> {
  if (Type.IsObject(schema)) yield* Object.entries(schema.properties);
  if (Type.IsArray(schema)) yield ['', schema.items];
  if (Type.IsUnion(schema)) for (const one of schema.anyOf) yield ['', one];
}

/** Marks a schema as a component of the OpenAPI document; the value is the component's name. */
export const COMPONENT = 'x-component';
/** Marks a value that the document shows as a component. */
export const SHOWN_AS = 'x-shown-as';
/**
 * Marks an object in which an empty text or list is significant: it clears a stored value, or is a condition that nothing
 * meets. Elsewhere in the body of a POST, an empty optional field counts as absent.
 */
export const KEEPS_EMPTY = 'x-keeps-empty';
/** Marks a list envelope, which is named after its items. */
export const LIST_ENVELOPE = 'x-list-envelope';

/**
 * Makes a schema a component of the OpenAPI document, which other schemas then reference. Each name belongs to one schema.
 * Marks and returns the given schema; name it before `Type.Optional`, which copies it. Validation ignores marks.
 */
export function named<S extends TSchema>(name: string, schema: S): S {
  return Object.assign(schema, { [COMPONENT]: name });
}

/**
 * Accepts any value at run time, for values validated elsewhere. The document shows the component with this name, which must
 * also be defined elsewhere.
 */
export function shownAs<T = unknown>(name: string): TUnsafe<T> {
  return Type.Unsafe<T>({ [SHOWN_AS]: name });
}

/** Names the schemas of a file, at its end. */
export function nameSchemas(schemas: Readonly<Record<string, TSchema>>): void {
  for (const [name, schema] of Object.entries(schemas)) named(name, schema);
}

const enumNames = new Map(Object.entries(NAMED_SETS).map(([name, values]) => [values.join(), name]));

/**
 * Makes closed sets of words components: every `oneOf` with exactly these words becomes a `$ref`. Throws if a set already has a
 * name.
 */
export function nameEnums(enums: Readonly<Record<string, readonly string[]>>): void {
  for (const [name, values] of Object.entries(enums)) {
    const key = values.join();
    const known = enumNames.get(key) ?? name;
    if (known !== name) throw new Error(`The words of ${name} are those of ${known}: ${key}`);
    enumNames.set(key, name);
  }
}

/** Returns the name of a closed set of words; undefined if it has none. */
export function nameOfEnum(values: readonly unknown[]): string | undefined {
  return enumNames.get(values.join());
}

/** ISO 8601, UTC, with milliseconds. For responses only; inputs are parsed by messages/accept/schedule-time.rules and similar code. */
export const timestamp = timestampWith({});

/** A string of format `date-time`, with its own type so that codecs can recognize it. */
export type TTimestamp = TString & { format: 'date-time' };

/** Like `timestamp`, with a description. */
export function timestampWith(options: TSchemaOptions): TTimestamp {
  return Type.String({ format: 'date-time', ...options }) as TTimestamp; // the format is in the options
}

/** Email addresses and URLs in responses. For inputs, the formats would be too strict. */
export const emailText = Type.String({ format: 'email' });
export const uriText = Type.String({ format: 'uri' });

/** Free-form data of the caller: any keys and JSON values. `metadataProblem` limits its size. */
export const metadata = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Your own key-value data, up to 16 KiB of JSON.',
});

/** Most tags of a message or a contact. */
export const MAX_TAGS = 50;
/** Most characters of a tag. */
export const MAX_TAG = 128;
export const tagList = Type.Array(Type.String({ minLength: 1, maxLength: MAX_TAG }), { maxItems: MAX_TAGS });

const METADATA_LIMIT_BYTES = 16 * 1024;

/** Returns the problem of a metadata object as a sentence; null if it is valid. */
export function metadataProblem(value: Record<string, unknown>): string | null {
  const bytes = Buffer.byteLength(JSON.stringify(value));
  return bytes > METADATA_LIMIT_BYTES ? `must not exceed 16 KiB of JSON (currently ${bytes} bytes)` : null;
}

/** The path parameter `:id`. */
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

/** Turns `sub_tenant` into `SubTenant`. */
function pascalCase(text: string): string {
  return text.replaceAll(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());
}
