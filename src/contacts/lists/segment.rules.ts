// Checks the filters of segments, which select contacts by their fields.
import { CONTACT_STATUSES } from '../../contract/names.js';
import type { FieldProblem } from '../../contract/refusal.js';

const TEXT_OPS = ['eq', 'neq', 'contains', 'starts_with', 'ends_with', 'in', 'not_in'] as const;
const PRESENCE_OPS = ['exists', 'not_exists'] as const;
const MEMBER_OPS = ['has', 'not_has', 'in', 'not_in'] as const;
const TIME_OPS = ['before', 'after'] as const;

const OPS = {
  email: TEXT_OPS,
  name: [...TEXT_OPS, ...PRESENCE_OPS],
  phone: [...TEXT_OPS, ...PRESENCE_OPS],
  status: ['eq', 'neq', 'in', 'not_in'],
  tag: [...MEMBER_OPS, ...PRESENCE_OPS],
  list: MEMBER_OPS,
  created_at: TIME_OPS,
  updated_at: TIME_OPS,
  metadata: [...TEXT_OPS, 'gt', 'gte', 'lt', 'lte', ...PRESENCE_OPS, ...TIME_OPS],
} as const satisfies Record<string, readonly string[]>;

type PlainField = Exclude<keyof typeof OPS, 'metadata'>;
type SegmentField = PlainField | `metadata.${string}`;
type SegmentOp = (typeof OPS)[keyof typeof OPS][number];
type SegmentValue = string | number | boolean | readonly (string | number | boolean)[];

export interface SegmentCondition {
  field: SegmentField;
  op: SegmentOp;
  /** Absent for `exists` and `not_exists`, a list for `in` and `not_in`, an ISO 8601 time for `before` and `after`. */
  value?: SegmentValue;
}
export type SegmentGroup = { all: readonly SegmentNode[] } | { any: readonly SegmentNode[] };
export type SegmentNode = SegmentCondition | SegmentGroup;

