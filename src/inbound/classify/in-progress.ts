// The mails that are worked on now: so many at once, and so many octets of them, whichever is less. A slow one holds its own
// place and nobody else's.
import type { WaitingMail } from '../inbound.store.js';

export interface UnderWay {
  /** How many. */
  count(): number;
  /**
   * Tells which mails are not under way now. To be asked before the rows are read: one that ends meanwhile is still found
   * among them.
   */
  others(): (mails: readonly WaitingMail[]) => WaitingMail[];
  /** The first of them, as many as there is room for; the largest mail has room when nothing else is under way. */
  fitting(mails: readonly WaitingMail[]): WaitingMail[];
  /** `work` must not reject. */
  begin(mail: WaitingMail, work: () => Promise<void>): void;
  /** Resolves when one has ended, at once when none is under way. */
  oneEnded(): Promise<void>;
  allEnded(): Promise<void>;
}

export function createUnderWay(limits: { mails: number; octets: number }): UnderWay {
  const running = new Map<number, Promise<void>>();
  let octets = 0;

  return {
    count: () => running.size,
    others() {
      const ids = new Set(running.keys());
      return (mails) => mails.filter(({ id }) => !ids.has(id));
    },
    fitting(mails) {
      let [count, size] = [running.size, octets];
      const taken: WaitingMail[] = [];
      for (const mail of mails) {
        const isAlone = count === 0;
        if (!isAlone && (count >= limits.mails || size + mail.size_bytes > limits.octets)) break;
        taken.push(mail);
        count += 1;
        size += mail.size_bytes;
      }
      return taken;
    },
    begin({ id, size_bytes: size }, work) {
      octets += size;
      const ended = work().finally(() => {
        octets -= size;
        running.delete(id);
      });
      running.set(id, ended);
    },
    async oneEnded() {
      if (running.size > 0) await Promise.race(running.values());
    },
    async allEnded() {
      await Promise.all(running.values());
    },
  };
}
