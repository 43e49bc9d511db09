// Reads and writes message ids and dates in header fields (RFC 5322 sections 3.3, 3.6.4 and 4.3).

const MAX_VALUE = 65_536;
const MAX_IDS = 200;
const MAX_MESSAGE_ID = 500;
const MESSAGE_ID = /^<([^\s<>@\x00-\x1f\x7f-\uffff]+@[^\s<>@\x00-\x1f\x7f-\uffff]+)>$/;

/** Returns the only message id of a Message-ID value, without angle brackets; `null` for anything else. */
export function readMessageId(value: string): string | null {
  return value.length > MAX_MESSAGE_ID ? null : (MESSAGE_ID.exec(value)?.[1] ?? null);
}

/** Returns message ids without angle brackets in their order; the newest if there are too many. */
export function readMessageIds(value: string): string[] {
  const text = value.slice(-MAX_VALUE);
  const bracketed = [...text.matchAll(/<([^<>\s\p{Cc}]{1,998})>/gu)].map(([, id = '']) => id);
  const ids =
    bracketed.length > 0
      ? bracketed
      : text.split(/[\s,]+/).filter((word) => /^[^@<>\p{Cc}]+@[^@<>\p{Cc}]+$/u.test(word));
  return ids.filter((id) => id.length <= 998).slice(-MAX_IDS);
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/**
 * Hours from UTC of the zones in RFC 5322 section 4.3. An unknown name counts as UTC, as that section says.
 */
const ZONES: Readonly<Record<string, number>> = {
  EST: -5,
  EDT: -4,
  CST: -6,
  CDT: -5,
  MST: -7,
  MDT: -6,
  PST: -8,
  PDT: -7,
};
const DATE =
  /(\d{1,2})[ \t-]{1,9}([a-z]{3})[a-z]{0,6}[ \t-]{1,9}(\d{2,4})[ \t]{1,9}(\d{1,2}):(\d{2})(?::(\d{2}))?[ \t]{0,9}([+-]\d{4}|[a-z]{1,5})?/i;

const FULL_DATE =
  /^(?:[A-Z][a-z]{2}, )?\d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d(?::\d\d)? (?:[+-]\d{4}|GMT|UTC?|Z)$/;
const UNIX_TIME = /^\d{1,11}(?:\.\d{1,9})?$/;

/** Converts Unix time in seconds or a complete Date value to ISO 8601. Returns other text unchanged. */
export function isoOfTime(text: string): string {
  const at = UNIX_TIME.test(text) ? Number(text) * 1000 : FULL_DATE.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? text : new Date(at).toISOString();
}

/** Formats a Date value; `time` is in epoch ms. */
export function formatDate(time: number): string {
  return new Date(time).toUTCString().replace('GMT', '+0000');
}

/** Parses a Date value to epoch ms; `null` if it is invalid. */
export function readDate(value: string): number | null {
  const [, day = '', month = '', year = '', hour = '', minute = '', second = '0', zone = ''] =
    DATE.exec(value.slice(0, 200)) ?? [];
  const monthIndex = MONTHS.indexOf(month.toLowerCase());
  if (monthIndex < 0) return null;
  const local = Date.UTC(
    fullYear(year),
    monthIndex,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  );
  return local - offsetMinutes(zone) * 60_000;
}

/** Expands years of two and three digits by RFC 5322 section 4.3. */
function fullYear(digits: string): number {
  const year = Number(digits);
  if (digits.length >= 4) return year;
  return year + (digits.length === 2 && year < 50 ? 2000 : 1900);
}

function offsetMinutes(zone: string): number {
  const numeric = /^([+-])(\d{2})(\d{2})$/.exec(zone);
  if (numeric === null) return (ZONES[zone.toUpperCase()] ?? 0) * 60;
  const [, sign, hours, minutes] = numeric;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}
