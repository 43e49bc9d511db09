// A segment of the archive: a fixed number of consecutive entries of one event chain as gzipped JSON lines, followed by a
// signed head. Entries contain the input of the hashes (ids, names, times and salted digests) but no details, so no personal
// data.
import { hash } from 'node:crypto';
import { canonicalJson } from '../../lib/json/index.js';
import {
  isRecord,
  isSigned,
  type ProofPublicKey,
  type ProofSigningKey,
  signText,
} from '../../lib/tokens/index.js';
import { chainHash, type ChainEntry, type ChainHead } from '../chain.rules.js';

/** Entries per segment. Segments follow each other without gaps from the first entry, so the number must never change. */
export const SEGMENT_ENTRIES = 4_096;
const FORMAT = 1;
/** Most octets of a segment's text, more than four times the usual size. */
export const MAX_SEGMENT_BYTES = 8 * 1024 * 1024;

interface SegmentHead {
  object: 'event_segment';
  format: 1;
  workspace_number: number;
  workspace_id: string;
  first_seq: number;
  last_seq: number;
  /** Hash before the first entry, in hex. */
  previous_hash: string;
  last_hash: string;
  /** SHA-256 of the preceding lines including line ends, in hex. */
  entries_sha256: string;
  key_id: string;
}

/** Returns the number, from 0, of the segment that contains an entry. Entries are numbered from 1. */
export function segmentNumber(seq: number): number {
  return Math.floor((seq - 1) / SEGMENT_ENTRIES);
}

export function segmentBounds(segment: number): { first: number; last: number } {
  return { first: segment * SEGMENT_ENTRIES + 1, last: (segment + 1) * SEGMENT_ENTRIES };
}

/** Names a file by its content, so a different history after a restore has different names. */
export function segmentFile(head: Pick<SegmentHead, 'workspace_number' | 'first_seq' | 'last_hash'>): string {
  const place = String(head.first_seq).padStart(11, '0');
  return `events-${head.workspace_number}-${place}-${head.last_hash.slice(0, 16)}.jsonl.gz`;
}

const NAME = /^events-\d{1,6}-\d{11}-[0-9a-f]{16}\.jsonl\.gz$/;

export function isSegmentFile(name: string): boolean {
  return NAME.test(name);
}

function entryLine(entry: ChainEntry): string {
  const { seq, environment_id, subject_id, event, actor, occurred_at, detail_digest: digest } = entry;
  const wire = { seq, environment_id, subject_id, event, actor, occurred_at };
  return `${JSON.stringify({ ...wire, detail_digest: digest === null ? null : digest.toString('hex') })}\n`;
}

/** An entry with its stored hash. */
export type HashedEntry = ChainEntry & { hash: Buffer };

/**
 * Returns the text of a segment. `previous` is the entry before it, and `entries` are all of its entries in order. Throws if
 * entries are missing or out of order, or if one does not match its stored hash, because a changed entry must not be signed.
 */
export function segmentText(
  entries: readonly HashedEntry[],
  of: { workspaceId: string; previous: ChainHead; key: ProofSigningKey },
): { text: string; head: SegmentHead } {
  const { workspaceId, previous, key } = of;
  let last = previous;
  for (const entry of entries) {
    if (entry.seq !== last.seq + 1) throw new Error(`Entry ${last.seq + 1} of the chain is missing.`);
    last = { seq: entry.seq, hash: chainHash(last.hash, entry) };
    if (!last.hash.equals(entry.hash)) throw new Error(`Entry ${entry.seq} of the chain was changed.`);
  }
  const [first] = entries;
  if (
    first === undefined ||
    entries.length !== SEGMENT_ENTRIES ||
    segmentNumber(first.seq) !== segmentNumber(last.seq)
  )
    throw new Error('These are not the entries of one segment.');
  const lines = entries.map(entryLine).join('');
  const head: SegmentHead = {
    ...{ object: 'event_segment', format: FORMAT },
    ...{ workspace_number: first.workspace_number, workspace_id: workspaceId },
    ...{ first_seq: first.seq, last_seq: last.seq },
    ...{ previous_hash: previous.hash.toString('hex'), last_hash: last.hash.toString('hex') },
    entries_sha256: hash('sha256', lines, 'hex'),
    key_id: key.keyId,
  };
  const signature = signText(canonicalJson(head), key.privateKey);
  return { text: `${lines}${JSON.stringify({ head, signature })}\n`, head };
}

interface ReadSegment {
  head: SegmentHead;
  entries: HashedEntry[];
}

/**
 * Parses and verifies the text of a segment: the signature by one of the keys, the digest of the lines, and the chain of
 * hashes. Returns a sentence about the problem for any invalid text. The caller checks that the segment follows the previous
 * one.
 */
export function readSegment(
  text: string,
  keys: readonly ProofPublicKey[],
): ReadSegment | { problem: string } {
  const end = text.lastIndexOf('\n', text.length - 2) + 1;
  const lines = text.slice(0, end);
  const closing = parsed(text.slice(end));
  if (!isRecord(closing) || !isHead(closing['head'])) return { problem: 'it has no head' };
  const { head } = closing;
  const signed = canonicalJson(head);
  const key = keys.find(({ keyId }) => keyId === head.key_id);
  if (key === undefined) return { problem: 'its head is signed by a key that is not known' };
  if (!isSigned(signed, closing['signature'], key.publicKey)) return { problem: 'its head was changed' };
  if (hash('sha256', lines, 'hex') !== head.entries_sha256) return { problem: 'its entries were changed' };
  const entries: ReadSegment['entries'] = [];
  let last: ChainHead = { seq: head.first_seq - 1, hash: Buffer.from(head.previous_hash, 'hex') };
  for (const line of lines.split('\n').slice(0, -1)) {
    const entry = entryOf(parsed(line), head.workspace_number);
    if (entry === null || entry.seq !== last.seq + 1) return { problem: `entry ${last.seq + 1} is missing` };
    last = { seq: entry.seq, hash: chainHash(last.hash, entry) };
    entries.push({ ...entry, hash: last.hash });
  }
  const isWhole = last.seq === head.last_seq && last.hash.toString('hex') === head.last_hash;
  return isWhole ? { head, entries } : { problem: 'its entries are not those of its head' };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

const HEX_32 = /^[0-9a-f]{64}$/;

function isHead(value: unknown): value is SegmentHead {
  if (!isRecord(value) || value['object'] !== 'event_segment' || value['format'] !== FORMAT) return false;
  const hashes = [value['previous_hash'], value['last_hash'], value['entries_sha256']];
  const numbers = [value['workspace_number'], value['first_seq'], value['last_seq']];
  return (
    hashes.every((one) => typeof one === 'string' && HEX_32.test(one)) &&
    numbers.every(Number.isSafeInteger) &&
    [value['workspace_id'], value['key_id']].every((one) => typeof one === 'string')
  );
}

function entryOf(value: unknown, workspaceNumber: number): ChainEntry | null {
  if (!isRecord(value)) return null;
  const { seq, environment_id, subject_id, event, actor, occurred_at, detail_digest: digest } = value;
  const texts = [subject_id, event, actor];
  const isWhole =
    [seq, environment_id, occurred_at].every(Number.isSafeInteger) &&
    texts.every((one) => typeof one === 'string') &&
    (digest === null || (typeof digest === 'string' && HEX_32.test(digest)));
  if (!isWhole) return null;
  return {
    ...{ workspace_number: workspaceNumber, seq, environment_id, subject_id, event, actor, occurred_at },
    detail_digest: digest === null ? null : Buffer.from(digest, 'hex'),
  } as ChainEntry; // checked above, field by field
}
