// Finds the part of a workspace's chain that holds the events of a time range. The chain is ordered by position, not by time.
import type { Engine } from '../database/engine/engine.js';
import { POSITIONS_PER_WORKSPACE } from './chains.store.js';
import type { chains } from './events.tables.js';
import type { Instant, TablesOf } from '../database/columns.js';
import { rowsAs } from '../database/sql.js';

type Known = TablesOf<typeof chains>;

/** Longest delay between an event and its row. Inbound mail is classified later, and an outage delays commits. */
const LATE_MS = 3_600_000;
/** Neighboring events whose times are compared, so that one late event does not mislead the search. */
const PROBE = 32;

const TIMES = 'SELECT occurred_at FROM events WHERE position >= ? AND position < ? ORDER BY position LIMIT ?';

/** Epoch ms; either end may be open. */
export interface TimeRange {
  since?: number;
  /** Exclusive. */
  until?: number;
}

/** Positions after `above`, up to and including `upTo`. */
interface PositionRange {
  above: number;
  upTo: number;
}

type RangeOfTime = (workspaceNumber: number, range: TimeRange) => Promise<PositionRange>;

/** Returns positions that include every event of the range, and possibly others at both ends. */
export function createRangeOfTime(engine: Engine): RangeOfTime {
  const db = engine.read.$extendTables<Known>();

  async function readHead(workspaceNumber: number): Promise<number> {
    const query = db.selectFrom('chains').select('head_seq').where('workspace_number', '=', workspaceNumber);
    return (await query.executeTakeFirst())?.head_seq ?? 0;
  }

  /** Finds bounds: events below `low` happened before `time`, and none from `high` on did, as far as the chain is in time order. */
  async function findBounds(
    time: number,
    start: number,
    end: number,
  ): Promise<{ low: number; high: number }> {
    let low = start;
    let high = end;
    while (high - low > PROBE) {
      const middle = low + Math.floor((high - low) / 2);
      const rows = await rowsAs<{ occurred_at: Instant }>(engine.rows(TIMES, [middle, high, PROBE]));
      const isBefore = rows.length > 0 && rows.every((row) => row.occurred_at < time);
      if (isBefore) low = middle;
      else high = middle;
    }
    return { low, high: Math.min(high + PROBE, end) };
  }

  return async function rangeOfTime(workspaceNumber, { since, until }) {
    const start = workspaceNumber * POSITIONS_PER_WORKSPACE + 1;
    const end = start + (await readHead(workspaceNumber));
    const low = since === undefined ? start : (await findBounds(since, start, end)).low;
    const high = until === undefined ? end : (await findBounds(until + LATE_MS, low, end)).high;
    return { above: low - 1, upTo: high - 1 };
  };
}
