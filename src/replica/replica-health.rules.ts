// Decides which problem a replica has.

/**
 * A commit that the storage has lacked for this long (ms) is a problem, and so is storage that has been unavailable for this long.
 */
const LATE_MS = 60_000;

/** Facts about the replica of this server. Times in epoch ms. */
export interface ReplicaFacts {
  /** Folder or bucket. */
  storage: string;
  /** The same failure would destroy both. */
  isOnSameDisk: boolean;
  /** Whether commits wait for the storage. */
  waits: boolean;
  phase: 'starting' | 'copying' | 'replicating' | 'fenced';
  generation: number;
  storedAt: number | null;
  waitingSince: number | null;
  waitingBytes: number;
  /** Octets stored since the start. */
  storedBytes: number;
  away: { since: number; reason: string } | null;
  base: { at: number; bytes: number } | null;
}

type ReplicaProblem =
  | { kind: 'away'; since: number; reason: string }
  | { kind: 'behind'; lagMs: number; waitingBytes: number }
  /** The first full copy is not complete, so nothing can be restored from the storage yet. */
  | { kind: 'incomplete' }
  | { kind: 'same_disk' };

/** Age (ms) of the oldest commit that the storage lacks; 0 if it lacks none. */
export function replicaLagMs({ waitingSince }: Pick<ReplicaFacts, 'waitingSince'>, now: number): number {
  return waitingSince === null ? 0 : Math.max(0, now - waitingSince);
}

/** Returns the worst problem, or `null` if there is none. */
export function replicaProblem(facts: ReplicaFacts, now: number): ReplicaProblem | null {
  const { phase, away, waitingBytes } = facts;
  if (away !== null && now - away.since >= LATE_MS) return { kind: 'away', ...away };
  const lagMs = replicaLagMs(facts, now);
  if (lagMs > LATE_MS) return { kind: 'behind', lagMs, waitingBytes };
  if (phase !== 'replicating') return { kind: 'incomplete' };
  return facts.isOnSameDisk ? { kind: 'same_disk' } : null;
}
