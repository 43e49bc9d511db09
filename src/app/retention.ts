// Wires retention: old messages, old records, and the free pages that they leave. Composition, nothing decided.
import type { Clock } from '../lib/runtime/clock.js';
import type { Config } from '../settings/settings.js';
import type { Log } from '../lib/runtime/log.js';
import type { Store } from '../store/store.js';
import type { Job } from './schedules.js';
import { createDatabaseFile } from '../operations/retention/database-file.js';
import { createOldMessages } from '../operations/retention/old-messages.js';
import { createOldRecords } from '../operations/retention/old-records.js';
import { STALE_MS } from '../outbound/shape/persisted-counters.js';

export interface RetentionDeps {
  store: Store;
  config: Config;
  clock: Clock;
  log: Log;
}

/** One job after the other, since all of them write: messages, records, the file. */
export function retentionJob({ store, config, clock, log }: RetentionDeps): Job {
  const messages = createOldMessages({ store: store.retention, clock, settings: config });
  const records = createOldRecords({
    store: store.oldRecords,
    clock,
    settings: { attemptKeepMs: config.attemptKeepMs, limiterKeepMs: STALE_MS },
  });
  const file = createDatabaseFile({ upkeep: store.upkeep, clock });
  const stopping = new AbortController();
  return {
    name: 'retention',
    at: { pattern: '41 * * * *' },
    async run() {
      const { signal } = stopping;
      const forgotten = { messages: await messages.run(signal), records: await records.run(signal) };
      const bytes = await file.run(signal);
      if (forgotten.messages + forgotten.records + bytes > 0) {
        log.info({ ...forgotten, bytes_given_back: bytes }, 'retention');
      }
    },
    stop: () => stopping.abort(),
  };
}
