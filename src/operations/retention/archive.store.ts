// Archiving of events: due segments, their entries, and rows that can be deleted.
import { POSITIONS_PER_WORKSPACE } from '../../events/chains.store.js';
import { CHAIN_START, type ChainHead } from '../../events/chain.rules.js';
import type { Committer } from '../../database/committer.js';
import type { Engine, Tx } from '../../database/engine/engine.js';
import { inList, rowsAs } from '../../database/sql.js';
import type { StoredEvent } from '../../events/events.tables.js';
import type { EventSegment } from '../../events/archive/segments.store.js';
import { segmentBounds, SEGMENT_ENTRIES, type HashedEntry } from '../../events/archive/segment.rules.js';

/** A segment that is to be archived, or whose rows are to be deleted. */
export interface DueSegment {
  workspaceNumber: number;
  workspaceId: string;
  segment: number;
  /** True if its file exists. Rows may remain. */
  isWritten: boolean;
}

interface DueRow extends Omit<DueSegment, 'isWritten'> {
  first_position: number | null;
}

type EntryRow = Pick<
  StoredEvent,
  'position' | 'environment_id' | 'subject_id' | 'event' | 'actor' | 'occurred_at' | 'detail_digest' | 'hash'
>;

/** Entries per read, which takes some milliseconds. */
const READ_ROWS = 1_024;

const MARK = (marks: string): string => `INSERT INTO archive_marks (workspace_number, segment)
  SELECT DISTINCT position / ${POSITIONS_PER_WORKSPACE}, (position % ${POSITIONS_PER_WORKSPACE} - 1) / ${SEGMENT_ENTRIES}
  FROM events WHERE message_id IN (${marks}) ON CONFLICT (workspace_number, segment) DO NOTHING`;
/** The last entry of a chain is never archived, because checks of backups read its row. */
const DUE = `SELECT a.workspace_number AS "workspaceNumber", a.segment, w.id AS "workspaceId", s.first_position
  FROM archive_marks a
  JOIN chains c ON c.workspace_number = a.workspace_number JOIN workspaces w ON w.number = a.workspace_number
  LEFT JOIN event_segments s ON s.first_position = a.workspace_number * ${POSITIONS_PER_WORKSPACE} + a.segment * ${SEGMENT_ENTRIES} + 1
  WHERE c.head_seq > (a.segment + 1) * ${SEGMENT_ENTRIES}
    AND (a.workspace_number > ? OR (a.workspace_number = ? AND a.segment > ?))
  ORDER BY a.workspace_number, a.segment LIMIT ?`;
const ENTRIES = `SELECT position, environment_id, subject_id, event, actor, occurred_at, detail_digest, hash FROM events
  WHERE position > ? AND position <= ? ORDER BY position LIMIT ?`;
const HASH_AT = `SELECT hash FROM events WHERE position = ?
  UNION ALL SELECT last_hash FROM event_segments WHERE first_position = ?`;
const INSERT = `INSERT INTO event_segments (first_position, last_position, last_hash, file, size_bytes, sha256, created_at)
  VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (first_position) DO NOTHING`;
/** Events of records other than messages remain, because they are in the feed. */
const FREE = `SELECT v.position FROM events v LEFT JOIN messages m ON m.id = v.message_id
  WHERE v.position > ? AND v.position <= ? AND v.message_id IS NOT NULL AND m.id IS NULL ORDER BY v.position LIMIT ?`;
const DROP_MARK = 'DELETE FROM archive_marks WHERE workspace_number = ? AND segment = ?';

/** Marks the segments with events of deleted messages. Call it in the transaction that deletes them. */
export async function markForArchive(tx: Tx, messageIds: readonly number[]): Promise<void> {
  if (messageIds.length === 0) return;
  const { marks, values } = inList(messageIds);
  await tx.run(MARK(marks), values);
}

