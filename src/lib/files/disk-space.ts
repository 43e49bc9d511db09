// Watches the free space on the data folder's disk. New work stops at a floor, so that accepted work can
// finish.
import { statfs } from 'node:fs/promises';
import type { DividedRoom } from '../concurrency/index.js';

const CHECK_MS = 2_000;
/** SQLite needs this much to extend its log by one transaction, so even a floor of 0 leaves it free. */
const LEAST_FREE_BYTES = 4 * 1024 * 1024;

export interface DiskGuard {
  /**
   * Returns whether less than the floor is free, as of the last check at most two seconds ago. Nothing new is
   * stored then.
   */
  isFull(): boolean;
  /**
   * Returns whether less than twice the floor is free, as of the last check. Exports and similar files leave
   * the rest to mail.
   */
  isShort(): boolean;
  /** Measures now and returns `isShort`. Background work calls it before each slice that it writes. */
  check(): Promise<boolean>;
  start(): Promise<void>;
  stop(): void;
}

export const DISK_IS_FULL =
  'The server is short of disk space and is not storing new data. It resumes when space is available.';

/** Returns the bytes that this user may still write on the disk of a folder. */
export async function freeDiskBytes(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
}

/**
 * Creates a guard with the floor `minFreeBytes`. Exports cannot stop mail, because they stop at twice the floor. If the system
 * reports no figures, the disk counts as not full.
 */
export function createDiskGuard(path: string, minFreeBytes: number): DiskGuard {
  const floor = Math.max(minFreeBytes, LEAST_FREE_BYTES);
  let freeBytes = Infinity;
  let timer: NodeJS.Timeout | undefined;

  const isShort = (): boolean => freeBytes < 2 * floor;

  async function check(): Promise<boolean> {
    try {
      freeBytes = await freeDiskBytes(path);
    } catch {
      // The next write reports the folder's problem.
      freeBytes = Infinity;
    }
    return isShort();
  }

  return {
    isFull: () => freeBytes < floor,
    isShort,
    check,
    async start() {
      await check();
      timer = setInterval(() => void check(), CHECK_MS).unref();
    },
    stop: () => clearInterval(timer),
  };
}

/** Returns a room for work that stores messages; no run begins while the disk is full. */
export function roomWithSpace(room: DividedRoom | undefined, disk: Pick<DiskGuard, 'isFull'>): DividedRoom {
  return {
    enter() {
      if (disk.isFull()) return null;
      return room === undefined ? () => undefined : room.enter();
    },
    has: (workspaceNumber) => room?.has(workspaceNumber) ?? true,
    onOpened: (listener) => room?.onOpened(listener),
  };
}
