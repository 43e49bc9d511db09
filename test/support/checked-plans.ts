// Checks the SQLite query plan of each statement that the tests of a worker prepare. A statement that names rows of a large table
// must not read all rows of their owner. Without statistics, SQLite assumes that an owner has few rows, so a plan that is right
// for one ID may be wrong for five. Lists are therefore tried at several lengths.
import { afterAll, expect } from 'vitest';
import { Database, type Statement } from '../../src/database/engine/sqlite-driver.js';

/** Tables that grow with the mail. */
const LARGE =
  /^(messages|events|queue|queues|contacts|contents|attempts|raws|inbound_messages|webhook_deliveries|threads|list_members|campaign_recipients|enrollments|request_log|suppressions|idempotency_keys)$/;
/** Columns of an owner with many rows. */
const OWNER = /^(environment_id|workspace_id|workspace_number|endpoint_id|list_number|status|state)$/;
/** Columns that name a row, or few. */
const NAMED =
  /(?<![\w.])"?(?:(\w+)"?\."?)?(id|public_id|number|message_id|subject_id|to_key|email_key|correspondent_key|key)"? (?:=|in) /gi;
const LENGTHS = [1, 5, 100];

/** Read in the order of an index, and no further than the limit. */
const isPage = (text: string, plan: readonly string[]): boolean =>
  /\blimit\b/i.test(text) && !plan.some((step) => step.includes('TEMP B-TREE'));

/** The names by which a statement calls its tables. */
function tablesOf(text: string): Map<string, string> {
  const tables = new Map<string, string>();
  for (const [, table = '', alias] of text.matchAll(
    /\b(?:from|join|update)\s+"?(\w+)"?(?:\s+(?:as\s+)?"?(\w+)"?)?/gi,
  )) {
    tables.set(table, table);
    if (alias !== undefined && !/^(where|set|on|inner|left|join|order|cross|group|union|limit)$/i.test(alias))
      tables.set(alias, table);
  }
  return tables;
}

/** Steps that read all that one owner has in a large table, though the statement names rows of it. */
function wideSteps(text: string, plan: readonly string[]): string[] {
  const tables = tablesOf(text);
  const named = new Set([...text.matchAll(NAMED)].map(([, alias]) => alias));
  return plan.filter((step) => {
    const [, name = '', bound = ''] = /^SEARCH (\w+) USING .*\((.*)\)$/.exec(step) ?? [];
    if (!LARGE.test(tables.get(name) ?? name) || !(named.has(name) || named.has(undefined))) return false;
    const columns = bound.split(' AND ').map((condition) => condition.split('=')[0] ?? '');
    return columns.every((column) => OWNER.test(column));
  });
}

function planOf(prepare: () => Statement): string[] {
  try {
    const statement = prepare();
    const values = Array.from({ length: statement.source.split('?').length - 1 }, () => 1);
    return statement.all(values).map((row) => String((row as { detail: unknown }).detail));
  } catch {
    // A statement of a test that is to fail.
    return [];
  }
}

/** Whenever a statement is prepared that none of the worker's tests has prepared before. */
function watch(): string[] {
  const found: string[] = [];
  const known = new Set<string>();
  const original = Reflect.get(Database.prototype, 'prepare') as (this: unknown, text: string) => Statement;
  function prepare(this: unknown, text: string): Statement {
    const shape = text.replace(/\bin \(\?(?:, \?)*\)/gi, 'in (@)');
    if (!known.has(shape) && /^\s*(?:select|with|update|delete)/i.test(shape)) {
      known.add(shape);
      for (const length of shape.includes('@') ? LENGTHS : [1]) {
        const whole = shape.replaceAll('@', Array.from({ length }, () => '?').join(', '));
        const plan = planOf(() => original.call(this, `EXPLAIN QUERY PLAN ${whole}`));
        if (isPage(whole, plan)) continue;
        found.push(...wideSteps(whole, plan).map((step) => `${step} with ${length} in a list: ${shape}`));
      }
    }
    return original.call(this, text);
  }
  Reflect.set(Database.prototype, 'prepare', prepare);
  return found;
}

const FOUND = Symbol.for('mailkeel.test.wide-statements');
const kept = globalThis as unknown as Record<symbol, string[] | undefined>;
/** Files of a worker share its modules' state, but each runs this file again. */
const found = (kept[FOUND] ??= watch());

afterAll(() => {
  expect(found.splice(0)).toEqual([]);
});
