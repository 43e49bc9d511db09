// The hash chain of the events table: every entry's hash covers the one before it, so that a change, an insertion
// or a deletion shows. An entry's personal detail enters only as a salted digest: both can be erased later.
import { hash } from 'node:crypto';

const FORMAT = 1;
const MIN_SALT_BYTES = 16;

/** What the first entry of a workspace follows: 32 zero bytes. */
export const CHAIN_START: Buffer = Buffer.alloc(32);

export interface ChainEntry {
  workspace_number: number;
  /** Counts the workspace's entries from 1 without a gap. */
  seq: number;
  environment_id: number | string;
  /** Public id of what the entry is about: a message or a sub-tenant. */
  subject_id: string;
  event: string;
  actor: string;
  /** Epoch milliseconds. */
  occurred_at: number;
  /** From `detailDigest`; null when the entry never had a detail. */
  detail_digest: Buffer | null;
}

/** An entry as the table keeps it. `detail` and `salt` are both null once they were erased. */
export interface StoredChainEntry extends ChainEntry {
  salt: Buffer | null;
  /** The JSON text exactly as it was digested. */
  detail: string | null;
  hash: Buffer;
}

/** The last entry of a stretch of chain. */
export interface ChainHead {
  seq: number;
  hash: Buffer;
}

export type ChainCheckResult = { ok: true; head: ChainHead } | { ok: false; seq: number; reason: string };

/**
 * SHA-256 over the previous hash in lower-case hex, followed by the JSON array
 * `[1, workspace_number, seq, environment_id, subject_id, event, actor, occurred_at, detail digest in hex or null]`.
 */
export function chainHash(previous: Buffer, entry: ChainEntry): Buffer {
  const fields = JSON.stringify([
    FORMAT,
    entry.workspace_number,
    entry.seq,
    entry.environment_id,
    entry.subject_id,
    entry.event,
    entry.actor,
    entry.occurred_at,
    entry.detail_digest === null ? null : entry.detail_digest.toString('hex'),
  ]);
  return hash('sha256', previous.toString('hex') + fields, 'buffer');
}

/** SHA-256 over the salt in hex, a colon and the detail's JSON text. The salt has at least 16 random bytes. */
export function detailDigest(salt: Buffer, detailJson: string): Buffer {
  if (salt.length < MIN_SALT_BYTES) throw new RangeError(`a salt has at least ${MIN_SALT_BYTES} bytes`);
  return hash('sha256', `${salt.toString('hex')}:${detailJson}`, 'buffer');
}

/**
 * Checks one workspace's entries, in order of `seq`. To go through a long chain page by page, give the head of the
 * page before as `after`. Entries cut off at the end show only against a head that was noted elsewhere (a proof).
 */
export function verifyChain(
  entries: Iterable<StoredChainEntry>,
  after: ChainHead = { seq: 0, hash: CHAIN_START },
): ChainCheckResult {
  let head = after;
  let workspace: number | null = null;
  for (const entry of entries) {
    workspace ??= entry.workspace_number;
    const reason = entryProblem(entry, head, workspace);
    if (reason !== null) return { ok: false, seq: entry.seq, reason };
    head = { seq: entry.seq, hash: entry.hash };
  }
  return { ok: true, head };
}

function entryProblem(entry: StoredChainEntry, head: ChainHead, workspace: number): string | null {
  if (entry.workspace_number !== workspace) return 'the entry belongs to another workspace';
  if (entry.seq !== head.seq + 1) return `entry ${head.seq + 1} is missing or out of order`;
  if (!chainHash(head.hash, entry).equals(entry.hash)) return 'the entry was changed';
  return detailProblem(entry);
}

function detailProblem({ salt, detail, detail_digest: digest }: StoredChainEntry): string | null {
  if (detail === null) return null;
  if (digest === null) return 'a detail was added to the entry';
  if (salt === null || salt.length < MIN_SALT_BYTES) return 'the salt of the detail is missing';
  return detailDigest(salt, detail).equals(digest) ? null : 'the detail was changed';
}
