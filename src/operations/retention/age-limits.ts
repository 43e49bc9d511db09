// Deletes rows by age: one entry for each kind of row, and the sweep that goes through them in small commits.
import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '../../settings/settings.js';
import { readAs } from '../../database/engine/reading.js';
import type { OperationContext } from '../context.js';
import type { OperationStores } from '../stores.js';
import { retentionPeriods, type RetentionSettings } from './retention-periods.rules.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Pause (ms) between commits, so that others can write. */
const PAUSE_MS = 10;
const READING = { owner: 'retention', budgetMs: null };

/** A code that is used again in this time ends the grant. */
const USED_CODE_KEEP_MS = DAY_MS;
const INVITATION_KEEP_MS = 90 * DAY_MS;
/** Time (ms) that an ended share link is still listed. */
const SHARE_LINK_KEEP_MS = 30 * DAY_MS;
/** Time (ms) that an ended incident and its notices are still listed. */
const ALERT_KEEP_MS = 90 * DAY_MS;
/** Time (ms) that an open draft is stored after its last change. */
const DRAFT_KEEP_MS = 90 * DAY_MS;
/** Larger unrecognized inbound mail is deleted after a day or two. */
const LARGE_BYTES = 256 * 1024;
const UNRECOGNIZED_KEEP_MS = 3 * DAY_MS;
/** A transfer's file is written before its row. */
const ORPHAN_MS = HOUR_MS;

/** Deletes one batch of up to `limit` rows from before a time (epoch ms). */
type Step = (before: number, limit: number) => Promise<{ forgotten: number; hasMore: boolean }>;

export interface AgeLimit {
  /** The name of its job. Entries with the same name run one after the other. */
  job: string;
  /** `retention` entries run together with the messages, because they write much. */
  at: 'minute' | 'hour' | 'retention';
  keepMs: number;
  /** Rows per commit. */
  batch: number;
  /** Maximum number of batches per run. The next run continues. */
  mostBatches: number;
  /** Starts a run at a time (epoch ms). */
  begin: (now: number) => Step;
}

export type AgeSettings = RetentionSettings & Pick<Config, 'sessionIdleMs'>;

type AgeLimitContext = Pick<OperationContext, 'store' | 'transfers' | 'accountImports' | 'incidents'> & {
  config: AgeSettings;
};

/** `limiterKeepMs` is the time that an unused limiter is stored. */
export function ageLimits(context: AgeLimitContext, limiterKeepMs: number): AgeLimit[] {
  const kept = retentionPeriods(context.config);
  return [
    ...accountLimits(context, kept),
    ...sessionLimits(context),
    ...webhookLimits(context, kept),
    ...inboundLimits(context, kept),
    ...transferLimits(context, kept),
    ...deliveryLimits(context, kept, limiterKeepMs),
  ];
}

type RetentionPeriods = ReturnType<typeof retentionPeriods>;

const ACCOUNT_BATCHES = { batch: 500, mostBatches: 200 };

function accountLimits({ store, incidents }: AgeLimitContext, kept: RetentionPeriods): AgeLimit[] {
  const { audit, idempotency, requestLog, keyUsage, shareLinks } = store;
  const hourly = { at: 'hour', ...ACCOUNT_BATCHES } as const;
  return [
    // A single workspace may leave more requests in an hour than one run deletes.
    {
      job: 'old answers',
      at: 'minute',
      keepMs: idempotency.lifetimeMs,
      ...ACCOUNT_BATCHES,
      begin: rows(idempotency.prune),
    },
    { ...hourly, job: 'old audit entries', keepMs: kept.audit.keepMs, begin: rows(audit.prune) },
    { ...hourly, job: 'old requests', keepMs: kept.requests.keepMs, begin: rows(requestLog.prune) },
    { ...hourly, job: 'old uses of keys', keepMs: kept.keyDays.keepMs, begin: rows(keyUsage.prune) },
    { ...hourly, job: 'old share links', keepMs: SHARE_LINK_KEEP_MS, begin: rows(shareLinks.prune) },
    { ...hourly, job: 'old alerts', keepMs: ALERT_KEEP_MS, begin: rows(incidents.prune) },
  ];
}

function sessionLimits({ store, config }: AgeLimitContext): AgeLimit[] {
  const { forgetEnded } = store.people;
  const { forgetEnded: forgetOauth } = store.oauth;
  const ended = { job: 'ended sessions', at: 'hour', ...ACCOUNT_BATCHES } as const;
  return [
    { ...ended, keepMs: 0, begin: rows(forgetEnded.sessions) },
    { ...ended, keepMs: config.sessionIdleMs, begin: rows(forgetEnded.idleSessions) },
    { ...ended, keepMs: 0, begin: rows(forgetEnded.passwordResets) },
    { ...ended, keepMs: 0, begin: rows(forgetEnded.deviceSignIns) },
    { ...ended, keepMs: 0, begin: rows(forgetEnded.knownPlaces) },
    { ...ended, keepMs: 0, begin: rows(forgetOauth.clients) },
    { ...ended, keepMs: USED_CODE_KEEP_MS, begin: rows(forgetOauth.codes) },
    { ...ended, keepMs: 0, begin: rows(forgetOauth.tokens) },
    { ...ended, keepMs: 0, begin: rows(forgetEnded.unsolicitedMail) },
    { ...ended, keepMs: INVITATION_KEEP_MS, begin: rows(forgetEnded.invitations) },
  ];
}

