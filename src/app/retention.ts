// Wires retention: old messages, what is forgotten by its age, and the free pages of the file. Composition, nothing decided.
import type { Clock } from '../lib/runtime/clock.js';
import type { Config } from '../settings/settings.js';
import type { Log } from '../lib/runtime/log.js';
import type { Store } from '../store/store.js';
import type { Job } from './schedules.js';
import {
  ageLimits,
  forgetByAge,
  type AgeLimit,
  type AgeLimitDeps,
} from '../operations/retention/age-limits.js';
import { createDatabaseFile } from '../operations/retention/database-file.js';
import { createOldMessages } from '../operations/retention/old-messages.js';
import { STALE_MS } from '../outbound/shape/persisted-counters.js';

export interface RetentionDeps extends Pick<AgeLimitDeps, 'transfers'> {
  store: Store;
  config: Config;
  clock: Clock;
  log: Log;
}

export function retentionJobs(deps: RetentionDeps): Job[] {
  const { store, config, clock, transfers } = deps;
  const limits = ageLimits({ store, transfers, settings: config, limiterKeepMs: STALE_MS });
  const jobs = new Map<string, Job>();
  for (const { job: name, at } of limits) {
    if (at === 'retention') continue;
    const own = limits.filter(({ job }) => job === name);
    jobs.set(name, { name, at, run: () => forgetByAge(own, { clock }).then(() => undefined) });
  }
  return [...jobs.values(), fullRetention(deps, limits)];
}

/** One after the other, since all of them write much: messages, records about them, the file. */
function fullRetention({ store, config, clock, log }: RetentionDeps, limits: readonly AgeLimit[]): Job {
  const messages = createOldMessages({ store: store.retention, clock, settings: config });
  const records = limits.filter(({ at }) => at === 'retention');
  const file = createDatabaseFile({ upkeep: store.upkeep, clock });
  const stopping = new AbortController();
  return {
    name: 'retention',
    at: { pattern: '41 * * * *' },
    async run() {
      const { signal } = stopping;
      const forgotten = {
        messages: await messages.run(signal),
        records: await forgetByAge(records, { clock, signal }),
      };
      const bytes = await file.run(signal);
      if (forgotten.messages + forgotten.records + bytes > 0) {
        log.info({ ...forgotten, bytes_given_back: bytes }, 'retention');
      }
    },
    stop: () => stopping.abort(),
  };
}
