// Every setting of the program with its environment variable, type, default and description. Defaults use the user's notation
// and the same parser.
import type { JsonObject, Setting } from '../lib/config/index.js';
import { INBOUND_SETTINGS, RELAY_SETTINGS } from './inbound-settings.js';
import {
  DELIVERY_SETTINGS,
  DNS_SETTINGS,
  PREFLIGHT_SETTINGS,
  TLS_POLICY_SETTINGS,
} from './outbound-settings.js';
import {
  AUDIENCE_SETTINGS,
  DOMAIN_SETTINGS,
  REPUTATION_SETTINGS,
  WEBHOOK_SETTINGS,
  ZONE_SETTINGS,
} from './product-settings.js';
import {
  API_SETTINGS,
  BACKUP_SETTINGS,
  PEOPLE_SETTINGS,
  REPLICA_SETTINGS,
  RETENTION_SETTINGS,
  SERVER_SETTINGS,
  TLS_SETTINGS,
} from './server-settings.js';
import { TELEMETRY_SETTINGS } from './telemetry-settings.js';
import type { Tuning } from './tuning.js';

/** The settings by topic, in the order of docs/config.md. */
export const THEMES = {
  Server: SERVER_SETTINGS,
  API: API_SETTINGS,
  'HTTPS and certificates': TLS_SETTINGS,
  Delivery: DELIVERY_SETTINGS,
  'TLS policies and reports': TLS_POLICY_SETTINGS,
  'DNS lookups': DNS_SETTINGS,
  'Host checks': PREFLIGHT_SETTINGS,
  'Inbound mail': INBOUND_SETTINGS,
  'SMTP relay': RELAY_SETTINGS,
  'Sending domains and DKIM keys': DOMAIN_SETTINGS,
  'Delegated DNS zone': ZONE_SETTINGS,
  'Sub-tenant reputation': REPUTATION_SETTINGS,
  Webhooks: WEBHOOK_SETTINGS,
  'Sign-up, sequences and tracking': AUDIENCE_SETTINGS,
  'Workspaces and people': PEOPLE_SETTINGS,
  Retention: RETENTION_SETTINGS,
  'Metrics, logs and traces': TELEMETRY_SETTINGS,
  Backups: BACKUP_SETTINGS,
  Replica: REPLICA_SETTINGS,
} as const;

export const SETTINGS = {
  ...SERVER_SETTINGS,
  ...API_SETTINGS,
  ...TLS_SETTINGS,
  ...DELIVERY_SETTINGS,
  ...TLS_POLICY_SETTINGS,
  ...DNS_SETTINGS,
  ...PREFLIGHT_SETTINGS,
  ...INBOUND_SETTINGS,
  ...RELAY_SETTINGS,
  ...DOMAIN_SETTINGS,
  ...ZONE_SETTINGS,
  ...REPUTATION_SETTINGS,
  ...WEBHOOK_SETTINGS,
  ...AUDIENCE_SETTINGS,
  ...PEOPLE_SETTINGS,
  ...RETENTION_SETTINGS,
  ...TELEMETRY_SETTINGS,
  ...BACKUP_SETTINGS,
  ...REPLICA_SETTINGS,
} as const;

export type SettingKey = keyof typeof SETTINGS;
/** Variable that names the optional JSON file of settings. */
export const CONFIG_FILE_ENV = 'MAILKEEL_CONFIG';

type Raw<S extends Setting> = S['kind'] extends 'int' | 'duration' | 'bytes' | 'rate' | 'share'
  ? number
  : S['kind'] extends 'bool'
    ? boolean
    : S['kind'] extends 'durations' | 'schedule'
      ? readonly number[]
      : S['kind'] extends 'servers' | 'ranges' | 'names'
        ? readonly string[]
        : S['kind'] extends 'json'
          ? JsonObject
          : S extends { values: readonly (infer V)[] }
            ? V
            : string;
type Nullable<S extends Setting> = S extends { derived: string }
  ? never
  : S['default'] extends null
    ? null
    : never;

/** The settings and constants as typed values: times in milliseconds, sizes in bytes, rates per minute. */
export type Config = Tuning & {
  readonly [K in SettingKey]: Raw<(typeof SETTINGS)[K]> | Nullable<(typeof SETTINGS)[K]>;
};

/** Returns a setting's key in the JSON file: the variable's name without the prefix, in lower case. */
export function settingFileKey(setting: Setting): string {
  return setting.env.slice('MAILKEEL_'.length).toLowerCase();
}
