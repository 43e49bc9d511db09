// Messages between the main thread and its delivery threads.
import type { Outcome } from '../outcome/attempt.rules.js';
import type { PathPlan, PathSignal, PlannedRoute, SessionLimits } from './delivery-plan.rules.js';
import type { TlsResult } from '../outcome/tls-results.store.js';

/** A claimed message with its path and route. */
export interface WorkerClaim {
  messageId: number;
  queueId: number;
  /** Epoch ms at which the message was due, which is its position in the queue. */
  dueAt: number;
  /** Whether the trail has no `sending` entry yet. */
  isFirst: boolean;
  rank: number;
  requireTls: boolean;
  pathId: number;
  /** Index in the batch's `routes`. */
  route: number;
}

export interface DeliverBatch {
  kind: 'deliver';
  claims: WorkerClaim[];
  routes: PlannedRoute[];
  /** Paths that the thread has not seen yet. */
  paths: PathPlan[];
}

/** From the main thread to a delivery worker. */
export type ToWorker =
  | DeliverBatch
  /** Changes the limits of a path's sessions. */
  | { kind: 'limits'; pathId: number; limits: SessionLimits }
  /** Removes a path that no more messages will use. */
  | { kind: 'forget'; pathId: number }
  /** Returns the messages that wait for the path to their queues. */
  | { kind: 'recall'; pathId: number }
  /** Answers `asked`. The new limits apply, and the paths resume. */
  | { kind: 'resume'; pathIds: number[] }
  /** Answers intents. Only the allowed messages may be sent. */
  | { kind: 'intended'; allowed: number[]; denied: number[] }
  /** Stops the worker after the sessions that are past DATA. */
  | { kind: 'drain' };

/** An open session, for the record of its attempts. */
export interface OpenedSession {
  id: string;
  at: number;
  host: string;
  address: string;
  source: string;
  opening: readonly string[];
}

export interface WorkerReport {
  kind: 'report';
  started: { messageId: number; at: number }[];
  intents: { messageId: number; at: number }[];
  outcomes: Outcome[];
  signals: PathSignal[];
  /** Paths that are held until this report has been observed, once for each hold. */
  asked: number[];
  sessions: OpenedSession[];
  tlsResults: TlsResult[];
  /** Stacks of internal errors that affected one message or session, for the log. */
  faults: string[];
}

/** From a delivery worker to the main thread. */
export type FromWorker = WorkerReport | { kind: 'drained' };
