// Every query that the GET operations of the OpenAPI document accept: each operation without filters, and with each value of each
// filter, or with three values in the small size if there are more. Objects for paths and filters come from a large folder.
import type { LargeFolder } from './large-folder.js';
import type { Operation, Schema } from './api-operations.js';
import { firstOf, isFullSize } from './run-size.js';

/** The first part of a path, by the prefix of its ids. */
const PREFIXES: Record<string, string> = {
  messages: 'msg',
  threads: 'thr',
  templates: 'tpl',
  contacts: 'cnt',
  lists: 'lst',
  campaigns: 'cmp',
  sequences: 'seq',
  suppressions: 'sup',
  'webhook-endpoints': 'whe',
  'sub-tenants': 'tnt',
};
/** Downloads have their own test; the others do more than read the store. */
const LEFT_OUT = /\/export|\/preflight$|\/stream$/;

/** Filters of every GET, which are resolved before it is read: full size. */
const PLACES = ['workspace_id', 'environment'];

export interface ListQuestion {
  operation: string;
  path: string;
  /** The filter's name in reports. */
  name: string;
}

export function questionsOf(operations: readonly Operation[], folder: LargeFolder): ListQuestion[] {
  return operations
    .filter(({ method, isPublic, path }) => method === 'GET' && !isPublic && !LEFT_OUT.test(path))
    .flatMap((operation) => {
      const path = filled(operation.path, folder);
      if (path === null) return [];
      const queries = operation.parameters.filter(
        (one) => one.in === 'query' && (isFullSize || !PLACES.includes(one.name)),
      );
      const isList = queries.some(({ name }) => name === 'limit');
      const whole = { operation: operation.id, path, name: `${operation.id} as it is` };
      const filters = queries.flatMap(({ name, schema }) =>
        valuesOf(name, schema, folder).map((value) => ({
          operation: operation.id,
          path: `${path}?${isList && name !== 'limit' ? 'limit=100&' : ''}${value}`,
          name: `${operation.id} ${value.replaceAll(/[a-z]{3}_[0-9a-z]{26}/g, 'ID')}`,
        })),
      );
      return [whole, ...filters];
    });
}

/** Null if nothing in the folder matches this place. */
function filled(path: string, { ids, tenantId }: LargeFolder): string | null {
  const prefix = PREFIXES[path.split('/')[2] ?? ''] ?? '';
  const values: Record<string, string | undefined> = {
    id: prefix === 'tnt' ? tenantId : ids[prefix],
    contact_id: ids['cnt'],
    enrollment_id: ids['enr'],
    delivery_id: ids['whd'],
    domain: 'held-2.example',
    version: '1',
  };
  const names = [...path.matchAll(/\{([a-z_]+)\}/g)].map(([, name = '']) => name);
  if (names.some((name) => values[name] === undefined)) return null;
  return path.replaceAll(/\{([a-z_]+)\}/g, (_, name: string) => values[name] ?? '');
}

function valuesOf(name: string, schema: Schema, folder: LargeFolder): string[] {
  if (name === 'cursor') return [];
  if (name === 'metadata') return ['metadata[order]=o-77', 'metadata[order]=nothing'];
  const given = closedValues(schema) ?? openValues(name, folder);
  return firstOf(3, given).map((value) => `${name}=${encodeURIComponent(String(value))}`);
}

/** If the schema lists the values. */
function closedValues({ type, enum: choices, const: only, items, anyOf }: Schema): unknown[] | null {
  if (only !== undefined) return [only];
  if (choices) return choices;
  if (items) return closedValues(items);
  const found = anyOf?.flatMap((one) => closedValues(one) ?? []) ?? [];
  if (found.length > 0) return found;
  return type === 'boolean' ? [true, false] : null;
}

/** For most filters, one value that matches much or little, and one that matches nothing. */
function openValues(name: string, { ids, middle, tenantId }: LargeFolder): (string | number)[] {
  const values: Record<string, (string | number | undefined)[]> = {
    limit: [100],
    status: ['422', '4xx'],
    path: ['/v1/messages'],
    code: ['validation_error'],
    q: ['person-77', 'nothing of the kind', 'or'],
    subject: ['Order 77', 'nothing of the kind'],
    tag: ['order', 'seldom', 'nothing'],
    to: ['person-6@gmail.example', 'nobody@nowhere.example'],
    email: ['person-6@gmail.example', 'nobody@nowhere.example'],
    contact: ['person-6@gmail.example', 'nobody@nowhere.example'],
    from: ['news@shop-1.example', 'nobody@nowhere.example'],
    domain: ['held-2.example', 'nowhere.example'],
    created_after: [middle],
    created_before: [middle],
    since: [middle],
    until: [middle],
    thread_id: [ids['thr']],
    campaign_id: [ids['cmp']],
    sequence_id: [ids['seq']],
    list_id: [ids['lst']],
    message_id: [ids['msg']],
    contact_id: [ids['cnt']],
    sub_tenant_id: [tenantId],
    actor_id: [`key_${'0'.repeat(25)}3`],
    action: ['deleteContact'],
    target_id: [ids['cnt']],
    events: ['message.delivered', 'message.complained'],
  };
  return (values[name] ?? ['x']).filter((value) => value !== undefined);
}