/** Old deliveries, and old secrets whose overlap has ended. */
function webhookLimits({ store: { webhooks } }: AgeLimitContext, kept: RetentionPeriods): AgeLimit[] {
  const delivered = { job: 'old webhook deliveries', at: 'minute', keepMs: kept.webhooks.keepMs } as const;
  return [
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
  ];
}

function inboundLimits({ store }: AgeLimitContext, kept: RetentionPeriods): AgeLimit[] {
  const { inbound, reports, reportSums } = store;
  const received = { job: 'old inbound mail', at: 'hour', batch: 200, mostBatches: 500 } as const;
  const reported = { job: 'old DMARC and TLS reports', at: 'hour', batch: 200, mostBatches: 500 } as const;
  return [
    { ...received, keepMs: kept.inbound.keepMs, begin: rows(inbound.purge) },
    {
      ...received,
      keepMs: Math.min(kept.inbound.keepMs, UNRECOGNIZED_KEEP_MS),
      begin: rows((before, limit) => inbound.purgeUnrecognized(before, LARGE_BYTES, limit)),
    },
    { ...reported, keepMs: kept.reports.keepMs, begin: rows(reports.prune) },
    { ...reported, keepMs: kept.reportSums.keepMs, begin: rows(reportSums.pruneDmarc) },
    { ...reported, keepMs: kept.reportSums.keepMs, begin: rows(reportSums.pruneTls) },
  ];
}

function transferLimits({ transfers, accountImports }: AgeLimitContext, kept: RetentionPeriods): AgeLimit[] {
  const transferred = { job: 'old imports and exports', at: 'hour', batch: 100 } as const;
  return [
    {
      ...transferred,
      keepMs: kept.transfers.keepMs,
      mostBatches: 100,
      begin: rows((before, limit) => transfers.forgetFinished(before, limit)),
    },
    {
      ...transferred,
      keepMs: kept.transfers.keepMs,
      mostBatches: 100,
      begin: rows((before, limit) => accountImports.forgetFinished(before, limit)),
    },
    {
      ...transferred,
      keepMs: ORPHAN_MS,
      mostBatches: 1,
      begin: () => once((before) => transfers.removeOrphans(before)),
    },
  ];
}

function deliveryLimits(
  { store: { oldRecords } }: AgeLimitContext,
  kept: RetentionPeriods,
  limiterKeepMs: number,
): AgeLimit[] {
  const attempts = {
    job: 'old records',
    at: 'retention',
    keepMs: kept.attempts.keepMs,
    batch: 500,
    mostBatches: Infinity,
  } as const;
  return [
    { ...attempts, begin: rows(oldRecords.forgetAttempts) },
    { ...attempts, begin: rows(oldRecords.forgetSessions) },
    { ...attempts, begin: rows(oldRecords.forgetReports) },
    { ...attempts, keepMs: DRAFT_KEEP_MS, begin: rows(oldRecords.forgetDrafts) },
    {
      ...attempts,
      keepMs: limiterKeepMs,
      batch: 1_000,
      begin: walk('', (...of) => oldRecords.forgetTrafficStates(...of)),
    },
  ];
}

/** Makes a step of a function that returns how many rows it deleted. The last batch has fewer than `limit`. */
function rows(forget: (before: number, limit: number, now: number) => Promise<number>): AgeLimit['begin'] {
  return (now) => async (before, limit) => {
    const forgotten = await forget(before, limit, now);
    return { forgotten, hasMore: forgotten >= limit };
  };
}

/** Makes a step of a function that walks a table by key. `next` is `null` at the end. */
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

/** Makes a step that deletes everything in one batch. */
function once(forget: (before: number) => Promise<void>): Step {
  return async (before) => {
    await forget(before);
    return { forgotten: 0, hasMore: false };
  };
}

/** Applies the limits one after the other until `signal` aborts. Returns the number of deleted rows. */
export async function deleteByAge(
  limits: readonly AgeLimit[],
  { store, clock }: Pick<OperationContext, 'clock'> & { store: Pick<OperationStores, 'readings'> },
  signal?: AbortSignal,
): Promise<number> {
  let forgotten = 0;
  for (const { keepMs, batch, mostBatches, begin } of limits) {
    const now = clock();
    const step = begin(now);
    for (let batches = 0; batches < mostBatches && signal?.aborted !== true; batches++) {
      // Rows are found in a reader thread, because there may be millions that are not old yet.
      const done = await readAs(store.readings, READING, () => step(now - keepMs, batch));
      forgotten += done.forgotten;
      if (!done.hasMore) break;
      await pause(PAUSE_MS);
    }
  }
  return forgotten;
}
