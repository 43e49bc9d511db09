// An explicit null in a body means the same as leaving the field out, where the field is optional and null says nothing of its own.
import type { TSchema } from 'typebox';

/** Takes the nulls out of a body, in place: it was parsed for this request alone. Values that are no objects stay. */
export type NullRemover = (body: unknown) => void;

interface ObjectSchema {
  type?: unknown;
  const?: unknown;
  enum?: readonly unknown[];
  properties?: Readonly<Record<string, ObjectSchema>>;
  required?: readonly string[];
  items?: ObjectSchema;
  anyOf?: readonly ObjectSchema[];
}

const NOTHING: NullRemover = () => undefined;

/** Made once for each schema; fields that take null (to clear something) and required ones keep theirs. */
export function nullRemover(schema: TSchema): NullRemover {
  return removerOf(schema);
}

function removerOf(schema: ObjectSchema): NullRemover {
  const { properties, items, anyOf } = schema;
  if (anyOf !== undefined) {
    const removers = anyOf.map(removerOf).filter((remover) => remover !== NOTHING);
    if (removers.length === 0) return NOTHING;
    return (body) => {
      for (const remove of removers) remove(body);
    };
  }
  if (items !== undefined) {
    const remove = removerOf(items);
    if (remove === NOTHING) return NOTHING;
    return (body) => {
      if (Array.isArray(body)) for (const item of body) remove(item);
    };
  }
  return properties === undefined ? NOTHING : objectRemover(properties, schema.required ?? []);
}

function objectRemover(
  properties: Readonly<Record<string, ObjectSchema>>,
  required: readonly string[],
): NullRemover {
  const fields = Object.entries(properties).map(([name, schema]) => ({
    name,
    isDroppable: !required.includes(name) && !takesNull(schema),
    removeInside: removerOf(schema),
  }));
  return (body) => {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return;
    for (const { name, isDroppable, removeInside } of fields) {
      if (!Object.hasOwn(body, name)) continue;
      const value: unknown = Reflect.get(body, name);
      if (value !== null) removeInside(value);
      else if (isDroppable) Reflect.deleteProperty(body, name);
    }
  };
}

function takesNull({ type, const: constant, enum: values, anyOf }: ObjectSchema): boolean {
  if (anyOf !== undefined) return anyOf.some(takesNull);
  if (values !== undefined) return values.includes(null);
  // Without a type any JSON value is taken.
  return constant === null || type === 'null' || (type === undefined && constant === undefined);
}
