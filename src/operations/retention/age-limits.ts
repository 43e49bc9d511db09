// Deletes rows by their age alone: one entry for each kind of row, and the sweep that goes through them in small commits.
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../lib/runtime/clock.js';
import type { Config } from '../../settings/settings.js';
import { readAs } from '../../database/engine/reading.js';
import type { OperationStores } from '../stores.js';
import { keptByAge, type KeepSettings } from './kept.rules.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Between two commits, so that others write in between. */
const PAUSE_MS = 10;
const READING = { owner: 'retention', budgetMs: null };

const INVITATION_KEEP_MS = 90 * DAY_MS;
/** Time (ms) that an ended share link is still listed. */
const SHARE_LINK_KEEP_MS = 30 * DAY_MS;
/** Time (ms) that an ended incident and its notices are still listed. */
const ALERT_KEEP_MS = 90 * DAY_MS;
/** Inbound mail that no rule recognized and is larger than a letter: a day or two to read it. */
const LARGE_BYTES = 256 * 1024;
const UNRECOGNIZED_KEEP_MS = 3 * DAY_MS;
/** A transfer's file is older than its row: it is written first. */
const ORPHAN_MS = HOUR_MS;

/** One batch: forgets up to `limit` of what is from before a time (epoch ms). */
type Step = (before: number, limit: number) => Promise<{ forgotten: number; hasMore: boolean }>;

export interface AgeLimit {
  /** The name of its job; entries of one name run one after the other. */
  job: string;
  /** `retention`: with the messages, since it writes much. */
  at: 'minute' | 'hour' | 'retention';
  keepMs: number;
  /** Rows of one commit. */
  batch: number;
  /** Of one run; the next run goes on. */
  mostBatches: number;
  /** Begins a run at that time (epoch ms). */
  begin: (now: number) => Step;
}

export type AgeSettings = KeepSettings & Pick<Config, 'sessionIdleMs'>;

export interface AgeLimitDeps {
  store: Pick<
    OperationStores,
    | 'audit'
    | 'idempotency'
    | 'requestLog'
    | 'keyUsage'
    | 'people'
    | 'shareLinks'
    | 'webhooks'
    | 'inbound'
    | 'oldRecords'
    | 'reports'
    | 'reportSums'
  >;
  /** Rows and files of imports and exports. */
  transfers: {
    forgetFinished(before: number, limit: number): Promise<number>;
    removeOrphans(before: number): Promise<void>;
  };
  /** Ended incidents and their notices. */
  incidents: { prune: (before: number, limit: number) => Promise<number> };
  settings: AgeSettings;
  /** Time (ms) that an unused limiter is stored. */
  limiterKeepMs: number;
}

