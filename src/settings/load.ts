// Loads the settings: defaults, then the file, then the environment. All problems are reported at once.
import { readFileSync } from 'node:fs';
import { availableParallelism, hostname as machineHostname } from 'node:os';
import { join } from 'node:path';
import { isHostname, nearest, parseSetting, type Setting, type SettingValue } from '../lib/config/index.js';
import { CONFIG_FILE_ENV, settingFileKey, SETTINGS, type Config, type SettingKey } from './settings.js';
import { readTuning, TUNING_ENV } from './tuning.js';

export type Environment = Readonly<Record<string, string | undefined>>;
/** Origin of a value: `default`, `derived` (from another value or the machine), a variable, or the file. */
export type Origin = string;
export type Origins = Readonly<Record<SettingKey, Origin>>;
export interface LoadedConfig {
  config: Config;
  origins: Origins;
  /** Known variables and file entries that have no effect in this release, including former settings. */
  withoutEffect: readonly string[];
  /** The text of MAILKEEL_TUNING; null if it is not set. */
  tuning: string | null;
}

/** All problems of the configuration, one sentence each. */
export class ConfigProblems extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(
      `Invalid configuration (${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}):\n${problems.map((p) => `  - ${p}`).join('\n')}`,
    );
    this.name = 'ConfigProblems';
    this.problems = problems;
  }
}

interface Written {
  text: string;
  origin: Origin;
}
type WrittenValues = Map<SettingKey, Written>;

const ENTRIES = Object.entries(SETTINGS) as [SettingKey, Setting][];
const BY_ENV = new Map<string, SettingKey>(ENTRIES.map(([key, setting]) => [setting.env, key]));
const BY_FILE_KEY = new Map<string, SettingKey>(
  ENTRIES.map(([key, setting]) => [settingFileKey(setting), key]),
);
const SECRET_FILES = new Map<string, SettingKey>(
  ENTRIES.filter(([, setting]) => setting.secret).map(([key, setting]) => [`${setting.env}_FILE`, key]),
);

/** Treats an empty variable as unset, because compose files pass on empty ones. */
function present(env: Environment, name: string): string | undefined {
  const value = env[name];
  return value === undefined || value.trim() === '' ? undefined : value;
}

function failureReason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Locates a JSON syntax error. The parser's message quotes the text, which may contain a secret. */
function placeInJson(error: unknown): string {
  if (!(error instanceof SyntaxError)) return failureReason(error);
  const place = / at position \d+(?: \(line \d+ column \d+\))?$/.exec(error.message)?.[0] ?? '';
  return `syntax error${place}`;
}

function unknownName(name: string, known: readonly string[]): string {
  const guess = nearest(name, known);
  return `${name} is not a known setting${guess === undefined ? '' : `. Did you mean ${guess}?`}`;
}

function fromFile(path: string, into: WrittenValues, problems: string[], withoutEffect: string[]): void {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    problems.push(`${CONFIG_FILE_ENV}: cannot read ${path} as JSON: ${placeInJson(error)}`);
    return;
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    problems.push(`${CONFIG_FILE_ENV}: ${path} must contain a JSON object`);
    return;
  }
  for (const [name, value] of Object.entries(content) as [string, unknown][]) {
    const key = BY_FILE_KEY.get(name);
    const parts: unknown[] = Array.isArray(value) ? value : [value];
    const wantsObject = key !== undefined && SETTINGS[key].kind === 'json';
    if (key === undefined && isFormerSetting(name)) {
      withoutEffect.push(`${path}: ${name}`);
    } else if (key === undefined) {
      problems.push(`${path}: ${unknownName(name, [...BY_FILE_KEY.keys()])}`);
    } else if (wantsObject) {
      into.set(key, { text: JSON.stringify(value), origin: `${path}: ${name}` });
    } else if (parts.every((part) => ['string', 'number', 'boolean'].includes(typeof part))) {
      into.set(key, { text: parts.join(','), origin: `${path}: ${name}` });
    } else {
      problems.push(`${path}: ${name} must be a string, number, boolean, or a list of these`);
    }
  }
}

