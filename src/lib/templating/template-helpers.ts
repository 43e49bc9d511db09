// Provides the helpers that turn a value into text: default, date, number, urlencode. Unreadable values are
// shown as they are, so bad input never fails a mail. Invalid options are refused when the template is saved.
import { LRUCache } from 'lru-cache';
import { toText } from './template-values.js';

type Options = Readonly<Record<string, unknown>>;
type Check = (value: string | number) => string | null;

interface Rule {
  /** An example call. */
  usage: string;
  params: { min: number; max: number };
  options: Readonly<Record<string, Check>>;
}

const DATE_STYLES = ['short', 'medium', 'long', 'full'] as const;
const TIME_STYLES = ['short', 'medium'] as const;
type DateStyle = (typeof DATE_STYLES)[number];
const MAX_DECIMALS = 10;

const oneOf =
  (...known: readonly string[]): Check =>
  (value) =>
    known.includes(String(value)) ? null : `must be one of ${known.join(', ')}`;
const locale: Check = (value) =>
  readLocale(value) === null ? 'must be a language tag, such as de or en-GB' : null;
const zone: Check = (value) =>
  readZone(value) === null || !isZone(String(value))
    ? 'must be a time zone of the IANA database, such as Europe/Berlin'
    : null;
const decimals: Check = (value) =>
  readDecimals(value) === null ? `must be a whole number from 0 to ${MAX_DECIMALS}` : null;
const currency: Check = (value) =>
  readCurrency(value) === null ? 'must be an ISO 4217 code, such as EUR' : null;

const one = { min: 1, max: 1 };
const RULES: Readonly<Record<string, Rule>> = {
  default: { usage: '{{default name "friend"}}', params: { min: 2, max: 10 }, options: {} },
  date: {
    usage: '{{date due_at format="long" zone="Europe/Berlin" locale="de"}}',
    params: one,
    options: {
      format: oneOf(...DATE_STYLES, 'iso', 'none'),
      time: oneOf(...TIME_STYLES, 'none'),
      zone,
      locale,
    },
  },
  number: {
    usage: '{{number total decimals=2 currency="EUR" locale="de"}}',
    params: one,
    options: { decimals, currency, locale },
  },
  urlencode: { usage: '{{urlencode name}}', params: one, options: {} },
};

/** In a template, each needs a value after its name; `{{date}}` alone is a variable. */
export const VALUE_HELPERS: readonly string[] = Object.keys(RULES);

/**
 * Returns why a helper call is invalid, or `null`. `options` contains literal values, and `null` for
 * variables.
 */
export function helperProblem(
  name: string,
  params: number,
  options: readonly { key: string; value: string | number | null }[],
): string | null {
  const rule = RULES[name];
  if (rule === undefined) throw new Error(`no helper ${name}`);
  if (params < rule.params.min || params > rule.params.max)
    return `${name} has the wrong number of values; write ${rule.usage}.`;
  for (const { key, value } of options) {
    const check = rule.options[key];
    if (check === undefined) return `${name} has no option "${key}"; write ${rule.usage}.`;
    const problem = value === null ? null : check(value);
    if (problem !== null) return `The option ${key} of ${name} ${problem}.`;
  }
  return null;
}

/** Charged for work that helpers do beyond their call. */
interface HelperCost {
  steps: (count: number) => void;
  chars: (count: number) => void;
}

/** Creating a formatter takes as long as this many placeholders. */
const STEPS_OF_FORMATTER = 100;
const FORMATTERS = 50;

