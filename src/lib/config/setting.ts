// The declaration of a setting.

export type Kind =
  | 'string'
  | 'hostname'
  | 'int'
  | 'bool'
  | 'duration'
  | 'durations'
  | 'schedule'
  | 'bytes'
  | 'rate'
  | 'share'
  | 'cron'
  | 'servers'
  | 'ranges'
  | 'names'
  | 'enum'
  | 'url'
  | 'json';

export interface Setting {
  env: `MAILKEEL_${string}`;
  kind: Kind;
  /** As written in the environment; null when there is none (the value is then null unless `derived`). */
  default: string | null;
  /** Words for the documentation on how the default is found when `default` is null. */
  derived?: string;
  secret?: true;
  values?: readonly string[];
  /** Of an int (0 when absent) or of a duration in milliseconds (1 when absent). */
  min?: number;
  max?: number;
  protocols?: readonly string[];
  meaning: string;
}

/** Shared parts of entries. */
export const port = { kind: 'int', min: 0, max: 65_535 } as const;
export const count = { kind: 'int', min: 1, max: 1_000_000 } as const;
export const time = { kind: 'duration' } as const;
export const timeOrNone = { kind: 'duration', min: 0 } as const;
