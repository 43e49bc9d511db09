// Number of messages that a delivery thread composes and signs at once. Little's law: with as many as it finishes in the target
// time, a message that may go first is not behind more work than that, however slow the machine is.
export interface PrepareSlotSettings {
  start: number;
  /** So many keep the threads that sign busy. */
  min: number;
  max: number;
  /** Time (ms) from a slot to the signed message that the number aims at while all slots are in use. */
  targetMs: number;
}

export const PREPARE_SLOT_DEFAULTS: PrepareSlotSettings = { start: 16, min: 6, max: 64, targetMs: 25 };

/** Share of the way to the number that the last time asks for: one slow message alone says little. */
const WEIGHT = 0.05;

/** The number (a fraction) after a message took `tookMs` while `slots` were in use. */
export function nextSlots(slots: number, tookMs: number, settings: PrepareSlotSettings): number {
  const { min, max, targetMs } = settings;
  // From a half to the double: a stall of the thread, and a message from the cache, are bounded.
  const factor = Math.min(Math.max(targetMs / Math.max(tookMs, 1), 0.5), 2);
  return Math.min(Math.max(slots + WEIGHT * slots * (factor - 1), min), max);
}
