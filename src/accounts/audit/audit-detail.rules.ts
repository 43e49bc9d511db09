// Builds the excerpt of a request for the audit log: its field names, and values that reveal nothing. It contains no secrets,
// content or personal data, so an erasure need not change it.

const MAX_FIELDS = 50;
const MAX_NAME = 64;
const MAX_TEXT = 200;
const MAX_ITEMS = 20;

/** A public ID. */
const ID = /^[a-z]{2,4}_[0-9a-z]{26}$/;
const TIME = /^\d{4}-\d\d-\d\d(T[\d:.]{5,15}(Z|[+-]\d\d:?\d\d))?$/i;
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
/** Fields whose values are never recorded. */
const DENIED =
  /secret|password|passphrase|token|code|totp|otp|credential|email|phone|subject|html|text|content|body|header|variable|metadata|recipient|correspondent|user_agent|^(to|cc|bcc|from|reply_to|key|ip|csrf)$/i;

type AuditValue = string | number | boolean | null | readonly (string | number | boolean | null)[];

const FILTER = /^filter\./;

/** Fields whose text values are public or Mailkeel's own. */
const SHOWN: readonly string[] = ['sending_domain', 'domain', 'slug'];

interface AuditDetail {
  fields: string[];
  values: Record<string, AuditValue>;
}

/** The part of a JSON schema that is used. */
export interface FieldSchema {
  enum?: readonly unknown[];
  const?: unknown;
  anyOf?: readonly FieldSchema[];
  items?: FieldSchema;
  properties?: Record<string, FieldSchema>;
  writeOnly?: boolean;
  format?: string;
}

/**
 * Returns the detail of a body or a query. It contains numbers, booleans, IDs, times, and values of the schema's enums. Other
 * texts appear only for fields in `shows`.
 */
export function auditDetail(
  given: object,
  schema: FieldSchema | undefined,
  shows: readonly string[] = [],
): AuditDetail {
  const entries = Object.entries(given as Record<string, unknown>)
    .flatMap(([name, value]) => partsOf(name, value, schema?.properties?.[name]))
    .filter(({ value }) => value !== undefined)
    .slice(0, MAX_FIELDS);
  const values = entries.flatMap(({ name, value, field }): [string, AuditValue][] => {
    if (name.length > MAX_NAME || isSecret(field)) return [];
    const isShown = shows.includes(name) || SHOWN.includes(name);
    if (DENIED.test(name.replace(FILTER, '')) && !isShown) return [];
    const shown = valueOf(value, field, isShown);
    return shown === undefined ? [] : [[name, shown]];
  });
  return {
    fields: entries.map(({ name }) => name.slice(0, MAX_NAME)).sort(),
    values: Object.fromEntries(values),
  };
}

/** Fields that are split: the filter of a bulk action shows the affected objects, and a policy what it allows. */
const SPLIT: readonly string[] = ['filter', 'policy'];

/** Returns the fields of an object, which may be nullable. */
function propertiesOf(field: FieldSchema | undefined): Record<string, FieldSchema> | undefined {
  return field?.properties ?? field?.anyOf?.find(({ properties }) => properties !== undefined)?.properties;
}

/** Splits a field into parts. */
function partsOf(
  name: string,
  value: unknown,
  field: FieldSchema | undefined,
): { name: string; value: unknown; field: FieldSchema | undefined }[] {
  const properties = SPLIT.includes(name) ? propertiesOf(field) : undefined;
  if (properties === undefined || typeof value !== 'object' || value === null)
    return [{ name, value, field }];
  return Object.entries(value).map(([key, one]) => ({
    name: `${name}.${key}`,
    value: one as unknown,
    field: properties[key],
  }));
}

/** Returns a segment of a path if it is certainly an ID or a name of Mailkeel's. Null for addresses and the like. */
export function auditTarget(text: string): string | null {
  return NAME.test(text) ? text : null;
}

/** Returns the other parts of a path by the same rule. */
export function auditPathParams(params: Readonly<Record<string, string>>): Record<string, string> {
  const shown = Object.entries(params).filter(
    ([name, text]) => name !== 'id' && !DENIED.test(name) && auditTarget(text) !== null,
  );
  return Object.fromEntries(shown);
}

function isSecret(schema: FieldSchema | undefined): boolean {
  return schema?.writeOnly === true || schema?.format === 'password';
}

function valueOf(value: unknown, schema: FieldSchema | undefined, isShown: boolean): AuditValue | undefined {
  if (!Array.isArray(value)) return scalarOf(value, schema, isShown);
  if (value.length > MAX_ITEMS) return undefined;
  const items = itemsOf(schema);
  const shown = value.map((item) => scalarOf(item, items, isShown));
  const known = shown.filter((item) => item !== undefined);
  return known.length === shown.length ? known : undefined;
}

function scalarOf(
  value: unknown,
  schema: FieldSchema | undefined,
  isShown: boolean,
): string | number | boolean | null | undefined {
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return value;
  if (typeof value !== 'string') return undefined;
  if (isShown) return value.slice(0, MAX_TEXT);
  return ID.test(value) || TIME.test(value) || isOneOf(value, schema) ? value : undefined;
}

function isOneOf(value: string, schema: FieldSchema | undefined): boolean {
  if (!schema) return false;
  if (schema.const === value || schema.enum?.includes(value) === true) return true;
  return schema.anyOf?.some((one) => isOneOf(value, one)) ?? false;
}

function itemsOf(schema: FieldSchema | undefined): FieldSchema | undefined {
  return schema?.items ?? schema?.anyOf?.find((one) => one.items !== undefined)?.items;
}
