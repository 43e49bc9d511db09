// Keeps the clock of this process in step with the database's, and warns the operator if the machine's own clock is wrong.
import { correctClock, type Log } from '../lib/runtime/index.js';
import { CLOCK_WARN_MS, nextCorrection } from './clock-offset.rules.js';

export class DatabaseClock {
  readonly #log: Log;
  #appliedMs = 0;
  #isOff = false;

  constructor(log: Log) {
    this.#log = log;
  }

  /** The machine's clock is this much (ms) ahead of the database's. */
  observe(offsetMs: number): void {
    const next = nextCorrection(this.#appliedMs, offsetMs);
    if (next !== this.#appliedMs) correctClock((this.#appliedMs = next));
    const isOff = Math.abs(offsetMs) >= CLOCK_WARN_MS;
    if (isOff === this.#isOff) return;
    this.#isOff = isOff;
    const facts = { offset_ms: Math.round(offsetMs) };
    if (isOff) this.#log.warn(facts, 'clock of this machine differs from the database clock: check NTP');
    else this.#log.info(facts, 'clock of this machine matches the database clock again');
  }
}
