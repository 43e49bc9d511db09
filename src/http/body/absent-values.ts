// Removes optional fields whose value means "not set": null, and on creation also an empty string or list. Clients often send
// these for every field that was left blank.
import type { TSchema } from 'typebox';
import { KEEPS_EMPTY } from '../../contract/schema.js';

/** Changes the parsed body in place. Values that are not objects are kept. */
export type AbsentRemover = (body: unknown, options: { isEmptyAbsent: boolean }) => void;

interface ObjectSchema {
  type?: unknown;
  const?: unknown;
  enum?: readonly unknown[];
  properties?: Readonly<Record<string, ObjectSchema>>;
  required?: readonly string[];
  items?: ObjectSchema;
  anyOf?: readonly ObjectSchema[];
  [KEEPS_EMPTY]?: boolean;
}

const NOTHING: AbsentRemover = () => undefined;

/**
 * Compiles a remover for a schema. It keeps required fields and values that the schema names: null that clears a field, or any
 * value if the schema accepts every value. Empty values of objects marked with `KEEPS_EMPTY` are kept too.
 */
export function absentRemover(schema: TSchema): AbsentRemover {
  return removerOf(schema);
}

function removerOf(schema: ObjectSchema): AbsentRemover {
  const { properties, items, anyOf } = schema;
  if (anyOf !== undefined) {
    const removers = anyOf.map(removerOf).filter((remover) => remover !== NOTHING);
    if (removers.length === 0) return NOTHING;
    return (body, options) => {
      for (const remove of removers) remove(body, options);
    };
  }
  if (items !== undefined) {
    const remove = removerOf(items);
    if (remove === NOTHING) return NOTHING;
    return (body, options) => {
      if (Array.isArray(body)) for (const item of body) remove(item, options);
    };
  }
  return properties === undefined ? NOTHING : objectRemover(schema, properties);
}

function objectRemover(
  { required = [], [KEEPS_EMPTY]: keepsEmpty = false }: ObjectSchema,
  properties: Readonly<Record<string, ObjectSchema>>,
): AbsentRemover {
  const fields = Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    isOptional: !required.includes(name),
    removeInside: removerOf(schema),
  }));
  const isThis = constantsOf(properties, required);
  return (body, options) => {
    if (typeof body !== 'object' || body === null || Array.isArray(body) || !isThis(body)) return;
    for (const { name, schema, isOptional, removeInside } of fields) {
      if (!Object.hasOwn(body, name)) continue;
      const value: unknown = Reflect.get(body, name);
      const isAbsent = value === null || (options.isEmptyAbsent && !keepsEmpty && isEmpty(value));
      if (!isAbsent) removeInside(value, options);
      else if (isOptional && !names(schema, value)) Reflect.deleteProperty(body, name);
    }
  };
}

/** Whether the constants of these properties identify the body as this branch of a union. */
function constantsOf(
  properties: Readonly<Record<string, ObjectSchema>>,
  required: readonly string[],
): (body: object) => boolean {
  const constants = Object.entries(properties).filter(
    ([name, { const: constant }]) => constant !== undefined && required.includes(name),
  );
  return (body) => constants.every(([name, { const: constant }]) => Reflect.get(body, name) === constant);
}

function isEmpty(value: unknown): boolean {
  return value === '' || (Array.isArray(value) && value.length === 0);
}

/** Whether the schema gives this empty value, or null, its own meaning. */
function names(
  { type, const: constant, enum: values, anyOf, properties, items }: ObjectSchema,
  value: unknown,
): boolean {
  if (anyOf !== undefined) return anyOf.some((one) => names(one, value));
  if (values !== undefined) return values.includes(value);
  if (constant !== undefined) return constant === value;
  // A schema without a type accepts any JSON value.
  const isFree = type === undefined && properties === undefined && items === undefined;
  return isFree || (type === 'null' && value === null);
}