export function ageLimits(deps: AgeLimitDeps): AgeLimit[] {
  const { store, transfers, incidents, settings, limiterKeepMs } = deps;
  const { audit, idempotency, requestLog, keyUsage, people, shareLinks, webhooks, inbound, oldRecords } =
    store;
  const { reports, reportSums } = store;
  const kept = keptByAge(settings);
  const account = { batch: 500, mostBatches: 200 };
  const ended = { job: 'ended sessions', at: 'hour', ...account } as const;
  const received = { job: 'old inbound mail', at: 'hour', batch: 200, mostBatches: 500 } as const;
  const reported = { job: 'old DMARC and TLS reports', at: 'hour', batch: 200, mostBatches: 500 } as const;
  const delivered = { job: 'old webhook deliveries', at: 'minute', keepMs: kept.webhooks.keepMs } as const;
  const transferred = { job: 'old imports and exports', at: 'hour', batch: 100 } as const;
  const attempts = {
    job: 'old records',
    at: 'retention',
    keepMs: kept.attempts.keepMs,
    batch: 500,
    mostBatches: Infinity,
  } as const;
  return [
    // Requests of one workspace alone may leave more in an hour than a run drops.
    {
      job: 'old answers',
      at: 'minute',
      keepMs: idempotency.lifetimeMs,
      ...account,
      begin: rows(idempotency.prune),
    },
    {
      job: 'old audit entries',
      at: 'hour',
      keepMs: kept.audit.keepMs,
      ...account,
      begin: rows(audit.prune),
    },
    {
      job: 'old requests',
      at: 'hour',
      keepMs: kept.requests.keepMs,
      ...account,
      begin: rows(requestLog.prune),
    },
    {
      job: 'old uses of keys',
      at: 'hour',
      keepMs: kept.keyDays.keepMs,
      ...account,
      begin: rows(keyUsage.prune),
    },
    {
      job: 'old share links',
      at: 'hour',
      keepMs: SHARE_LINK_KEEP_MS,
      ...account,
      begin: rows(shareLinks.prune),
    },
    { job: 'old alerts', at: 'hour', keepMs: ALERT_KEEP_MS, ...account, begin: rows(incidents.prune) },

    { ...ended, keepMs: 0, begin: rows(people.forgetEnded.sessions) },
    { ...ended, keepMs: settings.sessionIdleMs, begin: rows(people.forgetEnded.idleSessions) },
    { ...ended, keepMs: 0, begin: rows(people.forgetEnded.passwordResets) },
    { ...ended, keepMs: 0, begin: rows(people.forgetEnded.deviceSignIns) },
    { ...ended, keepMs: 0, begin: rows(people.forgetEnded.knownPlaces) },
    { ...ended, keepMs: 0, begin: rows(people.forgetEnded.unsolicitedMail) },
    { ...ended, keepMs: INVITATION_KEEP_MS, begin: rows(people.forgetEnded.invitations) },

    // Also secrets whose overlap is over.
    {
      ...delivered,
      batch: 1,
      mostBatches: 1,
      begin: (now) => once((before) => webhooks.purgeEndpoints(now, before)),
    },
    {
      ...delivered,
      batch: 500,
      mostBatches: 500,
      begin: walk(0, (...of) => webhooks.purgeDeliveries(...of)),
    },

    { ...received, keepMs: kept.inbound.keepMs, begin: rows(inbound.purge) },
    {
      ...received,
      keepMs: Math.min(kept.inbound.keepMs, UNRECOGNIZED_KEEP_MS),
      begin: rows((before, limit) => inbound.purgeUnrecognized(before, LARGE_BYTES, limit)),
    },

    { ...reported, keepMs: kept.reports.keepMs, begin: rows(reports.prune) },
    { ...reported, keepMs: kept.reportSums.keepMs, begin: rows(reportSums.pruneDmarc) },
    { ...reported, keepMs: kept.reportSums.keepMs, begin: rows(reportSums.pruneTls) },

    {
      ...transferred,
      keepMs: kept.transfers.keepMs,
      mostBatches: 100,
      begin: rows((before, limit) => transfers.forgetFinished(before, limit)),
    },
    {
      ...transferred,
      keepMs: ORPHAN_MS,
      mostBatches: 1,
      begin: () => once((before) => transfers.removeOrphans(before)),
    },

    { ...attempts, begin: rows(oldRecords.forgetAttempts) },
    { ...attempts, begin: rows(oldRecords.forgetSessions) },
    { ...attempts, begin: rows(oldRecords.forgetReports) },
    {
      ...attempts,
      keepMs: limiterKeepMs,
      batch: 1_000,
      begin: walk('', (...of) => oldRecords.forgetTrafficStates(...of)),
    },
  ];
}

/** By a function that answers how many it forgot: fewer than `limit` are the last. */
function rows(forget: (before: number, limit: number) => Promise<number>): AgeLimit['begin'] {
  return () => async (before, limit) => {
    const forgotten = await forget(before, limit);
    return { forgotten, hasMore: forgotten >= limit };
  };
}

/** By a function that goes through a table from key to key; `next` is null at the end. */
function walk<Key>(
  first: Key,
  forget: (before: number, after: Key, limit: number) => Promise<{ deleted: number; next: Key | null }>,
): AgeLimit['begin'] {
  return () => {
    let after = first;
    return async (before, limit) => {
      const { deleted, next } = await forget(before, after, limit);
      if (next !== null) after = next;
      return { forgotten: deleted, hasMore: next !== null };
    };
  };
}

/** All at once. */
function once(forget: (before: number) => Promise<void>): Step {
  return async (before) => {
    await forget(before);
    return { forgotten: 0, hasMore: false };
  };
}

/** Forgets what is over the limits, one after the other, unless it is stopped. Answers how many rows were counted. */
export async function forgetByAge(
  limits: readonly AgeLimit[],
  { readings, clock, signal }: { readings: OperationStores['readings']; clock: Clock; signal?: AbortSignal },
): Promise<number> {
  let forgotten = 0;
  for (const { keepMs, batch, mostBatches, begin } of limits) {
    const now = clock();
    const step = begin(now);
    for (let batches = 0; batches < mostBatches && signal?.aborted !== true; batches++) {
      // Rows are looked for in a reader thread: there may be millions that are not old yet.
      const done = await readAs(readings, READING, () => step(now - keepMs, batch));
      forgotten += done.forgotten;
      if (!done.hasMore) break;
      await pause(PAUSE_MS);
    }
  }
  return forgotten;
}
