// Whether the data folder's disk has room left: asked often, looked at rarely.
import { statfs } from 'node:fs/promises';

const LOOK_MS = 2_000;

export interface DiskGuard {
  isFull(): boolean;
  start(): Promise<void>;
  stop(): void;
}

/** Full below `minFreeBytes` free for this user. Where nobody can say, it is not. */
export function createDiskGuard(path: string, minFreeBytes: number): DiskGuard {
  let isFull = false;
  let timer: NodeJS.Timeout | undefined;

  async function look(): Promise<void> {
    try {
      const { bavail, bsize } = await statfs(path);
      isFull = bavail * bsize < minFreeBytes;
    } catch {
      // The next write will say what is wrong with the folder.
      isFull = false;
    }
  }

  return {
    isFull: () => isFull,
    async start() {
      await look();
      timer = setInterval(() => void look(), LOOK_MS).unref();
    },
    stop: () => clearInterval(timer),
  };
}
