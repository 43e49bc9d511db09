// The timetable: named jobs at cron times (UTC). Jobs read from the store what is due, so a missed run loses
// nothing.
import { Cron } from 'croner';
import { createFactChannel } from './fact-channel.js';
import type { Log } from './log.js';

/** Runs of jobs that have ended, with a fault or without. */
export const jobEnded = createFactChannel<{ name: string; isGood: boolean }>();

/** A job: its name, when it runs (cron, UTC), and one run of it. */
export interface Job {
  name: string;
  at: 'minute' | 'hour' | { pattern: string };
  run: () => Promise<void>;
  /** Has a long run come to its end. */
  stop?: () => void;
}

export interface Timetable {
  /**
   * `pattern` is a five- or six-field cron pattern; throws on a broken one. A run is skipped while the
   * last one goes on.
   */
  schedule(name: string, pattern: string, run: () => Promise<void>): void;
  /** Resolves when the running jobs have ended; none starts after it. */
  stop(): Promise<void>;
}

export function createTimetable(deps: { log: Log }): Timetable {
  const { log } = deps;
  const jobs: Cron[] = [];
  const running = new Set<Promise<void>>();

  async function guarded(name: string, run: () => Promise<void>): Promise<void> {
    try {
      await run();
      jobEnded.publish({ name, isGood: true });
    } catch (error) {
      log.error({ err: error, job: name }, 'job fault');
      jobEnded.publish({ name, isGood: false });
    }
  }

  return {
    schedule(name, pattern, run) {
      const runJob = async (): Promise<void> => {
        const work = guarded(name, run);
        running.add(work);
        await work;
        running.delete(work);
      };
      jobs.push(new Cron(pattern, { timezone: 'UTC', protect: true }, runJob));
    },
    async stop() {
      for (const job of jobs) job.stop();
      await Promise.all(running);
    },
  };
}
