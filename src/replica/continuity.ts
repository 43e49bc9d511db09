// Decides at startup whether the replica can be continued, which requires that every commit since the last increment is in the log.
import type { WalTail } from '../database/engine/wal-tail.js';
import { fileState, type Identity } from './identity.js';
import { type LastIncrement, NO_HASH } from './increments.js';
import type { ReplicaNames } from './names.rules.js';
import { decodePageFile, fileHash, MOST_FILE_BYTES, PageFileError } from './page-file.js';
import type { ReplicaStorage } from './replica-storage.js';
import type { Spool } from './spool.js';

interface Continued {
  storage: ReplicaStorage;
  names: ReplicaNames;
  spool: Spool;
  tail: WalTail;
  key: Buffer;
  /** Database file. */
  file: string;
}

/** Returns null if commits may be missing, so that a new generation must begin. */
export async function whereToContinue(deps: Continued, identity: Identity): Promise<LastIncrement | null> {
  if (identity.generation === 0) return null;
  const last = await lastIncrement(deps, identity);
  if (last === null) return null;
  if (last.position !== null && deps.tail.contains(last.position)) return last;
  const { emptied } = identity;
  const isAtStart = last.number === (emptied?.number ?? 0) || last.startsLog;
  if (emptied === null || !isAtStart || emptied.file !== fileState(deps.file)) return null;
  return { ...last, position: null };
}

type Last = LastIncrement & { startsLog: boolean };

/** Returns the last increment, from the spool or the storage; null if it cannot be read. */
async function lastIncrement(deps: Continued, { generation, emptied }: Identity): Promise<Last | null> {
  const { storage, names } = deps;
  const waiting = await lastOfSpool(deps);
  if (waiting !== null) return waiting;
  const after = emptied === null ? '' : names.increment(generation, Math.max(emptied.number - 1, 0));
  const name = (await storage.list(names.increments(generation), after)).at(-1);
  if (name === undefined) {
    // The increments before the log was emptied are lost.
    if (emptied !== null && emptied.number > 0) return null;
    return { number: 0, hash: NO_HASH, position: null, startsLog: true };
  }
  const octets = await storage.get(name, MOST_FILE_BYTES);
  return octets === null ? null : readIncrement(deps.key, octets);
}

/** Removes files that a power failure damaged, and those that follow. Returns the last of the others. */
async function lastOfSpool({ spool, key }: Continued): Promise<Last | null> {
  let last: (Last & { previous: string }) | null = null;
  for (const [i, name] of spool.names.entries()) {
    const octets = await spool.read(name);
    const found = octets === null ? null : readIncrement(key, octets);
    if (found === null || (last !== null && found.previous !== last.hash)) {
      spool.keepFirst(i);
      break;
    }
    last = found;
  }
  return last;
}

function readIncrement(key: Buffer, octets: Buffer): (Last & { previous: string }) | null {
  try {
    const { head } = decodePageFile(key, octets);
    if (head.kind !== 'increment') return null;
    const { number, wal: position, previous } = head;
    // Without a position, it is a part of the first transaction of the log.
    return { number, hash: fileHash(octets), position, startsLog: position === null, previous };
  } catch (error) {
    if (error instanceof PageFileError) return null;
    throw error;
  }
}
