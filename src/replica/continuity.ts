// Decides at a start whether the replica can be continued: only if every commit since the last increment is in the log.
import type { WalTail } from '../database/engine/wal-tail.js';
import { fileState, type Identity } from './identity.js';
import { type IncrementPlace, NO_HASH } from './increments.js';
import type { ReplicaNames } from './names.rules.js';
import { decodePageFile, fileHash, MOST_FILE_BYTES } from './page-file.js';
import type { ReplicaPlace } from './replica-place.js';
import type { Spool } from './spool.js';

interface Continued {
  place: ReplicaPlace;
  names: ReplicaNames;
  spool: Spool;
  tail: WalTail;
  key: Buffer;
  /** Database file. */
  file: string;
}

/** Returns null if commits may be missing, so that another generation must begin. */
export async function whereToContinue(deps: Continued, identity: Identity): Promise<IncrementPlace | null> {
  if (identity.generation === 0) return null;
  const { emptied } = identity;
  const last = await lastIncrement(deps, identity);
  if (last.position !== null && deps.tail.contains(last.position)) return last;
  const isAtStart = last.number === (emptied?.number ?? 0) || last.startsLog;
  if (emptied === null || !isAtStart || emptied.file !== fileState(deps.file)) return null;
  return { ...last, position: null };
}

/** The last increment, in the spool or at the place. */
async function lastIncrement(
  { place, names, spool, key }: Continued,
  { generation, emptied }: Identity,
): Promise<IncrementPlace & { startsLog: boolean }> {
  const after = emptied === null ? '' : names.increment(generation, Math.max(emptied.number - 1, 0));
  const name = spool.lastName() ?? (await place.list(names.increments(generation), after)).at(-1);
  if (name === undefined) return { number: 0, hash: NO_HASH, position: null, startsLog: true };
  const octets = (await spool.read(name)) ?? (await place.get(name, MOST_FILE_BYTES));
  if (octets === null) throw new Error(`${name} is missing.`);
  const { head } = decodePageFile(key, octets);
  if (head.kind !== 'increment') throw new Error(`${name} is not an increment.`);
  // Without a position, it is a part of the first transaction of the log.
  return { number: head.number, hash: fileHash(octets), position: head.wal, startsLog: head.wal === null };
}
