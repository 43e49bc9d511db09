// Gauges of the metrics, from the server's parts and, less often, from the database.
import { readAs } from '../../database/engine/reading.js';
import { backupDueAt } from '../../backups/backup-due.rules.js';
import { replicaLagMs, type ReplicaFacts } from '../../replica/replica-health.rules.js';
import type { Growth } from '../growth/growth.js';
import type { Meters } from './meters.js';
import type { StoredFigures } from './metrics.store.js';
import type { Config } from '../../settings/settings.js';
import type { OperationContext } from '../context.js';
import type { OperationStores } from '../stores.js';

const BUDGET_MS = 5_000;
/** Time that a scrape waits for a read in progress before it gets the previous values. */
const READ_WAIT_MS = 500;
/** The pause after a read is this many times as long as the read, … */
const PAUSE_PER_READ = 100;
/** … up to this time (ms). */
const MOST_PAUSE_MS = 60_000;

/** Live values of the server's parts. */
export interface LiveFigures {
  sessions(): { provider: string | null; source: string; open: number }[];
  overrides(): { kind: string; rule: string; source: string }[];
  /** Epoch ms. */
  certificateEndsAt(): number;
  /** Number of statements of the main thread so far. */
  statements(): number;
  /** Number of connections to a database server so far that were not available in time. */
  missedConnections(): number;
  isDamaged(): boolean;
  /** `null` if a database server keeps the rows. */
  growth(): Promise<Growth | null>;
  /** `null` if the server is alone. */
  node(): NodeFigures | null;
  /** `null` without a replica. */
  replica(): ReplicaFacts | null;
  /** `null` before the first checks. */
  checks(): readonly { status: string }[] | null;
}

interface FiguresContext extends Pick<OperationContext, 'clock' | 'log'> {
  store: Pick<OperationStores, 'figures' | 'readings'>;
  /** `metricsReadMs` is the shortest time between two reads of the store. */
  config: Pick<Config, 'backupSchedule' | 'metricsReadMs'>;
}

/** `breakerRule` names the rule of limits that are circuit breakers. */
export function createFigures(
  { store, config, clock, log }: FiguresContext,
  live: LiveFigures,
  breakerRule: string,
): (meters: Meters) => Promise<void> {
  const readEveryMs = config.metricsReadMs;
  const startedAt = clock();
  let reading: Promise<void> | null = null;
  let nextReadAt = -Infinity;
  let statementsCounted = 0;
  let missedCounted = 0;

  async function read(meters: Meters): Promise<void> {
    const since = performance.now();
    let pauseMs = readEveryMs;
    try {
      const now = clock();
      const [figures, growth] = await readAs(
        store.readings,
        { owner: 'metrics', budgetMs: BUDGET_MS },
        async () => [await store.figures(now), await live.growth()] as const,
      );
      setStored(meters, figures, now);
      setForecast(meters, growth);
      setBackups(meters, figures, { schedule: config.backupSchedule, startedAt });
      // Not set after a failed read, whose duration says nothing about the cost of reads.
      pauseMs = Math.max(readEveryMs, Math.min(PAUSE_PER_READ * (performance.now() - since), MOST_PAUSE_MS));
    } catch (error) {
      // The previous values remain, and mailkeel_store_read_timestamp_seconds shows their age.
      log.warn({ err: error }, 'reading metrics from the database failed');
    } finally {
      nextReadAt = performance.now() + pauseMs;
    }
  }

  return async (meters) => {
    setLive(meters, live, breakerRule);
    const replica = live.replica();
    if (replica !== null) setReplica(meters, replica, clock());
    const statements = live.statements();
    meters.count('mailkeel_store_statements_total', [], statements - statementsCounted);
    statementsCounted = statements;
    const missed = live.missedConnections();
    meters.count('mailkeel_database_connections_missed_total', [], missed - missedCounted);
    missedCounted = missed;
    if (performance.now() >= nextReadAt) reading ??= read(meters).finally(() => (reading = null));
    if (reading === null) return;
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([reading, new Promise((resolve) => (timer = setTimeout(resolve, READ_WAIT_MS)))]);
    clearTimeout(timer);
  };
}

interface NodeFigures {
  working: number;
  leaving: number;
  pathLeases: number;
  rooms: number;
  isFenced: boolean;
  clockOffsetMs: number | null;
}

function setNode(meters: Meters, node: NodeFigures): void {
  const { working, leaving, pathLeases, rooms, isFenced, clockOffsetMs } = node;
  meters.gauge('mailkeel_nodes', [
    [['working'], working],
    [['leaving'], leaving],
  ]);
  meters.gauge('mailkeel_node_leases', [
    [['path'], pathLeases],
    [['room'], rooms],
  ]);
  meters.set('mailkeel_node_fenced', [], isFenced ? 1 : 0);
  if (clockOffsetMs !== null) meters.set('mailkeel_node_clock_offset_seconds', [], clockOffsetMs / 1000);
}

function setReplica(meters: Meters, replica: ReplicaFacts, now: number): void {
  const { generation, storedAt, waitingBytes, storedBytes, away, phase, base } = replica;
  meters.set('mailkeel_replica_lag_seconds', [], replicaLagMs(replica, now) / 1000);
  meters.set('mailkeel_replica_waiting_bytes', [], waitingBytes);
  meters.set('mailkeel_replica_stored_bytes', [], storedBytes);
  if (storedAt !== null) meters.set('mailkeel_replica_last_stored_timestamp_seconds', [], storedAt / 1000);
  meters.set('mailkeel_replica_generation', [], generation);
  meters.set('mailkeel_replica_away', [], away === null ? 0 : 1);
  meters.set('mailkeel_replica_restorable', [], phase === 'replicating' ? 1 : 0);
  if (base !== null) meters.set('mailkeel_replica_copy_timestamp_seconds', [], base.at / 1000);
}

