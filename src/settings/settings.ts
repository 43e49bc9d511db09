// Every setting of the program: its name in the environment, kind, default and meaning. Defaults are written
// as a user would write them and go through the same parser.
import { AUDIENCE_SETTINGS } from './audience-settings.js';
import { DELIVERY_SETTINGS } from './delivery-settings.js';
import { MAIL_IN_SETTINGS } from './inbound-settings.js';
import type { JsonObject } from '../lib/config/parse.js';
import { PEER_SETTINGS } from './peer-settings.js';
import { SERVER_SETTINGS } from './server-settings.js';
import type { Setting } from '../lib/config/setting.js';
import { TENANCY_SETTINGS } from './tenancy-settings.js';

export const SETTINGS = {
  ...SERVER_SETTINGS,
  ...DELIVERY_SETTINGS,
  ...PEER_SETTINGS,
  ...MAIL_IN_SETTINGS,
  ...AUDIENCE_SETTINGS,
  ...TENANCY_SETTINGS,
} as const;

export type SettingKey = keyof typeof SETTINGS;
/** Names the optional JSON file of settings. */
export const CONFIG_FILE_ENV = 'POSTHORN_CONFIG';

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

/** The settings as typed values: times in milliseconds, sizes in bytes, rates per minute. */
export type Config = {
  readonly [K in SettingKey]: Raw<(typeof SETTINGS)[K]> | Nullable<(typeof SETTINGS)[K]>;
};

/** A setting's key in the JSON file: its environment name without the prefix, lower case. */
export function fileKeyOf(setting: Setting): string {
  return setting.env.slice('POSTHORN_'.length).toLowerCase();
}
