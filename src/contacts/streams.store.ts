// Reads the contacts that match a filter, newest first. A walk follows the shortest of the indexes that apply, step by step,
// and checks its entries against the other indexes and the rows.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { searchPattern } from './search.store.js';
import type { Engine, Value } from '../database/engine/engine.js';
import { inList, rowsAs } from '../database/sql.js';
import type { Scope } from '../database/scope.js';
import type { Contact } from './contacts.tables.js';

/** Conditions on a contact's own row. */
export interface RowFilter {
  q?: string;
  /** Matches any of these. */
  status?: readonly Contact['status'][];
  createdAfter?: number;
  createdBefore?: number;
}

interface StreamFilter extends RowFilter {
  tag?: string;
  listNumber: number | null;
}

interface WalkStep {
  /** Numbers, the highest first. */
  kept: number[];
  /** Entries of the index that were scanned. */
  looked: number;
  /** Start of the next step; null at the end. */
  last: number | null;
}

interface ContactWalk {
  steps(below: number): AsyncGenerator<WalkStep>;
  /** Walks from the newest contact in large steps, for counting. */
  all(): AsyncGenerator<WalkStep>;
  /** Counts the entries of an index; null if they do not decide the match. */
  countAll: (() => Promise<number>) | null;
}

/** Higher than every number. */
export const NEWEST = Number.MAX_SAFE_INTEGER;
/** The first step is small, since most pages are full after it. */
const FIRST_STEP = 200;
/** Entries of a step, after which other work gets a turn (about 5 ms). */
const MAX_STEP = 2_000;
/** Entries of an index that are counted in one step (about 2 ms). */
const COUNT_STEP = 20_000;
/** Entries by which indexes are compared. The shortest index leads; if all are longer, the next number applies. */
const PROBES = [1_000, 10_000];
/** Minimum letters to find any part of a word. */
const PART_LENGTH = 3;

/** Numbers of contacts in an index, the highest first. */
interface Stream {
  /** Reads up to `limit` numbers below `below`. */
  numbers(below: number, limit: number): Promise<number[]>;
  /** Returns the numbers that it has; null if the contact's row decides. */
  among: ((numbers: readonly number[]) => Promise<ReadonlySet<number>>) | null;
  /** Counts up to `limit` numbers below `below`, and returns the last. */
  count: ((below: number, limit: number) => Promise<{ n: number; last: number }>) | null;
}

interface Question {
  lead: Stream;
  others: readonly Stream[];
  /** Null if the streams decide. */
  check: ((row: CheckedRow) => boolean) | null;
}

type CheckedRow = Pick<
  Contact,
  'number' | 'environment_id' | 'sub_tenant_id' | 'status' | 'email_key' | 'name' | 'created_at'
>;
type NumberRow = Pick<Contact, 'number'>;
const CHECKED_COLUMNS = 'number, environment_id, sub_tenant_id, status, email_key, name, created_at';

export function createContactStreams(engine: Engine) {
  return {
    async walk(scope: Scope, filter: StreamFilter): Promise<ContactWalk> {
      const question = await planWalk(engine, scope, filter);
      const { lead, others, check } = question;
      const count = check || others.length > 0 ? null : lead.count;
      return {
        steps: (below) => walk(engine, question, { from: below, firstStep: FIRST_STEP }),
        all: () => walk(engine, question, { from: NEWEST, firstStep: MAX_STEP }),
        countAll: count && (() => countStream(count)),
      };
    },
  };
}

async function planWalk(engine: Engine, scope: Scope, filter: StreamFilter): Promise<Question> {
  const { q, tag, status, listNumber } = filter;
  const streams = [
    q === undefined ? null : searchStream(engine, scope, q),
    tag === undefined ? null : carriers(engine, scope, tag),
    listNumber === null ? null : members(engine, listNumber),
    scope.subTenantId !== null || status ? environmentStream(engine, scope, filter) : null,
  ].filter((stream) => stream !== null);
  const lead = await shortest(streams);
  const isTimed = filter.createdAfter !== undefined || filter.createdBefore !== undefined;
  const isInRow = q !== undefined || status !== undefined || scope.subTenantId !== null || isTimed;
  return {
    lead: lead ?? environmentStream(engine, scope, filter),
    others: streams.filter((stream) => stream !== lead),
    check: isInRow ? rowCheck(scope, filter) : null,
  };
}

async function shortest(streams: readonly Stream[]): Promise<Stream | undefined> {
  if (streams.length < 2) return streams[0];
  for (const probe of PROBES) {
    const lengths = await Promise.all(
      streams.map(async (stream) => (await stream.numbers(NEWEST, probe)).length),
    );
    const length = Math.min(...lengths);
    if (length < probe) return streams[lengths.indexOf(length)];
  }
  return streams[0];
}