export function createArchiveStore(engine: Engine, committer: Committer) {
  const startOf = (due: Pick<DueSegment, 'workspaceNumber' | 'segment'>): number =>
    due.workspaceNumber * POSITIONS_PER_WORKSPACE + segmentBounds(due.segment).first - 1;
  const endOf = (due: Pick<DueSegment, 'workspaceNumber' | 'segment'>): number =>
    due.workspaceNumber * POSITIONS_PER_WORKSPACE + segmentBounds(due.segment).last;
  return {
    /** Returns complete segments with events of deleted messages, after the given one. */
    async due(after: Pick<DueSegment, 'workspaceNumber' | 'segment'>, limit: number): Promise<DueSegment[]> {
      const { workspaceNumber, segment } = after;
      const rows = await rowsAs<DueRow>(engine.rows(DUE, [workspaceNumber, workspaceNumber, segment, limit]));
      return rows.map(({ first_position, ...due }) => ({ ...due, isWritten: first_position !== null }));
    },

    /** Returns the entries of a segment without deleted rows, and the entry before it. Reads in pages. */
    async entries(due: DueSegment): Promise<{ previous: ChainHead; entries: HashedEntry[] }> {
      const [start, end] = [startOf(due), endOf(due)];
      const entries: HashedEntry[] = [];
      for (let above = start; above < end; above += READ_ROWS) {
        const rows = await rowsAs<EntryRow>(
          engine.rows(ENTRIES, [above, Math.min(above + READ_ROWS, end), READ_ROWS]),
        );
        for (const row of rows) entries.push(entryOf(row, due.workspaceNumber));
        // SQLite reads are synchronous, so let other work run in between.
        await new Promise((resolve) => setImmediate(resolve));
      }
      return { previous: await this.before(due), entries };
    },

    /** Returns the entry before a segment, from its row or from the end of the previous segment. */
    async before(due: DueSegment): Promise<ChainHead> {
      const { first } = segmentBounds(due.segment);
      if (first === 1) return { seq: 0, hash: CHAIN_START };
      const at = startOf(due);
      const [row] = await rowsAs<Pick<EntryRow, 'hash'>>(
        engine.rows(HASH_AT, [at, at - SEGMENT_ENTRIES + 1]),
      );
      if (row === undefined) throw new Error(`The event at ${at} is missing.`);
      return { seq: first - 1, hash: Buffer.from(row.hash) };
    },

    /** Records a segment whose file was written. If two nodes write the same segment, the second changes nothing. */
    record: (row: EventSegment): Promise<void> =>
      committer.commit(async ({ tx }) => {
        const { first_position, last_position, last_hash, file, size_bytes, sha256, created_at } = row;
        const values = [first_position, last_position, last_hash, file, size_bytes, sha256, created_at];
        await tx.run(INSERT, values);
      }),

    /**
     * Deletes up to `limit` rows of a recorded segment whose messages were deleted, and the mark with the last of them. Returns the
     * number of deleted rows.
     */
    free: (due: DueSegment, limit: number): Promise<number> =>
      committer.commit(async ({ tx }) => {
        const rows = await rowsAs<{ position: number }>(tx.run(FREE, [startOf(due), endOf(due), limit]));
        const positions = rows.map(({ position }) => position);
        if (positions.length > 0) {
          const { marks, values } = inList(positions);
          await tx.run(`DELETE FROM events WHERE position IN (${marks})`, values);
        }
        if (positions.length < limit) await tx.run(DROP_MARK, [due.workspaceNumber, due.segment]);
        return positions.length;
      }),
  };
}

function entryOf({ position, ...row }: EntryRow, workspaceNumber: number): HashedEntry {
  const { detail_digest: digest, hash } = row;
  return {
    workspace_number: workspaceNumber,
    seq: position - workspaceNumber * POSITIONS_PER_WORKSPACE,
    ...row,
    detail_digest: digest && Buffer.from(digest),
    hash: Buffer.from(hash),
  };
}
