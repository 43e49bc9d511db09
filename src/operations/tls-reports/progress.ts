// How far a report has come, as its row's `detail` keeps it: what was sent is never sent again, restarts included.
import type { TlsReportDestination } from '../../lib/tls/tls-report.rules.js';

export interface DestinationProgress {
  destination: TlsReportDestination;
  /** `skipped`: there is no way to send there from here. */
  state: 'waiting' | 'sent' | 'failed' | 'skipped';
  /** Epoch ms of the last try; null before it. */
  at: number | null;
  /** What went wrong then. */
  error: string;
}

export interface ReportProgress {
  /** Epoch ms of the first attempt. */
  firstAt: number | null;
  destinations: DestinationProgress[];
  /** Why there is nothing to send, or why nothing could be found out. */
  reason: string;
}

export function readProgress(detail: string): ReportProgress {
  if (detail === '') return { firstAt: null, destinations: [], reason: '' };
  return JSON.parse(detail) as ReportProgress; // our own column
}

export function writeProgress(progress: ReportProgress): string {
  return JSON.stringify(progress);
}
