// Verifies the event chains of all workspaces and reports breaks (events/chain.rules).
import { type ChainHead, type StoredChainEntry, CHAIN_START, verifyChain } from './chain.rules.js';
import type { createSegmentReads } from './archive/segments.store.js';
import { segmentBounds, readSegment, segmentNumber } from './archive/segment.rules.js';
import { POSITIONS_PER_WORKSPACE } from './chains.store.js';
import type { ProofPublicKey } from '../lib/tokens/index.js';
import type { EventStore } from './events.store.js';
import type { StoredEvent } from './events.tables.js';

export interface ChainReport {
  workspaceId: string;
  workspaceNumber: number;
  /** Number of intact entries. */
  entries: number;
  /** Hash of the last intact entry, in hex. */
  head: string;
  /** Null if the whole chain is intact. `position` is that of the row in the events table. */
  broken: { seq: number; position: number; reason: string } | null;
}

interface ChainReads {
  /** Environments of all workspaces. */
  accounts: { environments(): Promise<readonly { workspaceNumber: number; workspaceId: string }[]> };
  events: Pick<EventStore, 'chainHeads' | 'chainAfter'>;
  segments: Pick<ReturnType<typeof createSegmentReads>, 'at'>;
}

/** The files of the event archive, and the keys that signed them. */
export interface ArchiveReads {
  /** Returns the text of a segment; null if its file is missing or damaged. */
  read(file: string): Promise<string | null>;
  keys: readonly ProofPublicKey[];
}

interface Chain {
  workspaceNumber: number;
  target: ChainHead;
  batchSize: number;
  archive: ArchiveReads | null;
}

/** Returns a row of the events table as a chain entry. */
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

/**
 * Returns one report per workspace; also verifies archived segments. May run beside a writing server, whose later events are
 * ignored.
 */
export async function checkChains(
  reads: ChainReads,
  batchSize: number,
  archive: ArchiveReads | null = null,
): Promise<ChainReport[]> {
  const workspaces = new Map(
    (await reads.accounts.environments()).map((environment) => [
      environment.workspaceNumber,
      environment.workspaceId,
    ]),
  );
  const heads = new Map((await reads.events.chainHeads()).map((head) => [head.workspace_number, head]));
  const reports: ChainReport[] = [];
  for (const [workspaceNumber, workspaceId] of workspaces) {
    const head = heads.get(workspaceNumber);
    const target = { seq: head?.head_seq ?? 0, hash: Buffer.from(head?.head_hash ?? CHAIN_START) };
    const { reached, reason } = head
      ? await walk(reads, { workspaceNumber, target, batchSize, archive })
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

interface Walked {
  reached: ChainHead;
  reason: string | null;
}

/** Verifies segment by segment, because segments are archived as a whole. If one is archived meanwhile, its file is read. */
async function walk(reads: ChainReads, chain: Chain): Promise<Walked> {
  const { target, batchSize } = chain;
  let reached = START;
  while (reached.seq < target.seq) {
    const { last } = segmentBounds(segmentNumber(reached.seq + 1));
    const limit = Math.min(batchSize, Math.min(last, target.seq) - reached.seq);
    let walked = await walkSegment(reads, chain, reached);
    walked ??= await walkRows(reads, chain, reached, limit);
    if (walked.reason !== null) walked = (await walkSegment(reads, chain, reached)) ?? walked;
    if (walked.reason !== null) return walked;
    reached = walked.reached;
  }
  const holds = reached.hash.equals(target.hash);
  return { reached, reason: holds ? null : 'the last entry is not the one that the chain ended with' };
}

async function walkRows(
  { events }: ChainReads,
  { workspaceNumber }: Chain,
  reached: ChainHead,
  limit: number,
): Promise<Walked> {
  const rows = await events.chainAfter(workspaceNumber, reached.seq, limit);
  if (rows.length === 0) return { reached, reason: 'the entries after it are missing' };
  return verified(rows.map(chainEntryOf), reached);
}

/**
 * Verifies up to the end of the segment that contains the next entry; returns null if it is not archived. Rows that still exist
 * are compared with it, including their details.
 */
async function walkSegment(
  { events, segments }: ChainReads,
  { workspaceNumber, archive, target }: Chain,
  reached: ChainHead,
): Promise<Walked | null> {
  const start = workspaceNumber * POSITIONS_PER_WORKSPACE;
  const { first, last } = segmentBounds(segmentNumber(reached.seq + 1));
  const segment = last > target.seq ? null : await segments.at(start + first);
  if (segment === null) return null;
  const wrong = (reason: string): Walked => ({
    reached,
    reason: `the archive file ${segment.file}: ${reason}`,
  });
  const text = (await archive?.read(segment.file)) ?? null;
  if (archive === null || text === null) return wrong('it is missing or damaged');
  const read = readSegment(text, archive.keys);
  if ('problem' in read) return wrong(read.problem);
  const { head } = read;
  if (head.workspace_number !== workspaceNumber || head.first_seq !== first)
    return wrong('it is another one');
  const entries = read.entries.filter(({ seq }) => seq > reached.seq);
  const rows = await events.chainAfter(workspaceNumber, reached.seq, entries.length);
  const kept = new Map(rows.map((row) => [row.position, row]));
  const walked = entries.map((entry): StoredChainEntry => {
    const row = kept.get(start + entry.seq);
    return row === undefined ? { ...entry, salt: null, detail: null } : chainEntryOf(row);
  });
  return verified(walked, reached);
}

function verified(entries: readonly StoredChainEntry[], reached: ChainHead): Walked {
  const result = verifyChain(entries, reached);
  if (result.ok) return { reached: result.head, reason: null };
  const before = entries.findIndex((entry) => entry.seq === result.seq) - 1;
  return { reached: entries[before] ?? reached, reason: result.reason };
}

function bufferOf(bytes: Uint8Array | null): Buffer | null {
  return bytes === null ? null : Buffer.from(bytes);
}
