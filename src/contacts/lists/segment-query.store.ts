// Translates a segment's filter to an SQL condition on `contacts c`, for both engines. A comparison with a missing value is
// false, and its negation is true.
import { addressKey } from '../../lib/mime/index.js';
import {
  isGroup,
  groupNodes,
  metadataKey,
  conditionValues,
  type SegmentCondition,
  type SegmentGroup,
  type SegmentNode,
} from './segment.rules.js';
import type { Engine, Value } from '../../database/engine/engine.js';
import { inList } from '../../database/sql.js';

/** SQL text with placeholders, and their values in order. */
export interface Fragment {
  sql: string;
  values: Value[];
}

interface SegmentContext {
  engine: Engine['name'];
  environmentId: number;
  /** Numbers of the filter's lists by id. A missing list has no members. */
  listNumbers: ReadonlyMap<string, number>;
}

export function segmentFragment(node: SegmentNode, context: SegmentContext): Fragment {
  return isGroup(node) ? groupFragment(node, context) : conditionFragment(node, context);
}

function groupFragment(group: SegmentGroup, context: SegmentContext): Fragment {
  const parts = groupNodes(group).map((node) => segmentFragment(node, context));
  return {
    sql: `(${parts.map((part) => part.sql).join('all' in group ? ' AND ' : ' OR ')})`,
    values: parts.flatMap((part) => part.values),
  };
}

const NEGATIVE = { neq: 'eq', not_in: 'in', not_exists: 'exists', not_has: 'has' } as const;

function conditionFragment(condition: SegmentCondition, context: SegmentContext): Fragment {
  const { op } = condition;
  const positive = op in NEGATIVE ? NEGATIVE[op as keyof typeof NEGATIVE] : null;
  const { sql, values } = positiveFragment({ ...condition, op: positive ?? op }, context);
  return { sql: `${positive === null ? '' : 'NOT '}COALESCE((${sql}), FALSE)`, values };
}

function positiveFragment(condition: SegmentCondition, context: SegmentContext): Fragment {
  const { field } = condition;
  switch (field) {
    case 'email':
      return compareText({ sql: 'c.email_key', values: [] }, { ...condition }, context, addressKey);
    case 'name':
    case 'phone':
    case 'status':
      return compareText({ sql: `c.${field}`, values: [] }, condition, context, asIs);
    case 'tag':
      return hasTag(condition, context);
    case 'list':
      return isOnList(condition, context);
    case 'created_at':
    case 'updated_at':
      return {
        sql: `c.${field} ${condition.op === 'before' ? '<' : '>'} ?`,
        values: [Date.parse(String(conditionValues(condition)[0]))],
      };
    default:
      return compareMetadata(condition, context);
  }
}

function hasTag(condition: SegmentCondition, { environmentId }: SegmentContext): Fragment {
  if (condition.op === 'exists') return { sql: `c.tags <> '[]'`, values: [] };
  const tags = inList(conditionValues(condition).map(String));
  return {
    sql: `EXISTS (SELECT 1 FROM contact_tags t WHERE t.environment_id = ? AND t.tag IN (${tags.marks})
      AND t.contact_number = c.number)`,
    values: [environmentId, ...tags.values],
  };
}

function isOnList(condition: SegmentCondition, { listNumbers }: SegmentContext): Fragment {
  const numbers = conditionValues(condition).flatMap((id) => listNumbers.get(String(id)) ?? []);
  if (numbers.length === 0) return { sql: 'FALSE', values: [] };
  const lists = inList(numbers);
  return {
    sql: `EXISTS (SELECT 1 FROM list_members lm WHERE lm.list_number IN (${lists.marks})
      AND lm.contact_number = c.number AND lm.state = 'subscribed')`,
    values: lists.values,
  };
}

const asIs = (text: string): string => text;

