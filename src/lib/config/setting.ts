// Declares settings.

type Kind =
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
  /** As written in the environment. Without a default, `null`, and the value is `null` unless `derived`. */
  default: string | null;
  /** Explains in the documentation how the default is derived if `default` is `null`. */
  derived?: string;
  secret?: true;
  values?: readonly string[];
  /** Minimum of an int (default 0), of a duration in milliseconds (default 1), or of the characters of a string (default 1). */
  min?: number;
  max?: number;
  protocols?: readonly string[];
  meaning: string;
}

/** Common parts of declarations. */
export const port = { kind: 'int', min: 0, max: 65_535 } as const;
export const count = { kind: 'int', min: 1, max: 1_000_000 } as const;
export const time = { kind: 'duration' } as const;
export const timeOrNone = { kind: 'duration', min: 0 } as const;
