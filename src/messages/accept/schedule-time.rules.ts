// The times in send_at and expires_at: ISO 8601 date and time with an offset (the profile of RFC 3339).
import { invalidFields, type Refusal } from '../../contract/refusal.js';

const MINUTE_MS = 60_000;
const PAST_TOLERANCE_MS = 5 * MINUTE_MS;
const MAX_AHEAD_MS = 366 * 24 * 60 * MINUTE_MS;
const FORM = /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(.*)$/s;
const OFFSET = /^(?:([Zz])|([+-])(\d{2}):?(\d{2})?)$/;

type ScheduleTime =
  /** Epoch ms, or null to send now. */
  { ok: true; at: number | null } | { ok: false; message: string };

const no = (message: string): ScheduleTime => ({ ok: false, message });

interface DateParts {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
}

function wrongPart({ year, month, day, hour, minute, second }: DateParts): string | null {
  if (month < 1 || month > 12) return 'month must be 01 to 12';
  const daysInMonth = new Date(Date.UTC(year, month, 0)).getUTCDate();
  if (day < 1 || day > daysInMonth) return `day must be 01 to ${daysInMonth} in this month`;
  if (hour > 23) return 'hour must be 00 to 23';
  if (minute > 59) return 'minute must be 00 to 59';
  // A leap second is accepted and counts as the first of the next minute.
  return second > 60 ? 'the second must be 00 to 60' : null;
}

/** Milliseconds east of UTC, or null. */
function offsetMs(text: string): number | null {
  const match = OFFSET.exec(text);
  if (!match) return null;
  if (match[1] !== undefined) return 0;
  const [hours, minutes] = [Number(match[3]), Number(match[4] ?? 0)];
  if (hours > 23 || minutes > 59) return null;
  return (match[2] === '-' ? -1 : 1) * (hours * 60 + minutes) * MINUTE_MS;
}

/** A time up to 5 minutes in the past means now. Earlier times, and times more than a year ahead, are refused with a sentence. */
export function parseSendAt(text: string, now: number): ScheduleTime {
  const match = FORM.exec(text.trim());
  if (!match) return no('must be a date and time such as 2026-03-01T09:00:00Z or 2026-03-01T10:00:00+01:00');
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part) || 0);
  const wrong = wrongPart({ year, month, day, hour, minute, second });
  if (wrong !== null) return no(wrong);
  const offsetText = (match[8] ?? '').trim();
  if (offsetText === '') return no('the offset is missing: end with Z or an offset such as +01:00');
  const offset = offsetMs(offsetText);
  if (offset === null) return no('the offset must be Z or such as +01:00');
  const milliseconds = Number((match[7] ?? '').padEnd(3, '0').slice(0, 3));
  const at = Date.UTC(year, month - 1, day, hour, minute, second, milliseconds) - offset;
  if (at < now - PAST_TOLERANCE_MS) return no('the time is in the past');
  if (at > now + MAX_AHEAD_MS) return no('the time is more than a year ahead');
  return { ok: true, at: at <= now ? null : at };
}

/** Parses `send_at` to epoch ms; `null` to send now. Refuses with `validation_error`. */
export function readScheduledAt(sendAt: string | null, now: number): number | null {
  if (sendAt === null) return null;
  const time = parseSendAt(sendAt, now);
  if (!time.ok) throw invalidFields([{ path: 'send_at', message: time.message }]);
  return time.at;
}

/** Parses `expires_at` to epoch ms. Refuses with `validation_error` if it is not in the future and after the scheduled time. */
export function readExpiresAt(text: string | null, scheduledAt: number | null, now: number): number | null {
  if (text === null) return null;
  const refusal = (message: string): Refusal => invalidFields([{ path: 'expires_at', message }]);
  const time = parseSendAt(text, now);
  if (!time.ok) throw refusal(time.message);
  if (time.at === null) throw refusal('the time is in the past');
  if (scheduledAt !== null && time.at <= scheduledAt) throw refusal('must be later than send_at');
  return time.at;
}
