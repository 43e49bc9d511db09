// Shows the settings: the documentation page, and the effective values for the operator.
import { formatBytes, formatDuration } from '../lib/config/duration.js';
import type { LoadedConfig, Origin } from './load.js';
import type { SettingValue } from '../lib/config/parse.js';
import { SETTINGS, type SettingKey } from './settings.js';
import type { Setting } from '../lib/config/setting.js';

const ENTRIES = Object.entries(SETTINGS) as [SettingKey, Setting][];
const MASK = '(set, not shown)';

export interface EffectiveRow {
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

/** Columns padded to one width, as Prettier keeps them. */
function table(rows: readonly (readonly string[])[]): string[] {
  const [head = [], ...body] = rows;
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((text, column) => text.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)];
}

/** The page docs/config.md in Markdown. */
export function describeConfig(): string {
  const rows = ENTRIES.map(([, setting]) => [
    `\`${setting.env}\`${setting.secret ? ' (secret)' : ''}`,
    writtenDefault(setting),
    kindInWords(setting),
    cell(setting.meaning),
  ]);
  return [
    '# Configuration',
    '',
    'Generated from `src/settings/settings.ts`; a test keeps it in step.',
    '',
    'Nothing is mandatory. A value comes from the environment, else from the JSON file that',
    '`POSTHORN_CONFIG` names, else from its default. In the file the name is written without the prefix in',
    'lower case (`POSTHORN_MX_PORT` is `"mx_port"`); what is of kind json is an object there. An unknown name',
    'is an error on both sides; a name of a part that this release does not have is taken with a notice, or',
    'refused where something else than meant would happen (`src/settings/unsupported-settings.ts`). A secret can also',
    'be given as a file, by the name with `_FILE` after it. An empty variable counts as unset.',
    '',
    'Durations are written `250ms`, `90s`, `5m`, `2h`, `3d`; sizes `512`, `16KiB`, `30MiB`; rates `100/s`,',
    '`6000/min`, where 0 is off; lists with commas. `posthorn admin config` prints every value and where it',
    'came from.',
    '',
    ...table([['Variable', 'Default', 'Kind', 'Meaning'], ...rows]),
    '',
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

/** Every setting with its value as a user would write it (secrets masked) and its origin. */
export function effectiveConfig(loaded: LoadedConfig): EffectiveRow[] {
  return ENTRIES.map(([key, setting]) => ({
    name: setting.env,
    value: shownValue(setting, loaded.config[key]),
    origin: loaded.origins[key],
  }));
}
