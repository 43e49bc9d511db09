// Checks of stored data: database size, the forecast of a full disk, and inbound mail that could not be processed.
import { CLOCK_FAIL_MS, CLOCK_WARN_MS, clockOffsetText } from '../../nodes/clock-offset.rules.js';
import type { SuspendedSource } from '../../outbound/outbound.tables.js';
import { DAY_MS, MIN_DAYS, settingThatShrinks, type Forecast } from '../growth/growth.rules.js';
import type { CheckResult } from './preflight.rules.js';
import { groupedDigits } from '../../lib/rows/index.js';

const MIB = 1024 ** 2;
/** Share of free pages that justifies an hour of downtime. */
const FREE_WARN_SHARE = 0.25;
const FREE_WARN_BYTES = 1_024 * MIB;
/** The log is truncated after every sweep. A long-running reader prevents that when the log is this large. */
const LOG_WARN_BYTES = 1_024 * MIB;
const WAITING_WARN = 10_000;
/** Time (ms) after which the operator may have forgotten a suspended source. */
const SUSPENDED_WARN_MS = 86_400_000;
/** Time (ms) for which a connection that was not available causes a warning. */
const MISSED_WARN_MS = 3_600_000;
const OLD_BACKUP_MS = 35 * DAY_MS;
/** Time (ms) until the disk is full. */
const FULL_WARN_MS = 30 * DAY_MS;
const FULL_FAIL_MS = 7 * DAY_MS;
/** Number of tables that a remedy lists. */
const NAMED_TABLES = 3;

export interface StoreFacts {
  /** Sizes in bytes. `null` if a database server stores the rows. */
  file: { bytes: number; freeBytes: number; logBytes: number; canShrink: boolean } | null;
  waitingMails: number;
  /** Inbound mail that could not be processed and needs a person. */
  parkedMails: number;
  backups: { tried: BackupFacts | null; good: BackupFacts | null };
}

export interface DatabaseServerFacts {
  /** How far (ms) the host's clock is ahead of the database's. `null` before it is measured. */
  clockOffsetMs: number | null;
  /** Connections that were not available in time since startup. `lastAt` is in epoch ms. */
  missedConnections: { count: number; lastAt: number | null };
}

export interface GrowthFacts {
  forecast: Forecast;
  /** Tables with their indexes in bytes, largest first. Empty before the first measurement. */
  largest: readonly { name: string; bytes: number }[];
}

export interface IntegrityFacts {
  /** A sentence about known damage, or `null`. */
  damage: string | null;
  /** Epoch ms of the last check of the whole file. */
  checkedAt: number | null;
}

/** Times in epoch ms. */
interface BackupFacts {
  name: string;
  place: string;
  ended_at: number;
  error: string | null;
}

const mib = (bytes: number): string => `${groupedDigits(Math.ceil(bytes / MIB))} MiB`;

export function judgeDatabase({ file }: StoreFacts): CheckResult {
  const question = {
    name: 'database',
    subject: 'mail.db',
    expected: 'little unused space in the file',
  } as const;
  if (file === null) {
    return {
      ...question,
      subject: null,
      status: 'pass',
      observed: 'managed by the database server',
      remedy: null,
    };
  }
  const { bytes, freeBytes, logBytes, canShrink } = file;
  const observed = `${mib(bytes)}, ${mib(freeBytes)} unused; log ${mib(logBytes)}`;
  if (!canShrink && freeBytes > FREE_WARN_BYTES && freeBytes > FREE_WARN_SHARE * bytes) {
    const remedy = 'The file was created by an older release. Stop the server and run: mailkeel admin vacuum';
    return { ...question, status: 'warn', observed, remedy };
  }
  if (logBytes > LOG_WARN_BYTES) {
    const remedy =
      'Another program keeps a read transaction open, so the log cannot be checkpointed. Stop that program.';
    return { ...question, status: 'warn', observed, remedy };
  }
  return { ...question, status: 'pass', observed, remedy: null };
}

