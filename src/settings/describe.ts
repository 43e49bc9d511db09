// Renders the settings: the documentation page, and the effective values for the operator.
import { formatBytes, formatDuration, type Setting, type SettingValue } from '../lib/config/index.js';
import type { LoadedConfig, Origin } from './load.js';
import { SETTINGS, THEMES, type SettingKey } from './settings.js';
import { TUNING_ENV } from './tuning.js';

const ENTRIES = Object.entries(SETTINGS) as [SettingKey, Setting][];
const MASK = '(set, hidden)';

interface EffectiveRow {
  name: string;
  value: string;
  origin: Origin;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

function writtenDefault(setting: Setting): string {
  if (setting.default !== null && setting.default !== '') return `\`${setting.default}\``;
  return setting.derived ?? '–';
}

function kindInWords(setting: Setting): string {
  return setting.kind === 'enum' ? (setting.values ?? []).map((v) => `\`${v}\``).join(', ') : setting.kind;
}

/** Renders a table with padded columns, as Prettier formats it. */
function table(rows: readonly (readonly string[])[]): string[] {
  const [head = [], ...body] = rows;
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((text, column) => text.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)];
}

/** The most important settings for an operator, in this order. */
const FIRST: readonly SettingKey[] = [
  'hostname',
  'publicUrl',
  'dataDir',
  'platformDomain',
  'inboundDomain',
  'bounceDomain',
  'httpPort',
  'httpsPort',
  'inboundPort',
  'relayPort',
  'tlsCertFile',
  'tlsKeyFile',
  'acmeEmail',
  'trustedProxies',
  'sourceAddresses',
  'smarthost',
  'mtaWorkers',
  'dnsServers',
  'rateLimitLivePerMinute',
  'retentionDays',
];

function settingsTable(settings: readonly Setting[]): string[] {
  const rows = settings.map((setting) => [
    `\`${setting.env}\`${setting.secret ? ' (secret)' : ''}`,
    writtenDefault(setting),
    kindInWords(setting),
    cell(setting.meaning),
  ]);
  return table([['Variable', 'Default', 'Type', 'Description'], ...rows]);
}

/** Renders the page docs/config.md in Markdown. */
export function describeConfig(): string {
  const first: readonly Setting[] = FIRST.map((key) => SETTINGS[key]);
  const themes = Object.entries<Record<string, Setting>>(THEMES).map(([title, settings]) => {
    const others = Object.values(settings).filter((setting) => !first.includes(setting));
    return [`## ${title}`, '', ...settingsTable(others), ''];
  });
  return [
    '# Settings and environment variables',
    '',
    'Generated from `src/settings/`. A test keeps this page up to date.',
    '',
    'Configure Mailkeel with environment variables that start with `MAILKEEL_`. All settings are optional. Sources are merged in this order; earlier',
    'sources win: environment variables, the JSON file in `MAILKEEL_CONFIG`, defaults. In the JSON file, write each name in lower case without the prefix:',
    '`MAILKEEL_MX_PORT` becomes `"mx_port"`. Values of type json are objects there. Unknown names are errors. Settings that have become constants are',
    'ignored, with a warning in the log. To read a secret from a file, append `_FILE` to its name. An empty variable is treated',
    'as unset.',
    '',
    'Write durations as `250ms`, `90s`, `5m`, `2h` or `3d`, sizes as `512`, `16KiB` or `30MiB`, rates as `100/s` or',
    '`6000/min` (0 disables the limit), and separate list items with commas. `mailkeel admin config` prints every value and its',
    'source.',
    '',
    'Limits, batch sizes and intervals that rarely need to change are constants in `src/settings/tuning.ts`.',
    '',
    '## Essential settings',
    '',
    ...settingsTable(first),
    '',
    ...themes.flat(),
  ].join('\n');
}

function isList(value: object): value is readonly (number | string)[] {
  return Array.isArray(value);
}

function shownValue(setting: Setting, value: SettingValue): string {
  if (value === null) return '';
  if (setting.secret) return MASK;
  if (typeof value === 'object') {
    if (!isList(value)) return JSON.stringify(value);
    return value.map((item) => (typeof item === 'number' ? formatDuration(item) : item)).join(',');
  }
  if (setting.kind === 'duration') return formatDuration(Number(value));
  if (setting.kind === 'bytes') return formatBytes(Number(value));
  if (setting.kind === 'share') return `${Number((Number(value) * 100).toFixed(6))}%`;
  return setting.kind === 'rate' ? `${value}/min` : String(value);
}

/** Returns every setting with its value in user notation (secrets masked) and its origin, followed by the changed constants. */
export function effectiveConfig(loaded: LoadedConfig): EffectiveRow[] {
  const rows = ENTRIES.map(([key, setting]) => ({
    name: setting.env as string,
    value: shownValue(setting, loaded.config[key]),
    origin: loaded.origins[key],
  }));
  if (loaded.tuning === null) return rows;
  return [...rows, { name: TUNING_ENV, value: loaded.tuning, origin: TUNING_ENV }];
}
