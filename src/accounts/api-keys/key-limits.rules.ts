// Decides whether the limits of a send policy allow more messages. Hours and days are those of the clock, in UTC.
import type { SendPolicy } from '../../contract/send-policy.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export type KeyLimits = Pick<SendPolicy, 'max_per_hour' | 'max_per_day'>;

export interface KeyLimitProblem {
  field: 'max_per_hour' | 'max_per_day';
  /** A sentence. */
  message: string;
  limit: number;
  used: number;
  /** Epoch ms. */
  resetsAt: number;
}

/** Returns the hour and day since the epoch. */
export function keyPeriods(now: number): { hour: number; day: number } {
  return { hour: Math.floor(now / HOUR_MS), day: Math.floor(now / DAY_MS) };
}

/** Returns the limit that `asked` more messages would exceed; null if there is none. */
export function keyLimitProblem(
  limits: KeyLimits,
  used: { hour: number; day: number },
  { asked, now }: { asked: number; now: number },
): KeyLimitProblem | null {
  const { hour, day } = keyPeriods(now);
  const { max_per_hour: perHour, max_per_day: perDay } = limits;
  if (perHour !== null && used.hour + asked > perHour) {
    return {
      field: 'max_per_hour',
      message: `The send policy of the API key allows ${perHour} messages per hour, and ${used.hour} have been used.`,
      limit: perHour,
      used: used.hour,
      resetsAt: (hour + 1) * HOUR_MS,
    };
  }
  if (perDay !== null && used.day + asked > perDay) {
    return {
      field: 'max_per_day',
      message: `The send policy of the API key allows ${perDay} messages per day, and ${used.day} have been used.`,
      limit: perDay,
      used: used.day,
      resetsAt: (day + 1) * DAY_MS,
    };
  }
  return null;
}
