// Messages between the main thread and the telemetry thread.
import type { MeterBatch } from './meters.js';

export interface TelemetrySettings {
  /** `null` without a port for metrics. */
  metrics: { host: string; port: number } | null;
  /** `null` without a delivery log. `-` is standard output. */
  deliveryLog: { path: string; maxBytes: number; files: number } | null;
  /** `null` if no spans are sent. */
  otlp: { url: string; headers: Readonly<Record<string, string>> } | null;
  /** The thread measures its size. `null` if a database server keeps the rows. */
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
      /** The request for metrics that this batch answers, or `null`. */
      pull: number | null;
    }
  /** Asks the thread to write everything and end. */
  | { kind: 'end' };

export type FromTelemetry =
  /** `port` is `null` if it serves no metrics, or cannot (`problem`). */
  | { kind: 'ready'; port: number | null; problem: string | null }
  /** Asks for a batch, because metrics were requested. */
  | { kind: 'pull'; id: number }
  /** The lines and spans of a batch were processed, so another may be sent. */
  | { kind: 'done' }
  /** Written to the program's log. */
  | { kind: 'problem'; message: string; reason: string }
  /** `isWritten` is false if some lines could not be written. */
  | { kind: 'ended'; isWritten: boolean };
