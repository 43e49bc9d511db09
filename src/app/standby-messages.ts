// Messages between the main thread and the standby thread.

export interface StandbySettings {
  host: string;
  port: number;
  logLevel: string;
  reason: string;
}

export type ToStandby =
  | { kind: 'reason'; reason: string }
  /** Makes the thread also listen over TLS, with a key and certificate in PEM. */
  | { kind: 'secure'; port: number; key: string; cert: string };

/** Reports that the thread listens, or cannot: `problem` is the system's error. */
export interface FromStandby {
  kind: 'listening';
  problem: string | null;
}
