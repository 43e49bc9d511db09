// Messages between the main thread and the thread that replicates the database.
import type { ReplicaStorageSettings } from './replica-storage.js';

export interface ShipperSettings {
  /** Database file. */
  file: string;
  /** This machine's folder for increments that the storage does not have yet. */
  folder: string;
  /** Files of the event archive, which the database names. */
  archiveFolder: string;
  keysFolder: string;
  masterKeyFile: string | null;
  /** Encrypts the key files in the storage; null leaves them out. */
  passphrase: string | null;
  storage: ReplicaStorageSettings;
  to: string;
  timing: ShipperTiming;
  logLevel: string;
}

export interface ShipperTiming {
  /** Time (ms) between increments that no request waits for. */
  intervalMs: number;
  /** Size of the write-ahead log in octets from which it is checkpointed. */
  logBytes: number;
  /** Maximum number of octets that wait on this machine; beyond it, a new generation begins. */
  waitingBytes: number;
  /** Age (ms) of a base copy from which it is replaced. */
  copyMs: number;
  /** Time (ms) for which any state can be restored. */
  keepMs: number;
}

/** State of the replica. Times in epoch ms. */
export interface ReplicaState {
  /** In the phases before `replicating`, nothing can be restored from this generation yet. */
  phase: 'starting' | 'copying' | 'replicating' | 'fenced';
  generation: number;
  /** Last increment in the storage, and when it was stored. */
  increment: number;
  storedAt: number | null;
  /** Time since which data waits that the storage does not have. */
  waitingSince: number | null;
  waitingBytes: number;
  /** Octets stored since the start. */
  storedBytes: number;
  /** Time since which the storage has not responded, and the reason. */
  away: { since: number; reason: string } | null;
  base: { at: number; bytes: number } | null;
}

/** With further facts that only the thread knows. */
export interface ReportedState extends ReplicaState {
  /** Whether the storage is a folder on the disk of the database. */
  isOnSameDisk: boolean;
}

export type ToShipper =
  /** Store everything that is committed, and answer `stored`. */
  | { kind: 'store'; token: number }
  /** No transaction runs until `turn_over`. */
  | { kind: 'turn_begun' }
  /** Store the rest and stop. */
  | { kind: 'stop' };

export type FromShipper =
  /** The log is held from here on. */
  | { kind: 'held' }
  | { kind: 'turn' }
  | { kind: 'turn_over' }
  | { kind: 'stored'; token: number }
  | { kind: 'state'; state: ReportedState }
  /** Another server writes the replica. */
  | { kind: 'fenced'; generation: number; isBehind: boolean }
  | { kind: 'stopped' };
