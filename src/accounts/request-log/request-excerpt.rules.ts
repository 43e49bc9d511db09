// Builds the excerpt of a query or a body for the request log: its field names, and values that reveal nothing. Free text is
// reduced to its length and addresses to their domain, so an erasure need not change it.
import type { FieldSchema } from '../audit/audit-detail.rules.js';

const MAX_DEPTH = 6;
const MAX_FIELDS = 40;
const MAX_ITEMS = 5;
/** Maximum number of values in an excerpt, at all levels. */
const MAX_VALUES = 200;
/** Maximum number of characters of the JSON. */
const MAX_LENGTH = 4_096;

const ID = /^[a-z]{2,4}_[0-9a-z]{26}$/;
const TIME = /^\d{4}-\d\d-\d\d(T[\d:.]{5,15}(Z|[+-]\d\d:?\d\d))?$/i;
const FIELD = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
/** An address at the end of the text or before a closing bracket. */
const ADDRESS = /^[^@]{0,400}@([A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?)>?$/;
/** Fields whose values are never recorded. */
const SECRET =
  /secret|password|passphrase|token|totp|otp|credential|csrf|recovery|^(code|pin|key|signature)$/i;
/** Fields with names that customers choose. */
const OPEN = /^(variables|metadata|headers|fields|custom)$/i;

/** Returns JSON of at most 4,096 characters, or null without input. */
export function requestExcerpt(given: unknown, schema: FieldSchema | undefined): string | null {
  if (typeof given !== 'object' || given === null) return null;
  if (!Array.isArray(given) && Object.keys(given).length === 0) return null;
  const text = JSON.stringify(excerptOf(given, schema, { left: MAX_VALUES }, 0));
  return text.length <= MAX_LENGTH ? text : JSON.stringify({ '…': 'too large' });
}

interface Budget {
  left: number;
}

function excerptOf(value: unknown, schema: FieldSchema | undefined, budget: Budget, depth: number): unknown {
  if (--budget.left < 0) return '…';
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return value;
  if (typeof value === 'string') return textOf(value, schema);
  if (typeof value !== 'object' || depth >= MAX_DEPTH) return '…';
  if (Array.isArray(value)) {
    const items = schemaOfItems(schema);
    const kept = value.slice(0, MAX_ITEMS).map((one: unknown) => excerptOf(one, items, budget, depth + 1));
    return value.length > MAX_ITEMS ? [...kept, `… ${value.length - MAX_ITEMS} more`] : kept;
  }
  const entries: [string, unknown][] = Object.entries(value);
  const kept = entries.slice(0, MAX_FIELDS).map(([name, one]): [string, unknown] => {
    if (!FIELD.test(name)) return ['…', '…'];
    if (SECRET.test(name)) return [name, '[redacted]'];
    if (OPEN.test(name) && typeof one === 'object' && one !== null) {
      return [name, `[${Object.keys(one).length} fields]`];
    }
    return [name, excerptOf(one, schemaOfField(schema, name), budget, depth + 1)];
  });
  return Object.fromEntries(kept);
}

function textOf(text: string, schema: FieldSchema | undefined): string {
  if (schema?.writeOnly === true || schema?.format === 'password') return '[redacted]';
  if (ID.test(text) || TIME.test(text) || isOneOf(text, schema)) return text;
  const [, domain] = ADDRESS.exec(text) ?? [];
  return domain === undefined ? `[${text.length} characters]` : `***@${domain.toLowerCase()}`;
}

function schemaOfField(schema: FieldSchema | undefined, name: string): FieldSchema | undefined {
  return (
    schema?.properties?.[name] ??
    schema?.anyOf?.map((one) => one.properties?.[name]).find((one) => one !== undefined)
  );
}

function schemaOfItems(schema: FieldSchema | undefined): FieldSchema | undefined {
  return schema?.items ?? schema?.anyOf?.find((one) => one.items !== undefined)?.items;
}

function isOneOf(value: string, schema: FieldSchema | undefined): boolean {
  if (!schema) return false;
  if (schema.const === value || schema.enum?.includes(value) === true) return true;
  return schema.anyOf?.some((one) => isOneOf(value, one)) ?? false;
}
