// How long each phase of a conversation took.
import { performance } from 'node:perf_hooks';

/** Milliseconds by phase, to a tenth; a phase that was not reached is missing, one that came twice is added up. */
export type PhaseTimes = Readonly<Record<string, number>>;

export interface Stopwatch {
  readonly times: PhaseTimes;
  /** Puts the time since the last call (or the start) down to a phase. */
  lap: (phase: string) => void;
}

export function startStopwatch(): Stopwatch {
  const times: Record<string, number> = {};
  let since = performance.now();
  return {
    times,
    lap(phase) {
      const now = performance.now();
      times[phase] = Math.round(((times[phase] ?? 0) + now - since) * 10) / 10;
      since = now;
    },
  };
}
