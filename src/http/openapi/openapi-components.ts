// Moves named and repeated parts of the OpenAPI document into its components: schemas named in contract/, closed sets of words,
// and parameters. Schemas get the form that client generators read best.
import { COMPONENT, KEEPS_EMPTY, LIST_ENVELOPE, nameOfEnum, SHOWN_AS } from '../../contract/schema.js';

/** A JSON Schema in the document, or a part of one. */
export interface DocumentSchema {
  [keyword: string]: unknown;
}
type Components = Record<string, DocumentSchema>;

const SCHEMAS = '#/components/schemas/';
/** Keywords that describe the place where a schema is used rather than its values. */
const ANNOTATIONS = ['description', 'default', 'examples', 'example'];
const NULL: DocumentSchema = { type: 'null' };

/** Collects the components of a document. `catalogues` has the words of components that only name a text. */
export function createComponents(catalogues: Readonly<Record<string, readonly string[]>>) {
  const schemas: Components = {};

  /** Stores a named schema and returns the reference that replaces it. */
  function keep(name: string, schema: DocumentSchema): DocumentSchema {
    const known = schemas[name];
    const own = annotationsOf(schema);
    if (known === undefined) {
      const isEnum = schema['enum'] !== undefined;
      const { default: fallback, ...rest } = schema;
      schemas[name] = isEnum ? without(schema, ANNOTATIONS) : rest;
      return {
        $ref: SCHEMAS + name,
        ...(isEnum ? own : fallback === undefined ? {} : { default: fallback }),
      };
    }
    if (JSON.stringify(without(known, ANNOTATIONS)) !== JSON.stringify(without(schema, ANNOTATIONS))) {
      throw new Error(`The component ${name} stands for two schemas: ${JSON.stringify([known, schema])}`);
    }
    const different = Object.entries(own).filter(
      ([key, value]) => JSON.stringify(known[key]) !== JSON.stringify(value),
    );
    return { $ref: SCHEMAS + name, ...Object.fromEntries(different) };
  }

  /** Replaces the named parts of a schema by references. */
  function refer(raw: DocumentSchema): DocumentSchema {
    if (raw['$ref'] !== undefined) return raw;
    if (typeof raw[SHOWN_AS] === 'string') return { $ref: SCHEMAS + raw[SHOWN_AS] };
    const { [COMPONENT]: mark, [LIST_ENVELOPE]: isList, ...plain } = without(raw, [KEEPS_EMPTY]);
    const name = typeof mark === 'string' ? mark : undefined;
    const words = name === undefined ? undefined : catalogues[name];
    const whole = words === undefined ? plain : { ...plain, enum: [...words] };
    const shaped = discriminated(simplified(withParts(whole, refer)), schemas);
    const called = name ?? (isList === true ? listName(shaped) : enumName(shaped));
    return called === undefined ? shaped : keep(called, shaped);
  }

  return { schemas, refer };
}

function annotationsOf(schema: DocumentSchema): DocumentSchema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => ANNOTATIONS.includes(key)));
}

function without(schema: DocumentSchema, keys: readonly string[]): DocumentSchema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !keys.includes(key)));
}

function isSchema(value: unknown): value is DocumentSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the schema with its sub-schemas changed. */
function withParts(schema: DocumentSchema, change: (part: DocumentSchema) => DocumentSchema): DocumentSchema {
  const { patternProperties, ...changed } = schema;
  if (isSchema(patternProperties)) changed['additionalProperties'] = Object.values(patternProperties)[0];
  for (const key of ['items', 'additionalProperties']) {
    const part = changed[key];
    if (isSchema(part)) changed[key] = Object.keys(part).length === 0 ? true : change(part);
  }
  for (const key of ['anyOf', 'oneOf', 'allOf']) {
    const parts = schema[key];
    if (Array.isArray(parts)) changed[key] = parts.map((part: DocumentSchema) => change(part));
  }
  const properties = schema['properties'];
  if (isSchema(properties)) {
    const parts = Object.entries(properties as Record<string, DocumentSchema>);
    changed['properties'] = Object.fromEntries(parts.map(([key, part]) => [key, inWords(change(part))]));
  }
  return changed;
}

