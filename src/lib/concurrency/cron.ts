// The timetable: named jobs at cron times (UTC). Jobs read from the store what is due, so a missed run loses
// nothing.
import { Cron } from 'croner';
import { createFactChannel } from './fact-channel.js';
import type { Log } from '../runtime/index.js';

/** Runs of jobs that have ended, with a fault or without. */
export const jobEnded = createFactChannel<{ name: string; isGood: boolean }>();

/** A job: its name, when it runs (cron, UTC), and one run of it. */
export interface Job {
  name: string;
  at: 'minute' | 'hour' | { pattern: string };
  run: () => Promise<void>;
  /** Of several nodes each runs it: it is about the node's own memory, files or network. */
  isOfEachNode?: true;
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
  /** Jobs of the same times share a clock: croner's table of years is 78 KB for each. */
  const clocks = new Map<string, { cron: Cron; jobs: (() => void)[] }>();
  const running = new Set<Promise<void>>();

  async function guarded(name: string, run: () => Promise<void>): Promise<void> {
    try {
      await run();
      jobEnded.publish({ name, isGood: true });
    } catch (error) {
      log.error({ err: error, job: name }, 'job failed');
      jobEnded.publish({ name, isGood: false });
    }
  }

  return {
    schedule(name, pattern, run) {
      let isRunning = false;
      const runJob = (): void => {
        if (isRunning) return;
        isRunning = true;
        const work = guarded(name, run).finally(() => {
          isRunning = false;
          running.delete(work);
        });
        running.add(work);
      };
      const clock = clocks.get(pattern);
      if (clock) clock.jobs.push(runJob);
      else {
        const jobs = [runJob];
        // Not `timezone: 'UTC'`, which loads the tables of all time zones.
        const cron = new Cron(pattern, { utcOffset: 0 }, () => {
          for (const job of jobs) job();
        });
        clocks.set(pattern, { cron, jobs });
      }
    },
    async stop() {
      for (const { cron } of clocks.values()) cron.stop();
      await Promise.all(running);
    },
  };
}
