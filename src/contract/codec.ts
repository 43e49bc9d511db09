// Derives wire objects from rows: columns with the same name are copied; times, flags and JSON are converted as the schema
// requires.
import type { Static, TLiteral, TNull, TObject, TProperties, TSchema, TUnion } from 'typebox';
import type { TTimestamp } from './schema.js';
import { iso } from './time.js';

type Nullable<S extends TSchema> = TUnion<[S, TNull]>;
type Bare<S extends TSchema> = S extends Nullable<infer Inner> ? Inner : S;

/** Whether a non-null column of type C can be converted to the schema's value. */
type Converts<S extends TSchema, C> = S extends TTimestamp
  ? C extends number
    ? true
    : false
  : [C] extends [Static<S>]
    ? true
    : [C, Static<S>] extends [0 | 1, boolean]
      ? true
      : [C, Static<S>] extends [string, object]
        ? true
        : false;

/** Whether a column of type C fits a field of the schema: null only if the field allows it. */
type Fits<S extends TSchema, C> = null extends C
  ? null extends Static<S>
    ? Converts<Bare<S>, NonNullable<C>>
    : false
  : Converts<Bare<S>, C>;

type FittingColumn<S extends TSchema, Row> = {
  [K in keyof Row & string]: Fits<S, Row[K]> extends true ? K : never;
}[keyof Row & string];

type Field<S extends TSchema, Row, Context> =
  | FittingColumn<S, Row>
  | ((row: Row, context: Context) => Static<S> | (S extends { '~optional': true } ? undefined : never));

/** Required fields that neither the schema nor a column of the same name provides. */
type Missing<P extends TProperties, Row> = {
  [K in keyof P & string]: P[K] extends TLiteral | { '~optional': true }
    ? never
    : K extends keyof Row
      ? Fits<P[K], Row[K]> extends true
        ? never
        : K
      : K;
}[keyof P & string];

/** Fields that differ from their column: another column's name, or a function of the row. */
type Fields<P extends TProperties, Row, Context = undefined> = {
  [K in Missing<P, Row>]: Field<P[K], Row, Context>;
} & { [K in Exclude<keyof P & string, Missing<P, Row>>]?: Field<P[K], Row, Context> };

type Rest<Context> = [Context] extends [undefined] ? [] : [context: Context];

/** Derives the wire form of a row. */
type Present<P extends TProperties, Row, Context = undefined> = (
  row: Row,
  ...rest: Rest<Context>
) => Static<TObject<P>>;

/**
 * Returns the codec of a wire object. `from<Row>({...})` returns the function that derives it from a row: literals are
 * constant, epoch milliseconds become ISO 8601, 0 and 1 booleans, JSON text objects and arrays; other values are copied. A
 * required field without a matching column must be given. An optional field is absent unless given, and if its function returns
 * undefined. `from<Row, Context>` is for fields that depend on more than the row.
 */
export function wireOf<P extends TProperties>(schema: TObject<P>) {
  return {
    from: <Row extends object, Context = undefined>(
      ...[fields]: object extends Fields<P, Row, Context>
        ? [fields?: Fields<P, Row, Context>]
        : [fields: Fields<P, Row, Context>]
    ): Present<P, Row, Context> => presenter<P, Row, Context>(schema, fields ?? {}),
  };
}

type Read = (row: object, context: unknown) => unknown;

interface Plan {
  /** All fields that are always present, in schema order, with their constant or null. */
  blank: Record<string, unknown>;
  copied: Column[];
  times: Column[];
  flags: Column[];
  json: Column[];
  computed: { field: string; read: Read; isOptional: boolean }[];
}

interface Column {
  field: string;
  column: string;
}

// Copies an object with all fields and runs one loop per kind of conversion, because pages of messages depend on its speed.
function presenter<P extends TProperties, Row extends object, Context>(
  schema: TObject<P>,
  fields: Readonly<Record<string, unknown>>,
): Present<P, Row, Context> {
  const { blank, copied, times, flags, json, computed } = planOf(schema, fields);
  return (source, ...rest) => {
    const [context] = rest;
    const row = source as Record<string, unknown>;
    const wire = { ...blank };
    for (const { field, column } of copied) wire[field] = row[column];
    for (const { field, column } of times) wire[field] = timeOf(row[column]);
    for (const { field, column } of flags) wire[field] = flagOf(row[column]);
    for (const { field, column } of json) wire[field] = jsonOf(row[column]);
    for (const { field, read, isOptional } of computed) {
      const value = read(row, context);
      if (value !== undefined || !isOptional) wire[field] = value;
    }
    // The types of the columns prove this field by field.
    return wire as Static<TObject<P>>;
  };
}

function timeOf(value: unknown): unknown {
  return typeof value === 'number' ? iso(value) : value;
}

function flagOf(value: unknown): unknown {
  return typeof value === 'number' ? value === 1 : value;
}

function jsonOf(value: unknown): unknown {
  return typeof value === 'string' ? JSON.parse(value) : value;
}

interface AnySchema {
  type?: unknown;
  const?: unknown;
  format?: unknown;
  anyOf?: readonly AnySchema[];
}

function planOf(schema: TObject, fields: Readonly<Record<string, unknown>>): Plan {
  const columns = {
    copied: [] as Column[],
    times: [] as Column[],
    flags: [] as Column[],
    json: [] as Column[],
  };
  const computed: Plan['computed'] = [];
  const blank: [string, unknown][] = [];
  const required = new Set<string>(schema.required);
  for (const [field, property] of Object.entries<AnySchema>(schema.properties)) {
    const given = fields[field];
    const isOptional = !required.has(field);
    if (isOptional && given === undefined) continue;
    if (typeof given === 'function') {
      computed.push({ field, read: given as Read, isOptional });
    } else if (property.const === undefined) {
      columns[kindOf(property)].push({ field, column: typeof given === 'string' ? given : field });
    }
    if (!isOptional || typeof given === 'string') blank.push([field, property.const ?? null]);
  }
  // Assigning this many fields individually would turn the object into a slow hash table.
  return { blank: Object.fromEntries(blank), ...columns, computed };
}

function kindOf({ type, format, anyOf }: AnySchema): 'copied' | 'times' | 'flags' | 'json' {
  if (anyOf !== undefined) {
    const kinds = new Set(anyOf.filter((one) => one.type !== 'null').map(kindOf));
    const [only = 'copied'] = kinds;
    return kinds.size === 1 ? only : 'copied';
  }
  if (format === 'date-time') return 'times';
  if (type === 'boolean') return 'flags';
  return type === 'object' || type === 'array' ? 'json' : 'copied';
}
