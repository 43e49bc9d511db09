// Decides what happens when a signing key is missing in DNS: a grace period, suspension of the sub-tenant's mail, and resumption.

/** `unknown` if the look-up failed, which has no consequences. */
export type KeyRecordState = 'right' | 'missing' | 'wrong' | 'unknown';

export interface DriftFacts {
  status: 'pending_verification' | 'verified' | 'failed' | 'suspended';
  /** Epoch ms of the first look-up without the record. `null` if there is no drift. */
  driftingSince: number | null;
  /** State of the signing key's record in the current look-up. */
  recordState: KeyRecordState;
  now: number;
  /** Time (ms) for which mail continues. */
  graceMs: number;
}

export type DriftMove =
  | { kind: 'drift'; graceEndsAt: number }
  | { kind: 'suspend'; driftingSince: number }
  | { kind: 'recover'; from: 'drifting' | 'suspended'; driftingSince: number | null };

/**
 * Returns the due move, or `null`. Only successful look-ups cause moves. The grace period begins with the first one that shows
 * the record missing, and a suspension requires another one after its end.
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
