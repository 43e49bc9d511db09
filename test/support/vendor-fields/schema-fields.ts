// Reads the fields of a vendor's operation from its schemas: leaves of the body, parameters of the query, names of a form.
import type { TSchema } from 'typebox';
import type { CompatRoute } from '../../../src/compat/route.js';

export interface SchemaField {
  /** `attachments[].name`; query parameters begin with `?`. */
  path: string;
  /** Refuses the field regardless of its value; null for an accepted field. */
  sentence: string | null;
}

interface Shape {
  properties?: Readonly<Record<string, Shape>>;
  items?: Shape;
  anyOf?: readonly Shape[];
  'x-not-here'?: string;
}

export function fieldsOf(route: CompatRoute): SchemaField[] {
  const form = Object.entries(route.form ?? {}).map(([path, taken]) => ({
    path,
    sentence: taken === true ? null : taken,
  }));
  const body = route.form !== undefined || route.body === undefined ? [] : leavesOf(shapeOf(route.body), '');
  const query = Object.entries(shapeOf(route.query).properties ?? {}).flatMap(([name, schema]) =>
    leavesOf(schema, `?${name}`),
  );
  return [...form, ...body, ...query];
}

function shapeOf(schema: TSchema | undefined): Shape {
  return schema ?? {};
}

/** Records, lists of plain values and unions are leaves; the fields of a union's objects are leaves as well. */
function leavesOf({ properties, items, anyOf, 'x-not-here': sentence }: Shape, path: string): SchemaField[] {
  if (sentence !== undefined) return [{ path, sentence }];
  if (anyOf !== undefined) {
    const fields = anyOf.flatMap((one) => leavesOf(one, path)).filter((one) => one.path !== path);
    const byPath = new Map([{ path, sentence: null }, ...fields].map((field) => [field.path, field]));
    return [...byPath.values()];
  }
  if (properties !== undefined) {
    return Object.entries(properties).flatMap(([name, one]) =>
      leavesOf(one, path === '' ? name : `${path}.${name}`),
    );
  }
  return items?.properties === undefined ? [{ path, sentence: null }] : leavesOf(items, `${path}[]`);
}
