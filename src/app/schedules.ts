// Starts what is done by the clock: the jobs of all nouns, in one timetable.
import { createTimetable, type Job, type Timetable } from '../lib/runtime/cron.js';
import type { Log } from '../lib/runtime/log.js';

const EVERY_MINUTE = '* * * * *';
const EVERY_HOUR = '17 * * * *';

export interface Schedules {
  start(): void;
  /** Resolves when the running jobs have ended. */
  stop(): Promise<void>;
}

export function createSchedules(jobs: readonly Job[], { log }: { log: Log }): Schedules {
  let timetable: Timetable | null = null;
  return {
    start() {
      timetable = createTimetable({ log });
      for (const { name, at, run } of jobs) timetable.schedule(name, patternOf(at), run);
    },
    async stop() {
      for (const job of jobs) job.stop?.();
      await timetable?.stop();
    },
  };
}

function patternOf(at: Job['at']): string {
  if (at === 'minute') return EVERY_MINUTE;
  return at === 'hour' ? EVERY_HOUR : at.pattern;
}