/** Describes a field's default in words, because client generators treat a field with the keyword as required. */
function inWords({ default: fallback, ...field }: DocumentSchema): DocumentSchema {
  if (fallback === undefined) return field;
  const { description } = field;
  const words = `Defaults to \`${JSON.stringify(fallback)}\`.`;
  return { ...field, description: typeof description === 'string' ? `${description} ${words}` : words };
}

/** Adds types to enums, merges `null` into the value's type, and makes a constant distinguish the branches of a union. */
function simplified(schema: DocumentSchema): DocumentSchema {
  const { enum: words, anyOf: branches, ...rest } = schema;
  if (Array.isArray(words)) {
    const isText = words.every((word) => typeof word === 'string');
    return isText ? { type: 'string', ...schema } : schema;
  }
  if (!Array.isArray(branches)) return schema;
  const parts = branches as DocumentSchema[];
  const values = parts.filter((part) => part['type'] !== 'null');
  const [only] = values;
  if (values.length < parts.length && values.length === 1 && only !== undefined) return orNull(only, rest);
  return { ...rest, anyOf: parts };
}

function orNull(value: DocumentSchema, rest: DocumentSchema): DocumentSchema {
  const { type, enum: words, ...more } = value;
  if (typeof type === 'string') {
    const nullable = Array.isArray(words) ? { enum: [...(words as unknown[]), null] } : {};
    return { type: [type, 'null'], ...nullable, ...more, ...rest };
  }
  // A description beside a reference applies to the whole value.
  const own = annotationsOf(value);
  return { ...own, ...rest, anyOf: [without(value, ANNOTATIONS), NULL] };
}

/** Adds the discriminator of a union of components, a constant that all of them require. */
function discriminated(schema: DocumentSchema, schemas: Components): DocumentSchema {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf)) return schema;
  const references = anyOf.map((branch: DocumentSchema) => branch['$ref']);
  const branches = references.flatMap((reference) => {
    const component = typeof reference === 'string' ? schemas[reference.slice(SCHEMAS.length)] : undefined;
    return component === undefined ? [] : [{ reference, properties: requiredOf(component) }];
  });
  const [first] = branches;
  if (first === undefined || branches.length < anyOf.length) return schema;
  for (const propertyName of Object.keys(first.properties)) {
    const pairs = branches.map(({ reference, properties }) =>
      constantsOf(properties[propertyName]).map((word): [string, unknown] => [word, reference]),
    );
    const mapping = Object.fromEntries(pairs.flat());
    const isTold = pairs.every((words) => words.length > 0);
    if (isTold && Object.keys(mapping).length === pairs.flat().length) {
      return { ...rest, oneOf: anyOf, discriminator: { propertyName, mapping } };
    }
  }
  return schema;
}

function requiredOf({ properties, required }: DocumentSchema): Record<string, DocumentSchema> {
  if (!isSchema(properties) || !Array.isArray(required)) return {};
  const all = properties as Record<string, DocumentSchema>;
  return Object.fromEntries(Object.entries(all).filter(([name]) => required.includes(name)));
}

function constantsOf(schema: DocumentSchema | undefined): string[] {
  const words = schema?.['const'] === undefined ? schema?.['enum'] : [schema['const']];
  return Array.isArray(words) ? words.map(String) : [];
}

/** Returns `MessageList` for a list of `Message`; undefined if the items have no name. */
function listName(list: DocumentSchema): string | undefined {
  const { data } = list['properties'] as Record<string, DocumentSchema>;
  const { $ref: reference } = (data?.['items'] ?? {}) as DocumentSchema;
  return typeof reference === 'string' ? `${reference.slice(SCHEMAS.length)}List` : undefined;
}

function enumName({ enum: words }: DocumentSchema): string | undefined {
  return Array.isArray(words) ? nameOfEnum(words) : undefined;
}
