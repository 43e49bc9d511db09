// Messages between the main thread and the telemetry thread.
import type { MeterBatch } from './meters.js';

export interface TelemetrySettings {
  /** Null: no port for metrics. */
  metrics: { host: string; port: number } | null;
  /** Null: no delivery log. `-` is standard output. */
  deliveryLog: { path: string; maxBytes: number; files: number } | null;
  /** Null: no spans leave. */
  otlp: { url: string; headers: Readonly<Record<string, string>> } | null;
  /** The database file and its folder: their sizes are measured by the thread. */
  /** Null where a server keeps the rows. */
  databaseFile: string | null;
  dataFolder: string;
  version: string;
  /** Identifies this process among those that send spans. */
  instanceId: string;
  /** One number: milliseconds of the monotonic clock at the main thread's last heartbeat. */
  heartbeat: SharedArrayBuffer;
}

export type ToTelemetry =
  | {
      kind: 'batch';
      meters: MeterBatch;
      /** Lines of the delivery log, without line ends. */
      lines: readonly string[];
      /** Spans of OTLP, as JSON texts. */
      spans: readonly string[];
      /** The request for metrics that this answers; null for one that comes by itself. */
      pull: number | null;
    }
  /** Write what there is and end. */
  | { kind: 'end' };

export type FromTelemetry =
  /** `port` null: it serves no metrics, or cannot (`problem`). */
  | { kind: 'ready'; port: number | null; problem: string | null }
  /** Somebody asks for metrics: answer with a batch. */
  | { kind: 'pull'; id: number }
  /** Lines and spans of a batch were worked off: another may come. */
  | { kind: 'done' }
  /** Written to the program's log. */
  | { kind: 'problem'; message: string; reason: string }
  /** `isWritten` false: it had lines that could not be written. */
  | { kind: 'ended'; isWritten: boolean };
