// Parses the written value of a setting by its kind.
import { CronPattern } from 'croner';
import ipaddr from 'ipaddr.js';
import {
  parseBytes,
  parseDuration,
  parseDurations,
  parseRate,
  parseSchedule,
  parseShare,
} from './duration.js';
import type { Setting } from './setting.js';

/** A JSON object as written. The rules that use it check its content. */
export type JsonObject = Readonly<Record<string, unknown>>;
export type SettingValue =
  | string
  | number
  | boolean
  | readonly number[]
  | readonly string[]
  | JsonObject
  | null;
type Parsed = { ok: true; value: SettingValue } | { ok: false; expected: string };

const HOSTNAME =
  /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;
const BOOLEANS: Record<string, boolean> = {
  true: true,
  '1': true,
  yes: true,
  false: false,
  '0': false,
  no: false,
};

export function isHostname(text: string): boolean {
  return HOSTNAME.test(text);
}

function orExpected(value: SettingValue | undefined, expected: string): Parsed {
  return value === undefined ? { ok: false, expected } : { ok: true, value };
}

function parseInteger(setting: Setting, text: string): Parsed {
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = setting;
  const value = /^\d{1,15}$/.test(text) ? Number(text) : undefined;
  const expected = `a whole number from ${min} to ${max}`;
  return orExpected(value !== undefined && value >= min && value <= max ? value : undefined, expected);
}

function parseTime(setting: Setting, text: string): Parsed {
  const { min = 1 } = setting;
  const value = min === 0 && text === '0' ? 0 : parseDuration(text);
  const expected = `a duration ${min > 0 ? 'longer than 0' : 'or 0'}, for example 250ms, 90s, 5m, 2h or 3d`;
  return orExpected(value !== undefined && value >= min ? value : undefined, expected);
}

/** Refuses steps of 0, which would make retries a busy loop. */
function withoutZero(steps: number[] | undefined): number[] | undefined {
  return steps?.includes(0) ? undefined : steps;
}

function parseUrl(setting: Setting, text: string): Parsed {
  const protocols = setting.protocols ?? [];
  const expected = `a URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // A database server may be named by the folder of its socket: postgres:///database?host=/folder.
  const hasHost =
    url?.hostname !== '' || (url.protocol.startsWith('postgres') && url.searchParams.has('host'));
  const fits = url !== undefined && hasHost && protocols.includes(url.protocol);
  return orExpected(fits ? text.replace(/\/$/, '') : undefined, expected);
}

function isServer(text: string): boolean {
  if (ipaddr.isValid(text)) return text.includes(':') || ipaddr.IPv4.isValidFourPartDecimal(text);
  const match = /^\[?([^\]]+?)\]?:(\d{1,5})$/.exec(text);
  const address = match?.[1] ?? '';
  const isV6 = text.startsWith('[') && ipaddr.IPv6.isValid(address);
  const portFits = Number(match?.[2]) >= 1 && Number(match?.[2]) <= 65_535;
  return portFits && (isV6 || ipaddr.IPv4.isValidFourPartDecimal(address));
}

/**
 * Accepts an address, or a network in CIDR notation. An IPv4 address inside IPv6 cannot have a prefix length,
 * because its bits would count from the wrong end.
 */
function isRange(text: string): boolean {
  const [base = '', bits, ...rest] = text.split('/');
  const isV4 = ipaddr.IPv4.isValidFourPartDecimal(base);
  if (rest.length > 0 || base.includes('%') || !(isV4 || ipaddr.IPv6.isValid(base))) return false;
  if (bits === undefined) return true;
  if (!isV4 && ipaddr.IPv6.parse(base).isIPv4MappedAddress()) return false;
  return /^\d{1,3}$/.test(bits) && Number(bits) <= (isV4 ? 32 : 128);
}

/**
 * Parses a JSON object. Errors are not reported, because they would quote the text, which may contain a
 * secret.
 */
function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : undefined;
  } catch {
    return undefined;
  }
}

function items(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function isCron(text: string): boolean {
  try {
    new CronPattern(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns the typed value, or a description of the expected one. */
export function parseSetting(setting: Setting, written: string): Parsed {
  const text = written.trim();
  switch (setting.kind) {
    case 'string': {
      const { min = 1 } = setting;
      const expected = min > 1 ? `a text of at least ${min} characters` : 'a non-empty string';
      return orExpected(text.length >= min ? text : undefined, expected);
    }
    case 'hostname':
      return orExpected(isHostname(text.toLowerCase()) ? text.toLowerCase() : undefined, 'a host name');
    case 'int':
      return parseInteger(setting, text);
    case 'bool':
      return orExpected(BOOLEANS[text.toLowerCase()], 'true or false');
    case 'duration':
      return parseTime(setting, text);
    case 'durations':
      return orExpected(
        withoutZero(parseDurations(text)),
        'durations longer than 0, separated by commas, for example 10s,1m,5m',
      );
    case 'schedule':
      return orExpected(
        withoutZero(parseSchedule(text)),
        'durations longer than 0, separated by commas, for example 1m,5m,1h…',
      );
    case 'bytes':
      return orExpected(parseBytes(text) || undefined, 'a size, for example 512, 16KiB or 30MiB');
    case 'rate':
      return orExpected(parseRate(text), 'a rate, for example 6000/min or 100/s, or 0');
    case 'share':
      return orExpected(parseShare(text), 'a percentage from 0% to 100%, for example 0.3%');
    case 'cron':
      return orExpected(
        isCron(text) ? text : undefined,
        'a cron expression with five or six fields, for example */15 * * * *',
      );
    case 'servers':
      return orExpected(
        items(text).every(isServer) ? items(text) : undefined,
        'a list of ip or ip:port, separated by commas',
      );
    case 'ranges':
      return orExpected(
        items(text).every(isRange) ? items(text) : undefined,
        'IP addresses or CIDR ranges, separated by commas, for example 192.0.2.0/24 or 2001:db8::/32',
      );
    case 'names':
      return parseNames(setting, text);
    case 'enum':
      return orExpected(
        setting.values?.find((v) => v === text),
        `one of ${(setting.values ?? []).join(', ')}`,
      );
    case 'url':
      return parseUrl(setting, text);
    case 'json':
      return orExpected(parseObject(text), 'a JSON object');
  }
}

/** With `values`, each name must be one of them. */
function parseNames({ values }: Setting, text: string): Parsed {
  const names = items(text.toLowerCase());
  const isKnown = values === undefined || (names.length > 0 && names.every((name) => values.includes(name)));
  return orExpected(
    isKnown ? names : undefined,
    `a list of ${(values ?? []).join(', ')}, separated by commas`,
  );
}