function setLive(meters: Meters, live: LiveFigures, breakerRule: string): void {
  const sessions = summed(
    live.sessions().map(({ provider, source, open }) => [[provider ?? 'other', source], open]),
  );
  meters.gauge('mailkeel_smtp_sessions_open', sessions);
  const limits = live.overrides();
  meters.gauge('mailkeel_active_limits', summed(limits.map(({ kind }) => [[kind], 1])));
  const breakers = limits.filter(({ rule }) => rule === breakerRule);
  meters.gauge('mailkeel_breakers_open', summed(breakers.map(({ source }) => [[source], 1])));
  meters.set('mailkeel_certificate_expiry_timestamp_seconds', [], live.certificateEndsAt() / 1000);
  meters.set('mailkeel_database_damaged', [], live.isDamaged() ? 1 : 0);
  const node = live.node();
  if (node !== null) setNode(meters, node);
  const checks = live.checks();
  if (checks !== null) {
    const none = ['pass', 'warn', 'fail'].map((status): [string[], number] => [[status], 0]);
    const found = checks.map(({ status }): [string[], number] => [[status], 1]);
    meters.gauge('mailkeel_preflight_checks', summed([...none, ...found]));
  }
}

function setStored(meters: Meters, figures: StoredFigures, now: number): void {
  const { queue, webhooks } = figures;
  meters.gauge(
    'mailkeel_queue_messages',
    queue.map(({ mode, rank, state, messages }) => [[mode, String(rank), state], messages]),
  );
  const oldest = new Map<string, [string[], number]>();
  for (const { mode, rank, state, oldestDueAt } of queue) {
    if (state === 'in_flight') continue;
    const labels = [mode, String(rank)];
    const late = Math.max(0, now - oldestDueAt) / 1000;
    const known = oldest.get(labels.join(' '))?.[1] ?? 0;
    oldest.set(labels.join(' '), [labels, Math.max(known, late)]);
  }
  meters.gauge('mailkeel_queue_oldest_due_seconds', [...oldest.values()]);
  meters.gauge(
    'mailkeel_approvals_pending',
    figures.approvals.map(({ mode, pending }) => [[mode], pending]),
  );
  meters.gauge(
    'mailkeel_approvals_oldest_seconds',
    figures.approvals.map(({ mode, oldestAt }) => [[mode], Math.max(0, now - oldestAt) / 1000]),
  );
  meters.set('mailkeel_messages_in_doubt', [], figures.inDoubt);
  meters.set('mailkeel_outbound_held', [], figures.isOutboundHeld ? 1 : 0);
  meters.set('mailkeel_inbound_waiting', [], figures.inboundWaiting);
  meters.set('mailkeel_inbound_parked', [], figures.inboundParked);
  meters.set('mailkeel_webhook_backlog', [], webhooks.pending);
  const webhookLagMs = webhooks.oldestDueAt === null ? 0 : Math.max(0, now - webhooks.oldestDueAt);
  meters.set('mailkeel_webhook_lag_seconds', [], webhookLagMs / 1000);
  meters.gauge(
    'mailkeel_consumer_lag_events',
    figures.consumerLag.map(({ consumer, events }) => [[consumer], events]),
  );
  meters.gauge('mailkeel_tenants', figures.tenants.map(labelled));
  meters.gauge(
    'mailkeel_tenants_held',
    figures.heldTenants.map(({ mode, state, count }) => [[mode, state], count]),
  );
  meters.gauge('mailkeel_dkim_keys', figures.dkimKeys.map(labelled));
  if (figures.freeBytes !== null) meters.set('mailkeel_database_free_bytes', [], figures.freeBytes);
  meters.set('mailkeel_store_read_timestamp_seconds', [], now / 1000);
}

function setBackups(
  meters: Meters,
  { backups }: StoredFigures,
  { schedule, startedAt }: { schedule: string | null; startedAt: number },
): void {
  if (backups === null) return;
  const { goodAt, hasFailed } = backups;
  if (goodAt !== null) meters.set('mailkeel_backup_last_success_timestamp_seconds', [], goodAt / 1000);
  const dueAt = backupDueAt({ schedule, goodAt, startedAt });
  if (dueAt !== null) meters.set('mailkeel_backup_due_timestamp_seconds', [], dueAt / 1000);
  meters.set('mailkeel_backup_failed', [], hasFailed ? 1 : 0);
}

/** Without a forecast, the gauges have no value. */
function setForecast(meters: Meters, growth: Growth | null): void {
  const known = growth?.forecast.kind === 'known' ? growth.forecast : null;
  const value = (of: number | null): [string[], number][] => (of === null ? [] : [[[], of]]);
  meters.gauge('mailkeel_database_growth_bytes_per_day', value(known?.databaseBytesPerDay ?? null));
  const fullAt = known?.fullAt ?? null;
  meters.gauge('mailkeel_disk_full_timestamp_seconds', value(fullAt === null ? null : fullAt / 1000));
}

function labelled({ state, count }: { state: string; count: number }): [string[], number] {
  return [[state], count];
}

function summed(values: readonly (readonly [string[], number])[]): [string[], number][] {
  const sums = new Map<string, [string[], number]>();
  for (const [labels, value] of values) {
    const key = labels.join(' ');
    const sum = sums.get(key);
    if (sum) sum[1] += value;
    else sums.set(key, [labels, value]);
  }
  return [...sums.values()];
}
