// Computes the times of a cron pattern.
import { Cron } from 'croner';

/**
 * Returns the first time after `after` (both epoch ms) at which the pattern is due, in UTC; `null` if there
 * is none.
 */
export function nextTime(pattern: string, after: number): number | null {
  return new Cron(pattern, { utcOffset: 0, paused: true }).nextRun(new Date(after))?.getTime() ?? null;
}
