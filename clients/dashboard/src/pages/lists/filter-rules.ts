// Converts the filter of a segment between the API's form and the builder's: conditions and groups with unique keys.
import type { SegmentFilter } from '@mailkeel/sdk';

export const CUSTOM = 'metadata';
const TEXT_OPS = [
  'eq',
  'neq',
  'contains',
  'starts_with',
  'ends_with',
  'in',
  'not_in',
  'exists',
  'not_exists',
] as const;
const NUMBER_OPS = ['gt', 'gte', 'lt', 'lte', 'before', 'after'] as const;

/** Conditions that a field may have. */
export const OPS = {
  email: TEXT_OPS,
  name: TEXT_OPS,
  phone: TEXT_OPS,
  status: ['eq', 'neq', 'in', 'not_in'],
  tag: ['has', 'not_has', 'in', 'not_in', 'exists', 'not_exists'],
  list: ['has', 'not_has', 'in', 'not_in'],
  created_at: ['before', 'after'],
  updated_at: ['before', 'after'],
  [CUSTOM]: [...TEXT_OPS, ...NUMBER_OPS],
} as const;

export type FieldName = keyof typeof OPS;
export type OpName = (typeof OPS)[FieldName][number];

const NUMERIC: readonly OpName[] = ['gt', 'gte', 'lt', 'lte'];
const SEVERAL: readonly OpName[] = ['in', 'not_in'];
const VALUELESS: readonly OpName[] = ['exists', 'not_exists'];

export interface Condition {
  kind: 'condition';
  key: number;
  field: FieldName;
  /** The key of a custom field. */
  custom: string;
  op: OpName;
  value: string;
}

export interface Group {
  kind: 'group';
  key: number;
  match: 'all' | 'any';
  rules: readonly Rule[];
}

export type Rule = Condition | Group;

/** The API does not accept deeper groups. */
export const MOST_LEVELS = 3;

let lastKey = 0;
function nextKey(): number {
  lastKey += 1;
  return lastKey;
}

export function takesSeveral(op: OpName): boolean {
  return SEVERAL.includes(op);
}

export function takesValue(op: OpName): boolean {
  return !VALUELESS.includes(op);
}

export function newCondition(): Condition {
  return { kind: 'condition', key: nextKey(), field: 'tag', custom: '', op: 'has', value: '' };
}

export function newGroup(match: Group['match'] = 'all', rules: readonly Rule[] = [newCondition()]): Group {
  return { kind: 'group', key: nextKey(), match, rules };
}

/** The first condition of a field is chosen with it. */
export function withField(condition: Condition, field: FieldName): Condition {
  const ops: readonly OpName[] = OPS[field];
  const op = ops.includes(condition.op) ? condition.op : (ops[0] ?? 'eq');
  return { ...condition, field, op, value: '' };
}

function valueOf({ op, value }: Condition): string | number | string[] {
  if (takesSeveral(op)) {
    return value
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
  }
  const text = value.trim();
  return NUMERIC.includes(op) && text !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}

function ruleOf(rule: Rule): object {
  if (rule.kind === 'group') return filterOf(rule);
  const field = rule.field === CUSTOM ? `${CUSTOM}.${rule.custom.trim()}` : rule.field;
  return { field, op: rule.op, ...(takesValue(rule.op) ? { value: valueOf(rule) } : {}) };
}

export function filterOf({ match, rules }: Group): SegmentFilter {
  return { [match]: rules.map(ruleOf) };
}

/** Whether every condition is complete. Incomplete filters are not sent. */
export function isWhole({ rules }: Group): boolean {
  return (
    rules.length > 0 &&
    rules.every((rule) =>
      rule.kind === 'group'
        ? isWhole(rule)
        : (rule.field !== CUSTOM || rule.custom.trim() !== '') &&
          (!takesValue(rule.op) || rule.value.trim() !== ''),
    )
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(String).join(', ');
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function conditionFrom({ field, op, value }: Record<string, unknown>): Condition {
  const name = String(field);
  const isCustom = name.startsWith(`${CUSTOM}.`);
  const known = (Object.keys(OPS) as FieldName[]).find((one) => one === name) ?? CUSTOM;
  return {
    kind: 'condition',
    key: nextKey(),
    field: isCustom ? CUSTOM : known,
    custom: isCustom ? name.slice(CUSTOM.length + 1) : '',
    op: op as OpName,
    value: textOf(value),
  };
}

/** Reads a stored filter of the API, which is valid. */
export function groupFrom(filter: unknown): Group {
  const { all, any } = isObject(filter) ? filter : {};
  const rules: unknown[] = Array.isArray(any) ? any : Array.isArray(all) ? all : [];
  return newGroup(
    Array.isArray(any) ? 'any' : 'all',
    rules.filter(isObject).map((rule) => ('field' in rule ? conditionFrom(rule) : groupFrom(rule))),
  );
}
