// When the schedule asks for a backup.
import { nextTime } from '../lib/config/index.js';

/**
 * Returns the time (epoch ms) at which the schedule asks for the backup after the last good one, or null without a schedule. Without
 * a good backup it is the first time of the schedule after the start of the server.
 */
export function backupDueAt({
  schedule,
  goodAt,
  startedAt,
}: {
  schedule: string | null;
  /** When the last good one ended. */
  goodAt: number | null;
  startedAt: number;
}): number | null {
  return schedule === null ? null : nextTime(schedule, goodAt ?? startedAt);
}