/** Largest depth of nested groups. */
const MAX_DEPTH = 3;
const MAX_CONDITIONS = 50;
const MAX_VALUES = 100;
const MAX_TEXT = 254;
/** Matches metadata fields. Quotes and backslashes are excluded, because JSON paths can't contain them. */
const METADATA_FIELD = /^metadata\.([^"\\\x00-\x1f]{1,128})$/;
const DAY = /^\d{4}-\d\d-\d\d$/;
const INSTANT = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/;

type ReadSegment = { ok: true; filter: SegmentGroup } | { ok: false; problems: FieldProblem[] };

/** Parses the filter of a request. Each problem has its path, which begins with `path`. */
export function readSegment(input: unknown, path: string): ReadSegment {
  const problems: FieldProblem[] = [];
  const size = { conditions: 0 };
  const filter = readGroup(input, { path, depth: 1, problems, size });
  if (size.conditions > MAX_CONDITIONS) {
    problems.unshift({
      path,
      message: `has ${size.conditions} conditions, but the limit is ${MAX_CONDITIONS}`,
    });
  }
  return filter && problems.length === 0
    ? { ok: true, filter }
    : { ok: false, problems: problems.slice(0, 20) };
}

/** Returns the key of a condition on `metadata.<key>`; `null` for other fields. */
export function metadataKey(field: string): string | null {
  return METADATA_FIELD.exec(field)?.[1] ?? null;
}

/** Returns the ids of the lists in a filter. */
export function listsNamedBy(group: SegmentGroup): string[] {
  const ids = groupNodes(group).flatMap((node) => {
    if (isGroup(node)) return listsNamedBy(node);
    return node.field === 'list' ? conditionValues(node).map(String) : [];
  });
  return [...new Set(ids)];
}

/** Returns the filter with other ids of lists. Ids that `ids` does not have stay. */
export function renameLists(group: SegmentGroup, ids: ReadonlyMap<string, string>): SegmentGroup {
  const idOf = (id: string | number | boolean) => ids.get(String(id)) ?? id;
  const nodes = groupNodes(group).map((node): SegmentNode => {
    if (isGroup(node)) return renameLists(node, ids);
    if (node.field !== 'list' || node.value === undefined) return node;
    const [first = ''] = conditionValues(node);
    return { ...node, value: Array.isArray(node.value) ? conditionValues(node).map(idOf) : idOf(first) };
  });
  return 'all' in group ? { all: nodes } : { any: nodes };
}

export function isGroup(node: SegmentNode): node is SegmentGroup {
  return 'all' in node || 'any' in node;
}

export function groupNodes(group: SegmentGroup): readonly SegmentNode[] {
  return 'all' in group ? group.all : group.any;
}

/** Returns the value as a list, which is empty if the operator takes none. */
export function conditionValues({ value }: SegmentCondition): readonly (string | number | boolean)[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? (value as readonly (string | number | boolean)[]) : [value as string];
}

interface Reading {
  path: string;
  depth: number;
  problems: FieldProblem[];
  size: { conditions: number };
}

function readGroup(input: unknown, reading: Reading): SegmentGroup | null {
  const { path, depth, problems } = reading;
  const refuse = (message: string): null => {
    problems.push({ path, message });
    return null;
  };
  if (!isRecord(input)) return refuse('must be an object with `all` or `any`');
  const { all, any, ...others } = input;
  const hasAll = all !== undefined;
  if (hasAll === (any !== undefined) || Object.keys(others).length > 0)
    return refuse('must have either `all` or `any` and no other fields');
  if (depth > MAX_DEPTH) return refuse(`is nested more than ${MAX_DEPTH} levels deep`);
  const [kind, items] = hasAll ? ['all', all] : ['any', any];
  if (!Array.isArray(items) || items.length === 0 || items.length > MAX_CONDITIONS)
    return refuse(`${kind} must be a list of 1 to ${MAX_CONDITIONS} conditions`);
  const members = items.flatMap((item: unknown, index) => {
    const below = { ...reading, path: `${path}.${kind}.${index}`, depth: depth + 1 };
    const node = isRecord(item) && ('all' in item || 'any' in item) ? readGroup(item, below) : null;
    return node ?? readCondition(item, below) ?? [];
  });
  return hasAll ? { all: members } : { any: members };
}

function readCondition(input: unknown, { path, problems, size }: Reading): SegmentCondition | null {
  const refuse = (at: string, message: string): null => {
    problems.push({ path: at === '' ? path : `${path}.${at}`, message });
    return null;
  };
  if (!isRecord(input)) return refuse('', 'must be a condition {field, op, value} or a group');
  if ('all' in input || 'any' in input) return null;
  size.conditions += 1;
  const unknown = Object.keys(input).find((name) => !['field', 'op', 'value'].includes(name));
  if (unknown !== undefined) return refuse(unknown, 'is not a known field');
  const { field, op, value } = input;
  const kind = typeof field === 'string' ? kindOf(field) : null;
  if (kind === null) {
    return refuse(
      'field',
      `must be one of ${Object.keys(OPS).join(', ').replace('metadata', 'metadata.<key>')}`,
    );
  }
  const ops: readonly string[] = OPS[kind];
  if (typeof op !== 'string' || !ops.includes(op)) {
    return refuse('op', `must be one of ${ops.join(', ')} for ${String(field)}`);
  }
  const problem = valueProblem(kind, op as SegmentOp, value);
  if (problem !== null) return refuse('value', problem);
  const condition = { field: field as SegmentField, op: op as SegmentOp };
  return value === undefined ? condition : { ...condition, value: value as SegmentValue };
}

function kindOf(field: string): keyof typeof OPS | null {
  if (METADATA_FIELD.test(field)) return 'metadata';
  return field !== 'metadata' && Object.hasOwn(OPS, field) ? (field as PlainField) : null;
}

function valueProblem(kind: keyof typeof OPS, op: SegmentOp, value: unknown): string | null {
  if (op === 'exists' || op === 'not_exists') return value === undefined ? null : 'must be omitted';
  if (value === undefined) return 'is required';
  if (op === 'in' || op === 'not_in') {
    if (!Array.isArray(value) || value.length === 0 || value.length > MAX_VALUES)
      return `must be a list of 1 to ${MAX_VALUES} values`;
    return value.map((one: unknown) => oneProblem(kind, op, one)).find((problem) => problem !== null) ?? null;
  }
  return oneProblem(kind, op, value);
}

function oneProblem(kind: keyof typeof OPS, op: SegmentOp, value: unknown): string | null {
  if (op === 'before' || op === 'after') return timeProblem(kind, value);
  if (op === 'gt' || op === 'gte' || op === 'lt' || op === 'lte')
    return typeof value === 'number' && Number.isFinite(value) ? null : 'must be a number';
  if (kind === 'metadata' && ['eq', 'neq', 'in', 'not_in'].includes(op)) {
    if (typeof value === 'number' || typeof value === 'boolean') return null;
  }
  if (typeof value !== 'string') return 'must be a string';
  if (value === '' || value.length > MAX_TEXT || value.includes('\0'))
    return `must be 1 to ${MAX_TEXT} characters long`;
  if (kind === 'status' && !CONTACT_STATUSES.some((status) => status === value))
    return `must be one of ${CONTACT_STATUSES.join(', ')}`;
  return null;
}

function timeProblem(kind: keyof typeof OPS, value: unknown): string | null {
  if (typeof value !== 'string') return 'must be a string';
  // Metadata values are compared as text, which only works for dates.
  if (kind === 'metadata')
    return DAY.test(value) && !Number.isNaN(Date.parse(value)) ? null : 'must be a date such as 2026-03-01';
  return INSTANT.test(value) && !Number.isNaN(Date.parse(value))
    ? null
    : 'must be a date or a time such as 2026-03-01T09:00:00Z';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
