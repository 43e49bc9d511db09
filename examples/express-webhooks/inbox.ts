// Stores each event once, and remembers across restarts which events are done. The file has one line for each event and one line
// for each finished event. In a database, use a table with a unique key.
import { appendFile, open, readFile } from 'node:fs/promises';
import type { WebhookEvent } from '@mailkeel/sdk';

type Line = { key: string; event: WebhookEvent } | { done: string };

export interface Inbox {
  /** Resolves when the event is on disk. Returns false if it was stored before. */
  put(key: string, event: WebhookEvent): Promise<boolean>;
  /** Records that the event has been handled. */
  done(key: string): Promise<void>;
  /** Events that an earlier run stored but did not finish. */
  unfinished: [key: string, event: WebhookEvent][];
}

export async function openInbox(file: string): Promise<Inbox> {
  const known = new Map<string, Promise<void>>();
  const unfinished = new Map<string, WebhookEvent>();
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    // The file does not exist before the first start.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  });
  // A crash cut off the text after the last line break. The receiver did not answer that event, so the appliance sends it again.
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
    // Without this call, a power cut could lose an event that was answered with 204.
    await handle.datasync();
  }

  return {
    async put(key, event) {
      const before = known.get(key);
      if (before !== undefined) {
        // If the same event arrives twice at the same moment, answer the second request when the first is on disk.
        await before;
        return false;
      }
      const written = write({ key, event });
      known.set(key, written);
      try {
        await written;
      } catch (error) {
        // The event was not stored, so accept it when it arrives again.
        known.delete(key);
        throw error;
      }
      return true;
    },
    done: (key) => write({ done: key }),
    unfinished: [...unfinished],
  };
}
