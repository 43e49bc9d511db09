// The hash chain of the events table: each entry's hash covers the previous one, so that a change, insertion or deletion is
// detected. Personal details are covered only by a salted digest, so detail and salt can be erased later.
import { hash } from 'node:crypto';

const FORMAT = 1;
const MIN_SALT_BYTES = 16;

/** The hash before a workspace's first entry: 32 zero bytes. */
export const CHAIN_START: Buffer = Buffer.alloc(32);

export interface ChainEntry {
  workspace_number: number;
  /** Number of the entry in its workspace, from 1 without gaps. */
  seq: number;
  environment_id: number | string;
  /** Public id of the message, sub-tenant or other record. */
  subject_id: string;
  event: string;
  actor: string;
  /** Epoch milliseconds. */
  occurred_at: number;
  /** From `detailDigest`; null if the entry was written without a detail. */
  detail_digest: Buffer | null;
}

/** An entry as stored. `detail` and `salt` are both null after erasure. */
export interface StoredChainEntry extends ChainEntry {
  salt: Buffer | null;
  /** The exact JSON text that was digested. */
  detail: string | null;
  hash: Buffer;
}

/** The last entry of a part of a chain. */
export interface ChainHead {
  seq: number;
  hash: Buffer;
}

type ChainCheckResult = { ok: true; head: ChainHead } | { ok: false; seq: number; reason: string };

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

/** Returns SHA-256 over the salt in hex, a colon and the detail's JSON text. The salt has at least 16 random bytes. */
export function detailDigest(salt: Buffer, detailJson: string): Buffer {
  if (salt.length < MIN_SALT_BYTES) throw new RangeError(`a salt has at least ${MIN_SALT_BYTES} bytes`);
  return hash('sha256', `${salt.toString('hex')}:${detailJson}`, 'buffer');
}

/**
 * Verifies one workspace's entries, in order of `seq`. To verify a long chain page by page, pass the previous page's head as
 * `after`. A truncated end is detected only against a head recorded elsewhere (a proof).
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
