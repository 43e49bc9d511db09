// Messages between the main thread and the thread that answers while the server stands by.

export interface StandbySettings {
  host: string;
  port: number;
  logLevel: string;
  reason: string;
}

export type ToStandby =
  | { kind: 'reason'; reason: string }
  /** Listens over TLS, too. PEM. */
  | { kind: 'secure'; port: number; key: string; cert: string };

/** The thread listens, or cannot: `problem` is the system's error. */
export interface FromStandby {
  kind: 'listening';
  problem: string | null;
}