/** Warns a month before the data folder's disk is full, and fails a week before. `now` is in epoch ms. */
export function judgeGrowth({ forecast, largest }: GrowthFacts, now: number): CheckResult {
  const expected = 'disk space for 30 days';
  const question = { name: 'disk_forecast', subject: 'data folder', expected } as const;
  if (forecast.kind === 'too_few_days') {
    const observed = `not enough data (${forecast.days} of ${MIN_DAYS} days measured)`;
    return { ...question, status: 'pass', observed, remedy: null };
  }
  const { databaseBytesPerDay: growth, roomBytesPerDay, fullAt, days } = forecast;
  const change = `over ${days} days, the data ${growth < 0 ? 'shrank' : 'grew'} by ${mib(Math.abs(growth))} per day`;
  if (fullAt === null) {
    return {
      ...question,
      status: 'pass',
      observed: `${change}; the disk is not expected to fill up`,
      remedy: null,
    };
  }
  const left = fullAt - now;
  const date = new Date(fullAt).toISOString().slice(0, 10);
  const observed = `${change} and free space decreased by ${mib(roomBytesPerDay)} per day; the disk will be full in ${Math.floor(left / DAY_MS)} days, on ${date}`;
  if (left >= FULL_WARN_MS) return { ...question, status: 'pass', observed, remedy: null };
  const status = left < FULL_FAIL_MS ? 'fail' : 'warn';
  return { ...question, status, observed, remedy: growthRemedy({ growth, roomBytesPerDay, largest }) };
}

function growthRemedy({
  growth,
  roomBytesPerDay,
  largest,
}: {
  growth: number;
  roomBytesPerDay: number;
  largest: GrowthFacts['largest'];
}): string {
  const isOther = roomBytesPerDay > 2 * Math.max(0, growth);
  const named = largest.slice(0, NAMED_TABLES).map(({ name, bytes }) => {
    const setting = settingThatShrinks(name);
    return `${name} ${mib(bytes)} (${setting ?? 'never deleted'})`;
  });
  return [
    isOther
      ? 'Most of the growth is outside the database. Check the logs, backups and other files on the disk.'
      : 'Shorten retention (docs/retention.md) or enlarge the disk. The database reuses space freed by retention.',
    ...(named.length === 0
      ? []
      : [`The largest tables and the settings that shrink them: ${named.join(', ')}.`]),
  ].join(' ');
}

/** Fails while damage is known. Passes before the first check. */
export function judgeIntegrity({ damage, checkedAt }: IntegrityFacts): CheckResult {
  const question = { name: 'integrity', subject: 'mail.db', expected: 'no damaged pages' } as const;
  if (damage !== null) {
    const remedy = 'Stop the server and restore a backup. See docs/runbook.md, "A damaged database".';
    return { ...question, status: 'fail', observed: damage.slice(0, 300), remedy };
  }
  const passed = (observed: string): CheckResult => ({ ...question, status: 'pass', observed, remedy: null });
  return passed(
    checkedAt === null
      ? 'none found so far; the whole file is checked within an hour of startup'
      : `none found in the check of ${new Date(checkedAt).toISOString()}`,
  );
}

/** `schedule` is a cron pattern, or `null` without one. Never fails, because mail can be sent without backups. */
export function judgeBackup(
  { file, backups: { tried, good } }: StoreFacts,
  { schedule, now }: { schedule: string | null; now: number },
): CheckResult {
  const question = { name: 'backup', subject: null, expected: 'a recent verified backup' } as const;
  const passed = (observed: string): CheckResult => ({ ...question, status: 'pass', observed, remedy: null });
  const warned = (observed: string, remedy: string): CheckResult => ({
    ...question,
    status: 'warn',
    observed,
    remedy,
  });
  if (file === null) return passed('managed by the database server; use its backup tools');
  if (tried !== null && tried.error !== null) {
    const observed = `the last backup failed at ${new Date(tried.ended_at).toISOString()}: ${tried.error}`;
    return warned(observed, 'Fix the cause, then test it with: mailkeel admin backup');
  }
  const remedy =
    schedule === null
      ? 'Set MAILKEEL_BACKUP_SCHEDULE and MAILKEEL_BACKUP_TO, or create a backup now with: mailkeel admin backup'
      : 'The next scheduled backup runs automatically. To create one now, run: mailkeel admin backup';
  if (good === null) return warned('no backups yet', remedy);
  const observed = `${good.name} in ${good.place}, ${new Date(good.ended_at).toISOString()}`;
  return now - good.ended_at > OLD_BACKUP_MS ? warned(observed, remedy) : passed(observed);
}