function fromEnvironment(
  env: Environment,
  into: WrittenValues,
  problems: string[],
  withoutEffect: string[],
): void {
  for (const name of Object.keys(env).filter((n) => n.startsWith('MAILKEEL_'))) {
    const text = present(env, name);
    const key = BY_ENV.get(name);
    const secretKey = SECRET_FILES.get(name);
    if (key !== undefined) {
      if (text !== undefined) into.set(key, { text, origin: name });
    } else if (secretKey !== undefined) {
      if (text !== undefined) fromSecretFile({ env, name, path: text, key: secretKey }, into, problems);
    } else if (isFormerSetting(name)) {
      if (text !== undefined) withoutEffect.push(name);
    } else if (name !== CONFIG_FILE_ENV && name !== TUNING_ENV) {
      problems.push(unknownName(name, [...BY_ENV.keys(), ...SECRET_FILES.keys(), CONFIG_FILE_ENV]));
    }
  }
}

function fromSecretFile(
  from: { env: Environment; name: string; path: string; key: SettingKey },
  into: WrittenValues,
  problems: string[],
): void {
  const direct = SETTINGS[from.key].env;
  if (present(from.env, direct) !== undefined) {
    problems.push(`${direct} and ${from.name} are both set. Remove one of them.`);
    return;
  }
  try {
    into.set(from.key, { text: readFileSync(from.path, 'utf8').trim(), origin: from.name });
  } catch (error) {
    problems.push(`${from.name}: cannot read ${from.path}: ${failureReason(error)}`);
  }
}

function machineName(): string {
  const name = machineHostname().toLowerCase();
  return isHostname(name) ? name : 'localhost';
}

/** Returns defaults that depend on other values or the machine, in the order of their dependencies. */
function derive(values: Map<SettingKey, SettingValue>): [SettingKey, SettingValue][] {
  const hostname = values.get('hostname') ?? machineName();
  const dataDir = values.get('dataDir');
  return [
    ['hostname', hostname],
    ['bounceDomain', hostname],
    ['inboundDomain', hostname],
    ['publicUrl', `http://localhost:${Number(values.get('httpPort'))}`],
    ['backupTo', join(typeof dataDir === 'string' ? dataDir : '.', 'backups')],
    ['mtaWorkers', Math.max(1, availableParallelism() - 1)],
  ];
}

/**
 * Loads the settings as typed values with their origins. `env` is the process environment; `file` replaces the file named by
 * MAILKEEL_CONFIG. Throws ConfigProblems, which never contain a secret.
 */
export function loadConfig(input: { env: Environment; file?: string }): LoadedConfig {
  const problems: string[] = [];
  const written: WrittenValues = new Map();
  const file = input.file ?? present(input.env, CONFIG_FILE_ENV);
  const withoutEffect: string[] = [];
  if (file !== undefined) fromFile(file, written, problems, withoutEffect);
  fromEnvironment(input.env, written, problems, withoutEffect);

  const values = new Map<SettingKey, SettingValue>();
  const origins = new Map<SettingKey, Origin>();
  for (const [key, setting] of ENTRIES) {
    const given = written.get(key);
    const text = given?.text ?? setting.default;
    origins.set(key, given?.origin ?? 'default');
    if (text === null) {
      values.set(key, null);
      continue;
    }
    const parsed = parseSetting(setting, text);
    if (parsed.ok) values.set(key, parsed.value);
    else problems.push(`${given?.origin ?? setting.env} must be ${parsed.expected}${shown(setting, text)}`);
  }
  const changedConstants = present(input.env, TUNING_ENV) ?? null;
  const tuning = readTuning(changedConstants, problems);
  if (problems.length > 0) throw new ConfigProblems(problems);
  for (const [key, value] of derive(values)) {
    if (values.get(key) !== null) continue;
    values.set(key, value);
    origins.set(key, 'derived');
  }
  // Each value was parsed by the parser of its type, and `derive` filled in required values.
  return {
    config: { ...tuning, ...Object.fromEntries(values) } as Config,
    origins: Object.fromEntries(origins) as Origins,
    withoutEffect,
    tuning: changedConstants,
  };
}

