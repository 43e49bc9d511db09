// The sweep that forgets by age alone: the conversations of delivery attempts, reports about them, limiters.
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../lib/runtime/clock.js';
import type { OldRecordStore } from './old-records.store.js';

/** Each its own commit, so that others can write in between. */
const BATCH = 500;
const STATES = 1_000;
const PAUSE_MS = 10;

export interface OldRecordsDeps {
  store: OldRecordStore;
  clock: Clock;
  settings: {
    /** How long attempts, their sessions and the reports about them are kept. */
    attemptKeepMs: number;
    /** How long a limiter that is not used is remembered. */
    limiterKeepMs: number;
  };
}

export interface OldRecords {
  /** One beat: everything that is older, unless it is stopped. Answers how many rows were forgotten, limiters aside. */
  run(signal?: AbortSignal): Promise<number>;
}

export function createOldRecords({ store, clock, settings }: OldRecordsDeps): OldRecords {
  type Forget = (before: number, limit: number) => Promise<number>;

  async function all(forget: Forget, before: number, signal?: AbortSignal): Promise<number> {
    let forgotten = 0;
    while (!signal?.aborted) {
      const found = await forget(before, BATCH);
      forgotten += found;
      if (found < BATCH) break;
      await pause(PAUSE_MS);
    }
    return forgotten;
  }

  return {
    async run(signal) {
      const now = clock();
      const before = now - settings.attemptKeepMs;
      let forgotten = 0;
      for (const forget of [store.forgetAttempts, store.forgetSessions, store.forgetReports]) {
        forgotten += await all(forget, before, signal);
      }
      for (let after: string | null = ''; after !== null && !signal?.aborted;) {
        after = await store.forgetTrafficStates(now - settings.limiterKeepMs, { after, limit: STATES });
        await pause(PAUSE_MS);
      }
      return forgotten;
    },
  };
}
