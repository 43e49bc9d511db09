// Rules for a sub-tenant's reputation state by the reactions of its recipients: warned, throttled, within limits again; and
// whether it is paused.
import type { ReputationSums } from '../tenants/reputation-rates.rules.js';

export type ReputationState = 'ok' | 'warned' | 'throttled';

/** Rates are shares: 0.001 is 0.1 %. */
export interface ReputationLevels {
  /** With fewer delivered messages, the rates are not meaningful. */
  minDelivered: number;
  /** Complaints of delivered messages from which it is warned, and throttled. */
  warn: number;
  throttle: number;
  /** A level ends when the rate is below this share of it. */
  recoveryRatio: number;
  /** Rates of complaints per delivered and bounces per sent message at which a sub-tenant is paused. `null` for never. */
  pauseComplaint: number | null;
  pauseBounce: number | null;
}

export type PauseRate = 'complaint_rate' | 'bounce_rate';

/** Shares of decimal levels are not exact in binary: what lies so near to a level has reached it. */
const NEAR = 1e-6;

/** Returns the state that follows the previous one. */
export function reputationState(
  before: ReputationState,
  { delivered, complained }: ReputationSums,
  levels: ReputationLevels,
): ReputationState {
  if (delivered < levels.minDelivered) {
    // Too few for a new level; but the level of before stays while a complaint of it counts.
    return complained > 0 ? before : 'ok';
  }
  const reaches = (level: number): boolean => complained > 0 && complained >= level * delivered - NEAR;
  if (reaches(levels.throttle)) return 'throttled';
  if (before === 'throttled' && reaches(levels.recoveryRatio * levels.throttle)) return 'throttled';
  if (reaches(levels.warn)) return 'warned';
  return before !== 'ok' && reaches(levels.recoveryRatio * levels.warn) ? 'warned' : 'ok';
}

/** Returns the rate because of which a sub-tenant that is not paused must be paused; null if there is none. */
export function pauseFor(
  { sent, delivered, bounced, complained }: ReputationSums,
  { minDelivered, pauseComplaint, pauseBounce }: ReputationLevels,
): PauseRate | null {
  if (pauseComplaint !== null && delivered >= minDelivered && complained > 0) {
    if (complained >= pauseComplaint * delivered - NEAR) return 'complaint_rate';
  }
  // If everything bounces, nothing is delivered, so the sample is the sent messages.
  if (pauseBounce !== null && sent >= minDelivered && bounced > 0) {
    if (bounced >= pauseBounce * sent - NEAR) return 'bounce_rate';
  }
  return null;
}

/** Returns the level that was exceeded in a state; `null` if none. */
export function exceededLevel(state: ReputationState, { warn, throttle }: ReputationLevels): number | null {
  if (state === 'throttled') return throttle;
  return state === 'warned' ? warn : null;
}
