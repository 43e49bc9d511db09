// Runs the scheduled jobs of all nouns in one timetable.
import { createTimetable, type Job, type Room, type Timetable } from '../lib/concurrency/index.js';
import type { Log } from '../lib/runtime/index.js';
import type { Config } from '../settings/settings.js';

const EVERY_HOUR = '17 * * * *';

export interface Schedules {
  start(): void;
  /** Resolves when the running jobs have ended. */
  stop(): Promise<void>;
}

interface SchedulesOptions {
  log: Log;
  settings: Pick<Config, 'minuteJobs'>;
  /** In a cluster, the node that has the room runs the jobs, except those that each node runs. */
  room?: Room | undefined;
}

export function createSchedules(jobs: readonly Job[], { log, settings, room }: SchedulesOptions): Schedules {
  let timetable: Timetable | null = null;
  return {
    start() {
      timetable = createTimetable({ log });
      for (const job of jobs) timetable.schedule(job.name, patternOf(job.at, settings), runIn(room, job));
    },
    async stop() {
      for (const job of jobs) job.stop?.();
      await timetable?.stop();
    },
  };
}

function runIn(room: Room | undefined, { run, isOfEachNode }: Job): () => Promise<void> {
  if (room === undefined || isOfEachNode) return run;
  return async () => {
    const leave = room.enter();
    if (leave === null) return;
    await run().finally(leave);
  };
}

function patternOf(at: Job['at'], { minuteJobs }: SchedulesOptions['settings']): string {
  if (at === 'minute') return minuteJobs;
  return at === 'hour' ? EVERY_HOUR : at.pattern;
}
