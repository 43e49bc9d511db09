// The hash chain of each workspace: the next event's position and the hash it builds on (events/chain.rules).
import { chainHash, detailDigest } from './chain.rules.js';
import { randomBytesPooled } from '../lib/runtime/index.js';
import { columnNames, type RowOf } from '../database/columns.js';
import type { Engine, Tx } from '../database/engine/engine.js';
import type { GatheredWrites, RowSet } from '../database/gathered-writes.js';
import type { Part } from '../database/parts.js';
import { inList, insertInto, rowsAs } from '../database/sql.js';
import type { NewEvent } from './append.store.js';
import { type chains, events, type StoredEvent } from './events.tables.js';

/** Each workspace has 2^36 event positions; 2^17 workspaces fit into a safe integer. */
export const POSITIONS_PER_WORKSPACE = 2 ** 36;
const SALT_BYTES = 16;
/** Most chains per statement. */
const MOST_HEADS = 256;

const UPDATE_HEAD = 'UPDATE chains SET head_seq = ?, head_hash = ? WHERE workspace_number = ?';

interface Head {
  seq: number;
  hash: Uint8Array;
  moved: boolean;
}

const EVENT_COLUMNS = columnNames(events);
const EVENTS: RowSet = { head: insertInto(events, EVENT_COLUMNS), order: 4 };

/** Chains of the workspaces. Rows of events and changed heads are written after the transaction's last plan. */
export const chain: Part<{ append(event: NewEvent): void }> = {
  // Saved first, so that nodes that write the same counters wait here.
  order: 0,
  open(tx, engine, gathered) {
    const chains = openChains(engine, tx, gathered);
    const kept: NewEvent[] = [];
    return {
      forPlan: () => new PlanEvents(),
      keep: (plan: PlanEvents) => void kept.push(...plan.events),
      save: () => chains.append(kept),
    };
  },
};

class PlanEvents {
  readonly events: NewEvent[] = [];

  append(event: NewEvent): void {
    this.events.push(event);
  }
}

/** The chains of one transaction. Each head is read once and written once, regardless of the number of events. */
function openChains(engine: Engine, tx: Tx, gathered: GatheredWrites) {
  const heads = new Map<number, Head>();

  /**
   * Locks the heads of these chains until the transaction ends. Two nodes that write to the same chains lock them in the same
   * order, so they wait for each other without a deadlock.
   */
  async function lockHeads(workspaceNumbers: ReadonlySet<number>): Promise<void> {
    const wanted = [...workspaceNumbers];
    for (let i = 0; i < wanted.length; i += MOST_HEADS) {
      const { marks, values } = inList(wanted.sort((a, b) => a - b).slice(i, i + MOST_HEADS));
      const statement = `SELECT workspace_number, head_seq, head_hash FROM chains WHERE workspace_number IN (${marks})
          ORDER BY workspace_number ${engine.forUpdate}`;
      for (const row of await rowsAs<RowOf<typeof chains>>(tx.run(statement, values))) {
        heads.set(row.workspace_number, { seq: row.head_seq, hash: row.head_hash, moved: false });
      }
    }
  }

  function insert(event: NewEvent): void {
    const head = heads.get(event.workspaceNumber);
    if (!head) throw new Error(`Workspace ${event.workspaceNumber} has no event chain.`);
    const seq = head.seq + 1;
    const detail = event.detail && Object.keys(event.detail).length > 0 ? JSON.stringify(event.detail) : null;
    const salt = detail === null ? null : randomBytesPooled(SALT_BYTES);
    const digest = detail === null || salt === null ? null : detailDigest(salt, detail);
    const hash = chainHash(Buffer.from(head.hash), {
      workspace_number: event.workspaceNumber,
      seq,
      environment_id: event.environmentId,
      subject_id: event.subjectId,
      event: event.event,
      actor: event.actor,
      occurred_at: event.occurredAt,
      detail_digest: digest,
    });
    const row: StoredEvent = {
      position: event.workspaceNumber * POSITIONS_PER_WORKSPACE + seq,
      environment_id: event.environmentId,
      message_id: event.messageId,
      subject_id: event.subjectId,
      sub_tenant_id: event.subTenantId ?? null,
      event: event.event,
      actor: event.actor,
      occurred_at: event.occurredAt,
      detail,
      salt,
      detail_digest: digest,
      hash,
    };
    gathered.insert(
      EVENTS,
      EVENT_COLUMNS.map((column) => row[column]),
    );
    head.seq = seq;
    head.hash = hash;
    head.moved = true;
  }

  return {
    async append(added: readonly NewEvent[]): Promise<void> {
      await lockHeads(new Set(added.map(({ workspaceNumber }) => workspaceNumber)));
      for (const event of added) insert(event);
      await gathered.flush();
      for (const [workspaceNumber, head] of heads) {
        if (head.moved) tx.post(UPDATE_HEAD, [head.seq, head.hash, workspaceNumber]);
      }
    },
  };
}