export function judgeSpool({ waitingMails, parkedMails }: StoreFacts): CheckResult {
  const question = {
    name: 'spool',
    subject: null,
    expected: 'inbound mail is processed on arrival',
  } as const;
  if (parkedMails > 0) {
    const observed = `${groupedDigits(parkedMails)} inbound messages could not be processed and are parked`;
    const remedy =
      'List them with: mailkeel admin inbound --state failed. Then save, retry or delete each one. The server log contains the errors.';
    return { ...question, status: 'fail', observed, remedy };
  }
  const observed = `${groupedDigits(waitingMails)} waiting`;
  if (waitingMails <= WAITING_WARN) return { ...question, status: 'pass', observed, remedy: null };
  const remedy =
    'Inbound mail arrives faster than this server can process it, or the database is not writable. See the server log.';
  return { ...question, status: 'warn', observed, remedy };
}

/** Returns one result for each role that no node has. `missing` is `null` if the server is not a node. */
export function judgeRoles(missing: readonly string[] | null): CheckResult[] {
  if (missing === null) return [];
  const question = { name: 'node_roles', expected: 'a running node for every role' } as const;
  if (missing.length === 0) {
    return [{ ...question, subject: null, status: 'pass', observed: 'every role has a node', remedy: null }];
  }
  return missing.map((role) => ({
    ...{
      ...question,
      subject: role,
      status: 'fail',
      observed: 'no running node has this role, so its work is waiting',
    },
    remedy: `Start a node with ${role} in MAILKEEL_ROLES, or start one without that setting.`,
  }));
}

/** Returns no result without a database server, or before the offset is measured. */
export function judgeDatabaseClock(facts: DatabaseServerFacts | null): CheckResult[] {
  const offsetMs = facts?.clockOffsetMs ?? null;
  if (offsetMs === null) return [];
  const question = {
    name: 'database_clock',
    subject: null,
    observed: clockOffsetText(offsetMs),
    expected: `within ${CLOCK_WARN_MS / 1000} s of the database clock`,
  } as const;
  if (Math.abs(offsetMs) < CLOCK_WARN_MS) return [{ ...question, status: 'pass', remedy: null }];
  const status = Math.abs(offsetMs) < CLOCK_FAIL_MS ? 'warn' : 'fail';
  return [
    { ...question, status, remedy: 'Synchronize the clocks of this server and the database with NTP.' },
  ];
}

/** Returns no result without a database server. */
export function judgeConnections(facts: DatabaseServerFacts | null, now: number): CheckResult[] {
  if (facts === null) return [];
  const { count, lastAt } = facts.missedConnections;
  const question = {
    name: 'database_connections',
    subject: null,
    expected: 'a connection to PostgreSQL within 5 s',
  } as const;
  if (lastAt === null)
    return [{ ...question, status: 'pass', observed: 'always available since startup', remedy: null }];
  const observed = `unavailable ${groupedDigits(count)} times since startup, most recently at ${new Date(lastAt).toISOString()}`;
  if (now - lastAt > MISSED_WARN_MS) return [{ ...question, status: 'pass', observed, remedy: null }];
  const remedy =
    "If PostgreSQL did not restart at that time, raise max_connections or the role's CONNECTION LIMIT (docs/postgresql.md).";
  return [{ ...question, status: 'warn', observed, remedy }];
}

/** Returns one result for each source or smarthost that the operator has suspended. */
export function judgeSuspensions(rows: readonly SuspendedSource[], now: number): CheckResult[] {
  const active = rows.filter(({ expires_at: end }) => end === null || end > now);
  return active.map(({ name, reason, created_at: since }) => {
    const question = { name: 'source_suspension', subject: name, expected: 'resumed within a day' } as const;
    const observed = `suspended since ${new Date(since).toISOString()}: ${reason}`;
    if (now - since < SUSPENDED_WARN_MS) return { ...question, status: 'pass', observed, remedy: null };
    const remedy = `No mail is sent through this source. When the cause is fixed, run: mailkeel sources resume ${name}`;
    return { ...question, status: 'warn', observed, remedy };
  });
}
