// Formats times, numbers and sizes in the chosen language and the person's time zone.
import { Tooltip } from '@mantine/core';
import { useMemo, useSyncExternalStore } from 'react';
import { common } from '../texts/common.js';
import { useLanguage, useTexts, type Language } from '../texts/texts.js';

const TICK_MS = 10_000;
const MINUTE_S = 60;
const HOUR_S = 3600;
const DAY_S = 86_400;
/** For older times, the date is more useful than the distance. */
const LONGEST_RELATIVE_S = 7 * DAY_S;

function formatTime(at: string, language: Language): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(at));
}

function relative(at: Date, now: Date, language: Language): string {
  const ahead = Math.round((at.getTime() - now.getTime()) / 1000);
  // A time after the last tick is not in the future.
  const seconds = ahead > 0 && ahead * 1000 <= TICK_MS ? 0 : ahead;
  const distance = Math.abs(seconds);
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' });
  if (distance < MINUTE_S) return format.format(seconds, 'second');
  if (distance < HOUR_S) return format.format(Math.round(seconds / MINUTE_S), 'minute');
  if (distance < DAY_S) return format.format(Math.round(seconds / HOUR_S), 'hour');
  return format.format(Math.round(seconds / DAY_S), 'day');
}

/** One clock for all times on the page. It advances by ticks, so that all times of a render agree. */
let now = new Date();

function watchClock(changed: () => void): () => void {
  const timer = setInterval(() => {
    now = new Date();
    changed();
  }, TICK_MS);
  return () => clearInterval(timer);
}

function useNow(): Date {
  return useSyncExternalStore(watchClock, () => now);
}

/** A time as a distance from now when it is near, with the whole time and its UTC beside it. */
export function Time({ at, isFull = false }: { at: string | null; isFull?: boolean }) {
  const t = useTexts(common);
  const { language } = useLanguage();
  const now = useNow();
  if (at === null) return <>{t.never}</>;
  const time = new Date(at);
  const full = formatTime(at, language);
  const isNear = Math.abs(now.getTime() - time.getTime()) < LONGEST_RELATIVE_S * 1000;
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(time);
  return (
    <Tooltip label={`${full} · ${time.toISOString()}`}>
      <time dateTime={at} style={isFull ? {} : { whiteSpace: 'nowrap' }}>
        {isFull ? full : isNear ? relative(time, now, language) : date}
      </time>
    </Tooltip>
  );
}

/** Returns the distance of a time from now, such as "in 14 min". */
export function useRelativeTime(): (at: string) => string {
  const { language } = useLanguage();
  const now = useNow();
  return (at) => relative(new Date(at), now, language);
}

/** Formats of numbers in the chosen language. */
const ISO_TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z\b/g;

export function useFormat() {
  const { language } = useLanguage();
  return useMemo(() => {
    const whole = new Intl.NumberFormat(language, { maximumFractionDigits: 0 });
    const short = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 });
    return {
      count: (value: number) => whole.format(value),
      /** 12.3K */
      short: (value: number) => short.format(value),
      /** Formats a fraction: 0.0031 is 0.31 %. */
      percent: (part: number | null, digits = 2) =>
        part === null
          ? '–'
          : new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: digits }).format(part),
      /** Always with two decimals, as for thresholds: 0.001 is 0.10 %. */
      rate: (part: number | null) =>
        part === null
          ? '–'
          : new Intl.NumberFormat(language, {
              style: 'percent',
              minimumFractionDigits: 2,
              maximumFractionDigits: 2,
            }).format(part),
      bytes: (size: number) => bytes(size, language),
      duration: (ms: number) => duration(ms, language),
      time: (at: string) => formatTime(at, language),
      /** A text of the server, with its ISO times as the reader writes them. */
      timesIn: (text: string) => text.replace(ISO_TIME, (at) => formatTime(at, language)),
      /** In UTC, as figures are counted. */
      hour: (at: string) =>
        new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' }).format(
          new Date(at),
        ),
      day: (at: string) =>
        new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(
          new Date(at),
        ),
    };
  }, [language]);
}

function bytes(size: number, language: Language): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;
  let value = size;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  const options = {
    style: 'unit',
    unit: units[unit] ?? 'byte',
    // The short form of a byte has no plural.
    unitDisplay: unit === 0 ? 'long' : 'short',
    maximumFractionDigits: value < 10 ? 1 : 0,
  } as const;
  return new Intl.NumberFormat(language, options).format(value);
}

function duration(ms: number, language: Language): string {
  const [value, unit] =
    ms < 1000
      ? [ms, 'millisecond']
      : ms < 60_000
        ? [ms / 1000, 'second']
        : ms < 3_600_000
          ? [ms / 60_000, 'minute']
          : ms < 86_400_000
            ? [ms / 3_600_000, 'hour']
            : [ms / 86_400_000, 'day'];
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: value < 10 && unit !== 'millisecond' ? 1 : 0,
  }).format(value);
}
