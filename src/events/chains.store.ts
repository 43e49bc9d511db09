// The hash chain of each workspace: where the next event goes and what hash it builds on (events/chain.rules).
import { chainHash, detailDigest } from './chain.rules.js';
import { randomBytesPooled } from '../lib/runtime/ids.js';
import type { Engine, Tx } from '../store/engine/engine.js';
import type { GatheredWrites } from '../store/gathered-writes.js';
import type { NewEvent } from '../store/plan.js';
import { inList } from '../store/sql.js';

/** Events of one workspace occupy 2^36 positions; 2^17 workspaces fit into a safe integer. */
export const POSITIONS_PER_WORKSPACE = 2 ** 36;
const SALT_BYTES = 16;
/** Chains of one statement. */
const MOST_HEADS = 256;

const UPDATE_HEAD = 'UPDATE chains SET head_seq = ?, head_hash = ? WHERE workspace_number = ?';

interface Head {
  seq: number;
  hash: Uint8Array;
  moved: boolean;
}

export interface ChainWriter {
  append(event: NewEvent): void;
  /** Of the chains that `write` goes on with. */
  workspaceNumbers(): Iterable<number>;
  /** Chains what was appended and gives its rows to the gathered writes; the committer calls it once. */
  write(): Promise<void>;
  /** True once a head has moved: a failure then concerns the whole transaction. */
  readonly writing: boolean;
}

export interface Chains {
  writer(): ChainWriter;
  /**
   * Locks the heads of these chains until the transaction ends. In one order, so that two nodes that write to the same chains wait for each
   * other and do not stop each other.
   */
  lockHeads(workspaceNumbers: ReadonlySet<number>): Promise<void>;
  saveHeads(): void;
}

/** The chains of one transaction. Heads are read once and written once, however many events go in. */
export function createChains(engine: Engine, tx: Tx, gathered: GatheredWrites): Chains {
  const heads = new Map<number, Head>();

  async function lockHeads(workspaceNumbers: ReadonlySet<number>): Promise<void> {
    const wanted = [...workspaceNumbers].filter((number) => !heads.has(number));
    for (let i = 0; i < wanted.length; i += MOST_HEADS) {
      const { marks, values } = inList(wanted.sort((a, b) => a - b).slice(i, i + MOST_HEADS));
      const rows = await tx.run(
        `SELECT workspace_number, head_seq, head_hash FROM chains WHERE workspace_number IN (${marks})
          ORDER BY workspace_number ${engine.forUpdate}`,
        values,
      );
      for (const row of rows) {
        const head = { seq: row['head_seq'] as number, hash: row['head_hash'] as Uint8Array, moved: false };
        heads.set(row['workspace_number'] as number, head);
      }
    }
  }

  async function headOf(workspaceNumber: number): Promise<Head> {
    if (!heads.has(workspaceNumber)) await lockHeads(new Set([workspaceNumber]));
    const head = heads.get(workspaceNumber);
    if (!head) throw new Error(`Workspace ${workspaceNumber} has no event chain.`);
    return head;
  }

  async function insert(event: NewEvent): Promise<void> {
    const head = await headOf(event.workspaceNumber);
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
    gathered.insertEvent({
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
    });
    head.seq = seq;
    head.hash = hash;
    head.moved = true;
  }

  return {
    writer() {
      const events: NewEvent[] = [];
      let writing = false;
      return {
        append: (event) => void events.push(event),
        workspaceNumbers: () => new Set(events.map(({ workspaceNumber }) => workspaceNumber)),
        async write() {
          for (const event of events) {
            writing = true;
            await insert(event);
          }
        },
        get writing() {
          return writing;
        },
      };
    },
    lockHeads,
    saveHeads() {
      for (const [workspaceNumber, head] of heads) {
        if (head.moved) tx.post(UPDATE_HEAD, [head.seq, head.hash, workspaceNumber]);
      }
    },
  };
}
