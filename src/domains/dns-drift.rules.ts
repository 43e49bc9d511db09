// Rules for a signing key that is missing in DNS: a grace period, the suspension of the sub-tenant's mail, and its end.

/** `unknown`: nobody could say, which is never held against anybody. */
export type KeyRecordState = 'right' | 'missing' | 'wrong' | 'unknown';

export interface DriftFacts {
  status: 'pending_verification' | 'verified' | 'failed' | 'suspended';
  /** Epoch ms of the look-up that first showed it; null: it does not drift. */
  driftingSince: number | null;
  /** State of the record of the signing key in a look-up of now. */
  recordState: KeyRecordState;
  now: number;
  /** Time (ms) that mail continues. */
  graceMs: number;
}

export type DriftMove =
  | { kind: 'drift'; graceEndsAt: number }
  | { kind: 'suspend'; driftingSince: number }
  | { kind: 'recover'; from: 'drifting' | 'suspended'; driftingSince: number | null };

/**
 * The move that is due; null: none. Only an answer moves anything: the grace runs from the first one that shows the
 * record gone, and it takes another one after its end to suspend.
 */
export function driftMove({
  status,
  driftingSince,
  recordState,
  now,
  graceMs,
}: DriftFacts): DriftMove | null {
  if (recordState === 'unknown') return null;
  switch (status) {
    case 'pending_verification':
    case 'failed':
      return null;
    case 'suspended':
      return recordState === 'right' ? { kind: 'recover', from: 'suspended', driftingSince } : null;
    case 'verified':
      if (recordState === 'right') {
        return driftingSince === null ? null : { kind: 'recover', from: 'drifting', driftingSince };
      }
      if (driftingSince === null) return { kind: 'drift', graceEndsAt: now + graceMs };
      return now - driftingSince >= graceMs ? { kind: 'suspend', driftingSince } : null;
  }
}
