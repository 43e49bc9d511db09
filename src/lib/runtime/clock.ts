// Returns the time. No other file reads the machine's clock.
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads';

/** Milliseconds since the Unix epoch, UTC. */
export type Clock = () => number;

const SHARED = 'clock correction';
/** Time (ms) by which the machine's clock is ahead of the true time, in memory shared by all threads. */
const correction = openCorrection();

export const systemClock: Clock = () => Date.now() - (correction[0] ?? 0);

/** Returns the machine's own clock, uncorrected. */
export const machineClock: Clock = () => Date.now();

/** Corrects `systemClock` in all threads; the machine's clock is `aheadMs` ahead. */
export function correctClock(aheadMs: number): void {
  correction[0] = aheadMs;
}

/**
 * Returns milliseconds of the machine's monotonic clock, which all threads of a process share and date corrections don't
 * affect.
 */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

function openCorrection(): Float64Array {
  if (isMainThread) setEnvironmentData(SHARED, new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT));
  return new Float64Array(getEnvironmentData(SHARED) as SharedArrayBuffer);
}
