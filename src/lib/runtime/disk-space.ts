// Whether the data folder's disk has free space: asked often, measured rarely.
import { statfs } from 'node:fs/promises';

const CHECK_MS = 2_000;

export interface DiskGuard {
  isFull(): boolean;
  start(): Promise<void>;
  stop(): void;
}

/** Octets that are free for this user on the disk of a folder. */
export async function freeDiskBytes(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
}

/** Full below `minFreeBytes` free for this user. Not full when the system cannot say. */
export function createDiskGuard(path: string, minFreeBytes: number): DiskGuard {
  let isFull = false;
  let timer: NodeJS.Timeout | undefined;

  async function check(): Promise<void> {
    try {
      isFull = (await freeDiskBytes(path)) < minFreeBytes;
    } catch {
      // The next write tells what is wrong with the folder.
      isFull = false;
    }
  }

  return {
    isFull: () => isFull,
    async start() {
      await check();
      timer = setInterval(() => void check(), CHECK_MS).unref();
    },
    stop: () => clearInterval(timer),
  };
}
