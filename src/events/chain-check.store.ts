// Walks the event chains of all workspaces and says where one is broken (events/chain.rules).
import { type ChainHead, type StoredChainEntry, CHAIN_START, verifyChain } from './chain.rules.js';
import type { AccountStore } from '../accounts/accounts.store.js';
import { POSITIONS_PER_WORKSPACE } from './chains.store.js';
import type { EventStore } from './events.store.js';
import type { StoredEvent } from './events.tables.js';

export interface ChainReport {
  workspaceId: string;
  workspaceNumber: number;
  /** Number of entries that are intact. */
  entries: number;
  /** Hash of the last entry that holds, in hex. */
  head: string;
  /** Null when the whole chain holds. `position` is the row's in the events table. */
  broken: { seq: number; position: number; reason: string } | null;
}

export interface ChainReads {
  accounts: Pick<AccountStore, 'environments'>;
  events: Pick<EventStore, 'chainHeads' | 'chainAfter'>;
}

/** A row of the events table as the chain sees it. */
function chainEntryOf(event: StoredEvent): StoredChainEntry {
  const workspaceNumber = Math.floor(event.position / POSITIONS_PER_WORKSPACE);
  return {
    workspace_number: workspaceNumber,
    seq: event.position - workspaceNumber * POSITIONS_PER_WORKSPACE,
    environment_id: event.environment_id,
    subject_id: event.subject_id,
    event: event.event,
    actor: event.actor,
    occurred_at: event.occurred_at,
    detail: event.detail,
    salt: bufferOf(event.salt),
    detail_digest: bufferOf(event.detail_digest),
    hash: Buffer.from(event.hash),
  };
}

/** One report per workspace. Safe beside a writing server: what comes in after the start is not looked at. */
export async function checkChains(store: ChainReads, batchSize: number): Promise<ChainReport[]> {
  const workspaces = new Map(
    (await store.accounts.environments()).map((environment) => [
      environment.workspaceNumber,
      environment.workspaceId,
    ]),
  );
  const heads = new Map((await store.events.chainHeads()).map((head) => [head.workspace_number, head]));
  const reports: ChainReport[] = [];
  for (const [workspaceNumber, workspaceId] of workspaces) {
    const head = heads.get(workspaceNumber);
    const target = { seq: head?.head_seq ?? 0, hash: Buffer.from(head?.head_hash ?? CHAIN_START) };
    const { reached, reason } = head
      ? await walk(store.events, { workspaceNumber, target, batchSize })
      : { reached: START, reason: 'the workspace has no chain head' };
    const seq = reached.seq + 1;
    reports.push({
      workspaceId,
      workspaceNumber,
      entries: reached.seq,
      head: reached.hash.toString('hex'),
      broken:
        reason === null ? null : { seq, position: workspaceNumber * POSITIONS_PER_WORKSPACE + seq, reason },
    });
  }
  return reports;
}

const START: ChainHead = { seq: 0, hash: CHAIN_START };

async function walk(
  events: ChainReads['events'],
  chain: { workspaceNumber: number; target: ChainHead; batchSize: number },
): Promise<{ reached: ChainHead; reason: string | null }> {
  const { workspaceNumber, target, batchSize } = chain;
  let reached = START;
  while (reached.seq < target.seq) {
    const limit = Math.min(batchSize, target.seq - reached.seq);
    const rows = await events.chainAfter(workspaceNumber, reached.seq, limit);
    if (rows.length === 0) return { reached, reason: 'the entries after it are missing' };
    const entries = rows.map(chainEntryOf);
    const result = verifyChain(entries, reached);
    if (!result.ok) {
      const before = entries.findIndex((entry) => entry.seq === result.seq) - 1;
      return { reached: entries[before] ?? reached, reason: result.reason };
    }
    reached = result.head;
  }
  const holds = reached.hash.equals(target.hash);
  return { reached, reason: holds ? null : 'the last entry is not the one that the chain ended with' };
}

function bufferOf(bytes: Uint8Array | null): Buffer | null {
  return bytes === null ? null : Buffer.from(bytes);
}