/** Scans the leading stream step by step. `last` is null at the end. */
async function* walk(
  engine: Engine,
  question: Question,
  { from, firstStep }: { from: number; firstStep: number },
): AsyncGenerator<WalkStep> {
  const { lead, others, check } = question;
  let below = from;
  for (let step = firstStep; ; step = Math.min(step * 4, MAX_STEP)) {
    const numbers = await lead.numbers(below, step);
    let kept = numbers;
    for (const { among } of others) {
      if (!among || kept.length === 0) continue;
      const theirs = await among(kept);
      kept = kept.filter((number) => theirs.has(number));
    }
    if (check && kept.length > 0) {
      const list = inList(kept);
      const statement = `SELECT ${CHECKED_COLUMNS} FROM contacts WHERE number IN (${list.marks})`;
      const rows = await rowsAs<CheckedRow>(engine.rows(statement, list.values));
      const right = new Set(rows.filter(check).map(({ number }) => number));
      kept = kept.filter((number) => right.has(number));
    }
    const last = numbers.length < step ? null : (numbers.at(-1) ?? null);
    yield { kept, looked: numbers.length, last };
    if (last === null) return;
    below = last;
    await nextTurn();
  }
}

/** `select` is a statement up to its WHERE clause, `number` the column that it selects. */
function indexStream(
  engine: Engine,
  { select, number, values }: { select: string; number: string; values: readonly Value[] },
  isChecked: 'by itself' | 'in the row',
): Stream {
  const next = `${select} AND ${number} < ? ORDER BY ${number} DESC LIMIT ?`;
  const numbersIn = async (statement: string, more: readonly Value[]) =>
    (await rowsAs<NumberRow>(engine.rows(statement, [...values, ...more]))).map((row) => row.number);
  return {
    numbers: (below, limit) => numbersIn(next, [below, limit]),
    among:
      isChecked === 'in the row'
        ? null
        : async (numbers) => {
            const list = inList(numbers);
            return new Set(await numbersIn(`${select} AND ${number} IN (${list.marks})`, list.values));
          },
    async count(below, limit) {
      const statement = `SELECT COUNT(*) AS n, MIN(number) AS last FROM (${next}) AS s`;
      const [row] = await rowsAs<{ n: number; last: number | null }>(
        engine.rows(statement, [...values, below, limit]),
      );
      return { n: row?.n ?? 0, last: row?.last ?? 0 };
    },
  };
}

function carriers(engine: Engine, scope: Scope, tag: string): Stream {
  return indexStream(
    engine,
    {
      select: 'SELECT contact_number AS number FROM contact_tags WHERE environment_id = ? AND tag = ?',
      number: 'contact_number',
      values: [scope.environmentId, tag],
    },
    'by itself',
  );
}

function members(engine: Engine, listNumber: number): Stream {
  return indexStream(
    engine,
    {
      select:
        "SELECT contact_number AS number FROM list_members WHERE list_number = ? AND state = 'subscribed'",
      number: 'contact_number',
      values: [listNumber],
    },
    'by itself',
  );
}

function environmentStream(engine: Engine, scope: Scope, { status }: StreamFilter): Stream {
  const select = 'SELECT number FROM contacts WHERE environment_id = ?';
  const [condition, values] =
    scope.subTenantId !== null
      ? [' AND sub_tenant_id = ?', [scope.subTenantId]]
      : status?.length === 1
        ? [' AND status = ?', [...status]]
        : ['', []];
  const source = { select: select + condition, number: 'number', values: [scope.environmentId, ...values] };
  return indexStream(engine, source, 'in the row');
}

function searchStream(engine: Engine, scope: Scope, q: string): Stream | null {
  const { index } = engine.spelling.contactSearch;
  const pattern = index && searchPattern(scope.environmentId, q);
  if (!index || pattern === null) return null;
  return {
    // A search that begins in the middle of the numbers is not cheaper than one of all.
    async numbers(below, limit) {
      const rows = await rowsAs<NumberRow>(engine.rows(index.find, [pattern, below, limit]));
      return rows.map(({ number }) => number);
    },
    among: null,
    count: null,
  };
}

async function countStream(count: NonNullable<Stream['count']>): Promise<number> {
  let total = 0;
  for (let below = NEWEST; ;) {
    const { n, last } = await count(below, COUNT_STEP);
    total += n;
    if (n < COUNT_STEP) return total;
    below = last;
    await nextTurn();
  }
}

/** Returns the condition that the streams do not prove. A search index may combine a match from several words. */
export function rowCheck(
  { environmentId, subTenantId }: Pick<Scope, 'environmentId' | 'subTenantId'>,
  { q, status, createdAfter = -Infinity, createdBefore = Infinity }: RowFilter,
): (row: CheckedRow) => boolean {
  const part = q?.trim().toLowerCase() ?? '';
  const isPart = part.length >= PART_LENGTH;
  const hasPart = ({ email_key: key, name }: CheckedRow): boolean => {
    const words = (name ?? '').toLowerCase();
    if (isPart) return key.includes(part) || words.includes(part);
    return key.startsWith(part) || words.startsWith(part) || words.includes(` ${part}`);
  };
  return (row) =>
    row.environment_id === environmentId &&
    (subTenantId === null || row.sub_tenant_id === subTenantId) &&
    (status === undefined || status.includes(row.status)) &&
    row.created_at >= createdAfter &&
    row.created_at < createdBefore &&
    (part === '' || hasPart(row));
}
