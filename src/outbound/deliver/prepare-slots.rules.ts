// Number of messages that a delivery thread composes and signs at once. By Little's law, with as many as it finishes in the
// target time, an urgent message waits no longer than that time, however slow the machine is.
export interface PrepareSlotSettings {
  start: number;
  /** Enough messages to keep the signing threads busy. */
  min: number;
  max: number;
  /** Target time (ms) from getting a slot to the signed message, while all slots are in use. */
  targetMs: number;
}

export const PREPARE_SLOT_DEFAULTS: PrepareSlotSettings = { start: 16, min: 6, max: 64, targetMs: 25 };

/** Weight of the last measurement, so that a single slow message has little effect. */
const WEIGHT = 0.05;

/** Computes the number of slots, as a fraction, after a message took `tookMs` while all `slots` were in use. */
export function nextSlots(slots: number, tookMs: number, settings: PrepareSlotSettings): number {
  const { min, max, targetMs } = settings;
  // Limits the effect of a stalled thread and of a cached message.
  const factor = Math.min(Math.max(targetMs / Math.max(tookMs, 1), 0.5), 2);
  return Math.min(Math.max(slots + WEIGHT * slots * (factor - 1), min), max);
}
