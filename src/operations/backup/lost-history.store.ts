// Records failovers that lost commits because the new primary lacked the last ones. Later events get a new epoch, so consumers
// that saw lost events find out.
import type { Engine } from '../../database/engine/engine.js';
import { rowsAs } from '../../database/sql.js';
import { POSITIONS_PER_WORKSPACE } from '../../events/chains.store.js';
import { insertEpoch } from './restored-database.store.js';

const NAME = 'fail-over';
/** Time (ms) within which several nodes notice the same failover. */
const SAME_MS = 60_000;

/** Serializes the nodes. */
const LOCK = "UPDATE node_leases SET since = since WHERE name = 'room schedules'";
const RECENT = 'SELECT epoch FROM restores WHERE copy_name = ? AND restored_at > ?';
const FIRST = `c.workspace_number * ${POSITIONS_PER_WORKSPACE}`;
/** An event's time is slightly earlier than its commit. */
const BEFORE_COMMIT_MS = 500;
/** The number of each chain's last event before `since`. */
const HEADS = `SELECT c.workspace_number AS workspace, COALESCE((SELECT MIN(e.position) - 1 - ${FIRST} FROM events e
    WHERE e.position > ${FIRST} AND e.position <= ${FIRST} + c.head_seq AND e.occurred_at >= ?), c.head_seq) AS head
  FROM chains c`;

export function createLostHistoryStore(engine: Engine) {
  return {
    /** Starts a new epoch of the event chains with the first event after `since`. Returns false if another node has done so. */
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