/** Compares text case-insensitively. SQLite folds only ASCII letters. */
function compareText(
  text: Fragment,
  condition: SegmentCondition,
  { engine }: SegmentContext,
  keyOf: (value: string) => string,
): Fragment {
  const values = conditionValues(condition).map(String);
  const [value = ''] = values;
  const folded = `lower(${text.sql})`;
  const { op } = condition;
  if (op === 'exists') return { sql: `${text.sql} <> ''`, values: text.values };
  if (op === 'contains') {
    const find = engine === 'sqlite' ? 'instr' : 'strpos';
    return { sql: `${find}(${folded}, lower(?)) > 0`, values: [...text.values, value] };
  }
  if (op === 'starts_with') {
    const sql = `substr(${folded}, 1, length(lower(?))) = lower(?)`;
    return { sql, values: [...text.values, value, value] };
  }
  if (op === 'ends_with') {
    const tail =
      engine === 'sqlite' ? `substr(${folded}, -length(lower(?)))` : `right(${folded}, length(lower(?)))`;
    return { sql: `${tail} = lower(?)`, values: [...text.values, value, value] };
  }
  const list = inList(values.map(keyOf));
  const marks = list.values.map(() => 'lower(?)').join(', ');
  return { sql: `${folded} IN (${marks})`, values: [...text.values, ...list.values] };
}

/**
 * Compares a metadata value as text. Only strings, numbers and booleans are comparable. Numeric comparisons also accept
 * numbers in strings, because imports store strings.
 */
function compareMetadata(condition: SegmentCondition, context: SegmentContext): Fragment {
  const key = metadataKey(condition.field) ?? '';
  const text = metadataText(key, context.engine);
  const { op } = condition;
  const value = conditionValues(condition)[0] ?? '';
  if (op === 'gt' || op === 'gte' || op === 'lt' || op === 'lte') {
    const number = numberIn(text, context.engine);
    const sign = { gt: '>', gte: '>=', lt: '<', lte: '<=' }[op];
    return { sql: `${number.sql} ${sign} ?`, values: [...number.values, Number(value)] };
  }
  if (op === 'before' || op === 'after') {
    const isDay =
      context.engine === 'sqlite'
        ? `${text.sql} GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*'`
        : `${text.sql} ~ '^[0-9]{4}-[0-9][0-9]-[0-9][0-9]'`;
    return {
      sql: `${isDay} AND substr(${text.sql}, 1, 10) ${op === 'before' ? '<' : '>'} ?`,
      values: [...text.values, ...text.values, String(value)],
    };
  }
  return compareText(text, condition, context, asIs);
}

function metadataText(key: string, engine: Engine['name']): Fragment {
  if (engine === 'sqlite') {
    const path = `$."${key}"`;
    return {
      sql: `(CASE json_type(c.metadata, ?) WHEN 'text' THEN json_extract(c.metadata, ?) WHEN 'integer' THEN c.metadata -> ?
        WHEN 'real' THEN c.metadata -> ? WHEN 'true' THEN 'true' WHEN 'false' THEN 'false' END)`,
      values: [path, path, path, path],
    };
  }
  // PostgreSQL's text cannot contain NUL characters.
  const json = `replace(c.metadata, '\\u0000', '\\u0020')::json`;
  return {
    sql: `(CASE WHEN json_typeof(${json} -> ?) IN ('string', 'number', 'boolean') THEN ${json} ->> ? END)`,
    values: [key, key],
  };
}

function numberIn(text: Fragment, engine: Engine['name']): Fragment {
  const isNumber =
    engine === 'sqlite'
      ? `json_valid(${text.sql}) AND ${text.sql} NOT GLOB '*[^-+.0-9eE]*'`
      : `${text.sql} ~ '^-{0,1}(0|[1-9][0-9]{0,200})([.][0-9]{1,200}){0,1}([eE][-+]{0,1}[0-9]{1,3}){0,1}$'`;
  const cast = engine === 'sqlite' ? `CAST(${text.sql} AS REAL)` : `(${text.sql})::numeric`;
  const repeats = engine === 'sqlite' ? 3 : 2;
  return {
    sql: `(CASE WHEN ${isNumber} THEN ${cast} END)`,
    values: Array.from({ length: repeats }, () => text.values).flat(),
  };
}
