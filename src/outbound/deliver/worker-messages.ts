// The messages between the main thread and its delivery threads.
import type { Outcome } from '../outcome/attempt.rules.js';
import type { PathPlan, PathSignal, PlannedRoute, SessionLimits } from './delivery-plan.rules.js';
import type { TlsResult } from '../outcome/tls-results.store.js';

/** A message, and how it is to leave. */
export interface WorkerClaim {
  messageId: number;
  queueId: number;
  /** When the message was due: its place in its queue. */
  dueAt: number;
  /** True when the trail does not say `sending` yet. */
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
  /** Limits of a path's sessions from now on. */
  | { kind: 'limits'; pathId: number; limits: SessionLimits }
  /** Nothing will come for the path any more. */
  | { kind: 'forget'; pathId: number }
  /** Returns the messages that wait for the path to the queue. */
  | { kind: 'recall'; pathId: number }
  /** Answer to `asked`: what follows from the report is in place, and the paths may go on. */
  | { kind: 'resume'; pathIds: number[] }
  /** Answer to intents: these may write the dot, the others must not. */
  | { kind: 'intended'; allowed: number[]; denied: number[] }
  /** Take nothing more; let sessions past DATA end. */
  | { kind: 'drain' };

/** An opened session, for the record of the attempts that it carries. */
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
  /** Paths that stand still until what is reported here was observed; once for each question. */
  asked: number[];
  sessions: OpenedSession[];
  tlsResults: TlsResult[];
  /** Stacks of faults that were contained to one message or session, for the log. */
  faults: string[];
}

/** From a delivery worker; reports are sent in batches, several times a millisecond at most. */
export type FromWorker = WorkerReport | { kind: 'drained' };
