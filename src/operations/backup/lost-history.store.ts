// Fail-overs that have lost commits: the replica that took over did not have the last ones. Events from there on get another epoch, so that
// consumers who know of lost ones learn of it.
import type { Engine } from '../../database/engine/engine.js';
import { rowsAs } from '../../database/sql.js';
import { POSITIONS_PER_WORKSPACE } from '../../events/chains.store.js';
import { insertEpoch } from './restored-database.store.js';

const NAME = 'fail-over';
/** Several nodes notice the same fail-over within this time (ms). */
const SAME_MS = 60_000;

/** One node after the other. */
const LOCK = "UPDATE node_leases SET since = since WHERE name = 'room schedules'";
const RECENT = 'SELECT epoch FROM restores WHERE copy_name = ? AND restored_at > ?';
const FIRST = `c.workspace_number * ${POSITIONS_PER_WORKSPACE}`;
/** Events carry the time of what happened, which is a little before their commit. */
const BEFORE_COMMIT_MS = 500;
/** Of each chain the number of the last event before the first one since then. */
const HEADS = `SELECT c.workspace_number AS workspace, COALESCE((SELECT MIN(e.position) - 1 - ${FIRST} FROM events e
    WHERE e.position > ${FIRST} AND e.position <= ${FIRST} + c.head_seq AND e.occurred_at >= ?), c.head_seq) AS head
  FROM chains c`;

export function createLostHistoryStore(engine: Engine) {
  return {
    /** Begins another epoch of the event chains with the events from `since` on. False when another node has done so. */
    record: ({ since, now }: { since: number; now: number }): Promise<boolean> =>
      engine.transaction(async (tx) => {
        await tx.run(LOCK, []);
        const recent = await tx.run(RECENT, [NAME, now - SAME_MS]);
        if (recent.length > 0) return false;
        const epoch = await insertEpoch(tx, { copyName: NAME, copiedAt: since, now, releasedAt: now });
        const heads = await rowsAs<{ workspace: number; head: number }>(
          tx.run(HEADS, [since - BEFORE_COMMIT_MS]),
        );
        for (const { workspace, head } of heads) {
          tx.post('INSERT INTO restored_chains (workspace_number, epoch, head_seq) VALUES (?, ?, ?)', [
            workspace,
            epoch,
            head,
          ]);
        }
        await tx.settle();
        return true;
      }),
  };
}