function shown(setting: Setting, text: string): string {
  return setting.secret || setting.kind === 'json' ? '' : `, not "${text}"`;
}

// Names of settings that became constants (record 81). A deployment that still sets one starts with a notice to remove it.
const NAMES = `
  ACME_RENEW_BEFORE AMBIGUOUS_RETRY_LIMIT ATTACHMENT_LIMIT BATCH_LIMIT BLOCKED_RETRIES BLOCKED_RETRY
  BODIES_IN_FLIGHT BODY_LIMIT BREAKER_PAUSES CAMPAIGN_BATCH CAMPAIGN_INTERVAL CLIP_LIMIT
  CONFIRMATION_LIFETIME CREDENTIAL_CACHE DANE_PROBE DEAD_DOMAIN_RECHECK DELAY_WARNING
  DESTINATION_IN_FLIGHT DKIM_OVERLAP DKIM_REVOKED_KEEP DNS_CHECKS_PER_MINUTE DNS_CONNECTIONS DNS_IDLE
  DNS_PARALLEL DNS_RATE DNS_TOTAL_RATE DNS_TRIES EVENT_STREAMS EVENT_STREAM_HEARTBEAT EXPIRY_GRACE
  GREYLIST_RETRY GROUP_COMMIT_MAX_PLANS HOLD HTTP_CONNECTIONS IDLE_CONNECTION IMPORT_BODY_LIMIT
  IMPORT_SIZE_LIMIT INBOUND_BYTES_PER_HOUR INBOUND_DATA_LIMIT
  INBOUND_IDLE_TIMEOUT INBOUND_MAX_RECEIVED INBOUND_MEMORY INBOUND_RECIPIENTS INBOUND_SESSION_LIMIT
  INBOUND_WRONG_RECIPIENTS INVITATION_LIFETIME KEY_OVERLAP LINK_CHECKS LINK_CHECK_TIMEOUT
  MESSAGES_PER_CONNECTION MESSAGE_BODY_LIMIT MTA_IN_FLIGHT MTA_STS_FETCH_TIMEOUT MTA_STS_MAX_AGE
  MTA_STS_WAIT PARSE_TIME_LIMIT PASSWORD_RESET_LIFETIME PREFLIGHT_TIME_LIMIT QUEUE_CLAIM_BATCH
  QUEUE_LEASE QUEUE_POLL_INTERVAL READY_WAIT RECIPIENT_LIMIT
  RELAY_DSN_RATE RELAY_RECIPIENTS RENDER_TIME_LIMIT REPUTATION_CLEAR
  REPUTATION_WINDOW ROLLUP_INTERVAL SEQUENCE_BATCH SEQUENCE_INTERVAL SEQUENCE_MAX_STEPS
  SIGN_IN_REFUSAL SMTP_BLOCK_TIMEOUT SMTP_COMMAND_TIMEOUT SMTP_DATA_TIMEOUT SMTP_EHLO_TIMEOUT
  SMTP_GREETING_TIMEOUT SMTP_STARTTLS_TIMEOUT SOURCE_PAUSES TLS_RELOAD TRACKING_EVENTS_PER_MESSAGE
  WEBHOOK_PARALLELISM WEBHOOK_SECRET_OVERLAP
`;

/** Names without the prefix `MAILKEEL_`. */
const FORMER: ReadonlySet<string> = new Set(NAMES.trim().split(/\s+/));

/** Whether this variable, or name in the configuration file, is a former setting. */
function isFormerSetting(name: string): boolean {
  return FORMER.has(name.replace(/^MAILKEEL_/, '').toUpperCase());
}
