// Runs named jobs at cron times (UTC). Jobs read due work from the store, so a missed run loses nothing.
import { Cron } from 'croner';
import { createFactChannel } from './fact-channel.js';
import type { Log } from '../runtime/index.js';

/** Publishes the end of each run and whether it succeeded. */
export const jobEnded = createFactChannel<{ name: string; isGood: boolean }>();

/** A job with its name, its times (cron, UTC) and its work. */
export interface Job {
  name: string;
  at: 'minute' | 'hour' | { pattern: string };
  run: () => Promise<void>;
  /** Runs on each node, because it concerns the node's own memory, files or network. */
  isOfEachNode?: true;
  /** Makes a long run end. */
  stop?: () => void;
}

export interface Timetable {
  /**
   * Schedules a job by a cron pattern of five or six fields; throws if it is invalid. Skips a run while the
   * previous one continues.
   */
  schedule(name: string, pattern: string, run: () => Promise<void>): void;
  /** Resolves when the running jobs have ended; no other starts. */
  stop(): Promise<void>;
}

export function createTimetable(deps: { log: Log }): Timetable {
  const { log } = deps;
  /** Jobs with the same times share a clock, because croner keeps a table of 78 KB for each. */
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
        // `timezone: 'UTC'` would load the tables of all time zones.
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
