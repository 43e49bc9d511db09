// Moves events of deleted messages out of the database. It writes their segment of the chain to a signed file, reads the file
// back, and only then deletes the rows. After a crash, the work is repeated: a file without a row is written again under the same
// name, and rows are deleted only once the segment's row exists.
import { hash } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { EventSegment } from '../../events/archive/segments.store.js';
import type { DueSegment } from './archive.store.js';
import type { ArchiveReads } from '../../events/chain-check.store.js';
import {
  isSegmentFile,
  MAX_SEGMENT_BYTES,
  readSegment,
  segmentFile,
  segmentText,
} from '../../events/archive/segment.rules.js';
import { POSITIONS_PER_WORKSPACE } from '../../events/chains.store.js';
import { type FileReads, hasCode, type WholeFiles } from '../../lib/files/index.js';
import type { ProofPublicKey, ProofSigningKey } from '../../lib/tokens/index.js';
import type { OperationContext } from '../context.js';
import type { OperationStores } from '../stores.js';

const DUE = 100;
/** Rows per commit. */
const BATCH = 200;
/** Pause (ms) in which others can write. */
const PAUSE_MS = 10;

/** Returns the folder of segments beside a SQLite file. */
export const archiveFolder = (dataDir: string): string => join(dataDir, 'archive');

interface ArchiveContext extends Pick<OperationContext, 'disk' | 'clock' | 'log'> {
  store: Pick<OperationStores, 'archive'>;
  files: WholeFiles;
  key: ProofSigningKey;
}

/** Archives due events until `signal` aborts. Returns how many rows it deleted. */
export async function archiveEvents(context: ArchiveContext, signal?: AbortSignal): Promise<number> {
  const { store, log } = context;
  let freed = 0;
  let after = { workspaceNumber: 0, segment: -1 };
  for (;;) {
    const all = await store.archive.due(after, DUE);
    for (const due of all) {
      if (signal?.aborted === true) return freed;
      after = due;
      try {
        freed += await archiveSegment(context, due, signal);
      } catch (error) {
        // The next run retries this segment, and the others continue.
        const { workspaceNumber, segment } = due;
        log.error({ err: error, workspace_number: workspaceNumber, segment }, 'archiving events failed');
      }
    }
    if (all.length < DUE) return freed;
  }
}

async function archiveSegment(
  context: ArchiveContext,
  due: DueSegment,
  signal: AbortSignal | undefined,
): Promise<number> {
  const { store, disk } = context;
  if (!due.isWritten) {
    // The segment is written an hour later, if there is space.
    if (await disk.check()) return 0;
    await store.archive.record(await writeSegment(context, due));
  }
  let freed = 0;
  while (signal?.aborted !== true) {
    const count = await store.archive.free(due, BATCH);
    freed += count;
    await pause(PAUSE_MS);
    if (count < BATCH) break;
  }
  return freed;
}

async function writeSegment(
  { store, files, key, clock }: ArchiveContext,
  due: DueSegment,
): Promise<EventSegment> {
  const { previous, entries } = await store.archive.entries(due);
  const { text, head } = segmentText(entries, { workspaceId: due.workspaceId, previous, key });
  const packed = await promisify(gzip)(text);
  const file = segmentFile(head);
  await files.replace(file, packed);
  const written = await readSegmentFile(files, file);
  const read = written === null ? { problem: 'it is missing or damaged' } : readSegment(written, [key]);
  if ('problem' in read || read.head.last_hash !== head.last_hash) {
    throw new Error(
      `The archive file ${file} was not stored well: ${'problem' in read ? read.problem : 'it is another one'}.`,
    );
  }
  const start = due.workspaceNumber * POSITIONS_PER_WORKSPACE;
  return {
    first_position: start + head.first_seq,
    last_position: start + head.last_seq,
    last_hash: Buffer.from(head.last_hash, 'hex'),
    file,
    size_bytes: packed.length,
    sha256: hash('sha256', packed, 'hex'),
    created_at: clock(),
  };
}

/** Returns `null` if the file is missing, is not gzip, or is larger than a segment can be. */
async function readSegmentFile(files: FileReads, file: string): Promise<string | null> {
  if (!isSegmentFile(file)) return null;
  try {
    const packed = await files.read(file);
    if (packed === null) return null;
    return (await promisify(gunzip)(packed, { maxOutputLength: MAX_SEGMENT_BYTES })).toString();
  } catch (error) {
    const isUnreadable = error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
    if (hasCode(error, 'ERR_BUFFER_TOO_LARGE') || isUnreadable) return null;
    throw error;
  }
}

/** The archive as `checkChains` reads it. */
export function archiveReads(files: FileReads, keys: readonly ProofPublicKey[]): ArchiveReads {
  return { read: (file) => readSegmentFile(files, file), keys };
}