/** Creates the helpers by name; each takes the values, then the options of the call. */
export function createHelpers(
  cost: HelperCost,
): Record<string, (values: unknown[], options: Options) => unknown> {
  const formatters = new LRUCache<string, Intl.DateTimeFormat | Intl.NumberFormat>({ max: FORMATTERS });
  const formatter = <F extends Intl.DateTimeFormat | Intl.NumberFormat>(key: string, make: () => F): F => {
    // The key begins with the kind of formatter.
    const known = formatters.get(key) as F | undefined;
    if (known !== undefined) return known;
    cost.steps(STEPS_OF_FORMATTER);
    const made = make();
    formatters.set(key, made);
    return made;
  };

  const date = ([value]: unknown[], options: Options): unknown => {
    const moment = readMoment(value);
    if (moment === null) return value;
    const dateStyle = readWord(options['format'], [...DATE_STYLES, 'iso', 'none'] as const) ?? 'medium';
    const timeStyle = moment.isDay
      ? 'none'
      : (readWord(options['time'], [...TIME_STYLES, 'none'] as const) ?? 'none');
    const timeZone = moment.isDay ? 'UTC' : (readZone(options['zone']) ?? 'UTC');
    // Swedish dates have the form of ISO 8601.
    const language = dateStyle === 'iso' ? 'sv-SE' : (readLocale(options['locale']) ?? 'en');
    const style = dateStyle === 'none' && timeStyle === 'none' ? 'medium' : dateStyle;
    const format = formatter(`date ${language} ${timeZone} ${style} ${timeStyle}`, () => {
      const shown: DateStyle | null = style === 'none' ? null : style === 'iso' ? 'short' : style;
      return new Intl.DateTimeFormat(language, {
        timeZone: isZone(timeZone) ? timeZone : 'UTC',
        ...(shown === null ? {} : { dateStyle: shown }),
        ...(timeStyle === 'none' ? {} : { timeStyle }),
      });
    });
    return plainSpaces(format.format(moment.at));
  };

  const number = ([value]: unknown[], options: Options): unknown => {
    const amount = readAmount(value);
    if (amount === null) return value;
    const language = readLocale(options['locale']) ?? 'en';
    const code = readCurrency(options['currency']);
    const digits = readDecimals(options['decimals']);
    const format = formatter(`number ${language} ${code} ${digits}`, () => {
      return new Intl.NumberFormat(language, {
        ...(code === null ? {} : { style: 'currency', currency: code }),
        ...(digits === null ? {} : { minimumFractionDigits: digits, maximumFractionDigits: digits }),
      });
    });
    return plainSpaces(format.format(amount));
  };

  return {
    default: (values) => values.find((value) => toText(value) !== '') ?? '',
    date,
    number,
    urlencode: ([value]) => {
      const text = toText(value);
      cost.chars(text.length);
      const encoded = encodeURIComponent(text.toWellFormed());
      cost.chars(encoded.length);
      return encoded;
    },
  };
}

/** Replaces narrow spaces, which look like boxes in older mail programs. */
function plainSpaces(text: string): string {
  return text.replaceAll('\u202f', '\u00a0');
}

const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:?\d\d)?)?$/i;
/** Larger numbers are milliseconds. */
const MAX_SECONDS = 100_000_000_000;

/**
 * Reads an ISO 8601 date or a Unix time in seconds or milliseconds; `null` for anything else. `isDay`: a date
 * without a time, which is the same day in every zone. A time without an offset is UTC.
 */
function readMoment(value: unknown): { at: number; isDay: boolean } | null {
  if (typeof value === 'number') {
    const at = Math.abs(value) < MAX_SECONDS ? value * 1000 : value;
    return Number.isNaN(new Date(at).getTime()) ? null : { at, isDay: false };
  }
  const [, day, time, offset = 'Z'] = typeof value === 'string' ? (ISO.exec(value.trim()) ?? []) : [];
  if (day === undefined) return null;
  const midnight = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(day)) return null;
  const utcOffset = offset.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2').toUpperCase();
  const at = time === undefined ? midnight.getTime() : Date.parse(`${day}T${time}${utcOffset}`);
  return Number.isNaN(at) ? null : { at, isDay: time === undefined };
}

function readAmount(value: unknown): number | null {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^\s*[-+]?\d{1,15}(?:\.\d{1,15})?\s*$/.test(value)
    ? Number(value)
    : null;
}

function readWord<W extends string>(value: unknown, known: readonly W[]): W | null {
  return known.find((word) => word === value) ?? null;
}

/** Returns a supported language tag; also accepts `de_AT`. */
function readLocale(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > 35) return null;
  try {
    return Intl.getCanonicalLocales(value.replaceAll('_', '-'))[0] ?? null;
  } catch {
    return null;
  }
}

/** Returns text that may name a time zone. Verifying it takes as long as creating a formatter. */
function readZone(value: unknown): string | null {
  return typeof value === 'string' && /^[A-Za-z][\w+/-]{1,60}$/.test(value) ? value : null;
}

function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

function readDecimals(value: unknown): number | null {
  const count = typeof value === 'string' && /^\d{1,2}$/.test(value) ? Number(value) : value;
  return typeof count === 'number' && Number.isInteger(count) && count >= 0 && count <= MAX_DECIMALS
    ? count
    : null;
}

function readCurrency(value: unknown): string | null {
  return typeof value === 'string' && /^[a-z]{3}$/i.test(value) ? value.toUpperCase() : null;
}
