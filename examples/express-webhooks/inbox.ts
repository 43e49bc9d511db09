// Keeps each event once, and remembers over restarts which ones have been worked on: a file with a line for each event, and one
// for each that is done. In a database it would be a table with a unique key.
import { appendFile, open, readFile } from 'node:fs/promises';
import type { WebhookEvent } from '@mailkeel/sdk';

type Line = { key: string; event: WebhookEvent } | { done: string };

export interface Inbox {
  /** Resolves when the event is on disk. False: it was there already. */
  put(key: string, event: WebhookEvent): Promise<boolean>;
  /** Notes that the work is done. */
  done(key: string): Promise<void>;
  /** What an earlier run took and did not finish. */
  unfinished: [key: string, event: WebhookEvent][];
}

export async function openInbox(file: string): Promise<Inbox> {
  const known = new Map<string, Promise<void>>();
  const unfinished = new Map<string, WebhookEvent>();
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    // The first start.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  });
  // What follows the last line end was cut off by a crash before it was answered: it comes again.
  const end = text.lastIndexOf('\n') + 1;
  for (const line of text.slice(0, end).split('\n').filter(Boolean)) {
    const entry = JSON.parse(line) as Line;
    if ('done' in entry) {
      unfinished.delete(entry.done);
    } else {
      known.set(entry.key, Promise.resolve());
      unfinished.set(entry.key, entry.event);
    }
  }
  const handle = await open(file, 'a');
  await handle.truncate(Buffer.byteLength(text.slice(0, end)));

  async function write(line: Line): Promise<void> {
    await appendFile(handle, `${JSON.stringify(line)}\n`);
    // Without it a power cut loses what was answered with 204.
    await handle.datasync();
  }

  return {
    async put(key, event) {
      const before = known.get(key);
      if (before !== undefined) {
        // Two at the same moment: the second is answered when the first is on disk.
        await before;
        return false;
      }
      const written = write({ key, event });
      known.set(key, written);
      try {
        await written;
      } catch (error) {
        // Not kept, so it must be taken when it comes again.
        known.delete(key);
        throw error;
      }
      return true;
    },
    done: (key) => write({ done: key }),
    unfinished: [...unfinished],
  };
}
