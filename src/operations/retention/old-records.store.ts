// Deletes records by age, a few rows per commit.
import type { Committer } from '../../database/committer.js';
import type { Instant } from '../../database/columns.js';
import { rowsAs } from '../../database/sql.js';
import type { Engine, Tx } from '../../database/engine/engine.js';
import { appendDeleted } from '../../messages/drafts/draft-changes.store.js';
import type { ReplyDraft } from '../../messages/drafts/drafts.tables.js';

const OLD_ATTEMPTS = 'SELECT message_id, number FROM attempts WHERE at < ? ORDER BY at LIMIT ?';
const DROP_ATTEMPT = 'DELETE FROM attempts WHERE message_id = ? AND number = ?';
const OLD_REPORTS = `SELECT message_id, action FROM delivery_reports WHERE due_at IS NULL AND at < ? ORDER BY at LIMIT ?`;
const DROP_REPORT = 'DELETE FROM delivery_reports WHERE message_id = ? AND action = ? AND due_at IS NULL';
const OLD_SESSIONS = `DELETE FROM smtp_sessions WHERE id IN (SELECT id FROM smtp_sessions WHERE at < ? ORDER BY at
  LIMIT ?) RETURNING id`;
const OLD_DRAFTS = `DELETE FROM drafts WHERE id IN (SELECT id FROM drafts WHERE message_id IS NULL AND updated_at < ?
  ORDER BY updated_at LIMIT ?) RETURNING id, environment_id, sub_tenant_id`;
const STATES_AFTER = 'SELECT key, updated_at FROM traffic_state WHERE key > ? ORDER BY key LIMIT ?';
const DROP_STATE = 'DELETE FROM traffic_state WHERE key = ? AND updated_at < ?';

interface OldAttempt {
  message_id: number;
  number: number;
}

interface OldReport {
  message_id: number;
  action: string;
}

type OldDraft = Pick<ReplyDraft, 'id' | 'environment_id' | 'sub_tenant_id'>;

interface TrafficState {
  key: string;
  updated_at: Instant;
}

export function createOldRecordStore(engine: Engine, committer: Committer) {
  /** Deletes up to `limit` rows by a statement that returns them. Returns how many. */
  const drop = (statement: string) => (before: number, limit: number) =>
    committer.commit(async ({ tx }) => (await tx.run(statement, [before, limit])).length);

  const inTransaction = (work: (tx: Tx, before: number, limit: number) => Promise<number>) => {
    return (before: number, limit: number) => committer.commit(({ tx }) => work(tx, before, limit));
  };

  return {
    /** Each deletes up to `limit` rows that are older than `before`, and returns their number. */
    forgetAttempts: inTransaction(async (tx, before, limit) => {
      const rows = await rowsAs<OldAttempt>(tx.run(OLD_ATTEMPTS, [before, limit]));
      for (const { message_id, number } of rows) await tx.run(DROP_ATTEMPT, [message_id, number]);
      return rows.length;
    }),
    forgetSessions: drop(OLD_SESSIONS),
    /** Deletes open drafts that were not changed since. */
    forgetDrafts: (before: number, limit: number, now: number) =>
      committer.commit(async (writing) => {
        const rows = await rowsAs<OldDraft>(writing.tx.run(OLD_DRAFTS, [before, limit]));
        await appendDeleted(writing, rows, now);
        return rows.length;
      }),
    /** Deletes reports that were sent or given up. */
    forgetReports: inTransaction(async (tx, before, limit) => {
      const rows = await rowsAs<OldReport>(tx.run(OLD_REPORTS, [before, limit]));
      for (const { message_id, action } of rows) await tx.run(DROP_REPORT, [message_id, action]);
      return rows.length;
    }),
    /**
     * Deletes limiters that were not used since `before`, among the next `limit` after a key. `next` is the key to continue from,
     * or `null` at the end. They are not counted.
     */
    async forgetTrafficStates(
      before: number,
      after: string,
      limit: number,
    ): Promise<{ deleted: number; next: string | null }> {
      const rows = await rowsAs<TrafficState>(engine.rows(STATES_AFTER, [after, limit]));
      const old = rows.filter((row) => row.updated_at < before);
      if (old.length > 0) {
        await committer.commit(async ({ tx }) => {
          for (const { key } of old) await tx.run(DROP_STATE, [key, before]);
        });
      }
      const last = rows.at(-1);
      return { deleted: 0, next: rows.length < limit || !last ? null : last.key };
    },
  };
}
