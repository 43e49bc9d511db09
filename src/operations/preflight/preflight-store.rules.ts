// The checks of what the appliance keeps: how large the database is, when the disk will be full, and whether mail that came in is worked on.
import { CLOCK_FAIL_MS, CLOCK_WARN_MS, clockOffsetText } from '../../nodes/clock-offset.rules.js';
import type { SuspendedSource } from '../../outbound/outbound.tables.js';
import { DAY_MS, LEAST_DAYS, settingThatShrinks, type Forecast } from '../growth/growth.rules.js';
import type { CheckResult } from './preflight.rules.js';
import { groupedDigits } from '../../lib/rows/grouped-digits.js';

const MIB = 1024 ** 2;
/** Free pages that are worth an hour without a server, in bytes. */
const FREE_WARN_SHARE = 0.25;
const FREE_WARN_BYTES = 1_024 * MIB;
/** The log is cut after every sweep. A reader keeps one as large as that from being cut. */
const LOG_WARN_BYTES = 1_024 * MIB;
const WAITING_WARN = 10_000;
/** After so long (ms) a source that the operator has suspended may have been forgotten. */
const SUSPENDED_WARN_MS = 86_400_000;
/** A connection that was not available in time is a warning for this long (ms). */
const MISSED_WARN_MS = 3_600_000;
const OLD_BACKUP_MS = 35 * DAY_MS;
/** Time (ms) until the disk is full. */
const FULL_WARN_MS = 30 * DAY_MS;
const FULL_FAIL_MS = 7 * DAY_MS;
/** Tables that a remedy names. */
const NAMED_TABLES = 3;

export interface StoreFacts {
  /** Octets; null where a database server keeps it. */
  file: { bytes: number; freeBytes: number; logBytes: number; canShrink: boolean } | null;
  waitingMails: number;
  /** Inbound mail that could not be worked on and waits for a person. */
  parkedMails: number;
  backups: { tried: BackupFacts | null; good: BackupFacts | null };
}

export interface DatabaseServerFacts {
  /** By how much (ms) the machine's clock is ahead of the database's; null: not measured yet. */
  clockOffsetMs: number | null;
  /** Connections that were not available in time, since the start; `lastAt` in epoch ms. */
  missedConnections: { count: number; lastAt: number | null };
}

export interface GrowthFacts {
  forecast: Forecast;
  /** Tables with their indexes, largest first, in octets; none before they were measured. */
  largest: readonly { name: string; bytes: number }[];
}

export interface IntegrityFacts {
  /** A sentence; null: none is known. */
  damage: string | null;
  /** When the whole file was checked last, epoch ms. */
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
  const question = { name: 'database', subject: 'mail.db', expected: 'little free space in it' } as const;
  if (file === null) {
    return {
      ...question,
      subject: null,
      status: 'pass',
      observed: 'kept by a database server',
      remedy: null,
    };
  }
  const { bytes, freeBytes, logBytes, canShrink } = file;
  const observed = `${mib(bytes)}, of it ${mib(freeBytes)} free; log ${mib(logBytes)}`;
  if (!canShrink && freeBytes > FREE_WARN_BYTES && freeBytes > FREE_WARN_SHARE * bytes) {
    const remedy = 'An older release made the file. Stop the server and run: mailkeel admin vacuum';
    return { ...question, status: 'warn', observed, remedy };
  }
  if (logBytes > LOG_WARN_BYTES) {
    const remedy =
      'Another program keeps reading the database, so its log cannot be written back. Stop that program.';
    return { ...question, status: 'warn', observed, remedy };
  }
  return { ...question, status: 'pass', observed, remedy: null };
}

/** Warns a month before the disk of the data folder is full, and fails a week before. `now`: epoch ms. */
export function judgeGrowth({ forecast, largest }: GrowthFacts, now: number): CheckResult {
  const expected = 'room for 30 days';
  const question = { name: 'disk_forecast', subject: 'data folder', expected } as const;
  if (forecast.kind === 'too_few_days') {
    const observed = `not enough data: ${forecast.days} of ${LEAST_DAYS} days were measured`;
    return { ...question, status: 'pass', observed, remedy: null };
  }
  const { databaseBytesPerDay: growth, roomBytesPerDay, fullAt, days } = forecast;
  const change = `in ${days} days the data ${growth < 0 ? 'shrank' : 'grew'} by ${mib(Math.abs(growth))} a day`;
  if (fullAt === null) {
    return { ...question, status: 'pass', observed: `${change}; no end in sight`, remedy: null };
  }
  const left = fullAt - now;
  const date = new Date(fullAt).toISOString().slice(0, 10);
  const observed = `${change}, and ${mib(roomBytesPerDay)} of room went; the disk is full in ${Math.floor(left / DAY_MS)} days, on ${date}`;
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
    return `${name} ${mib(bytes)} (${setting ?? 'kept for ever'})`;
  });
  return [
    isOther
      ? 'Most of it is not the database: look at the logs, backups and other files on that disk.'
      : 'Keep less (docs/retention.md) or enlarge the disk; room that retention frees is used again.',
    ...(named.length === 0 ? [] : [`The largest tables, and what shortens them: ${named.join(', ')}.`]),
  ].join(' ');
}

/** Fails while damage is known; before the first check nothing is said. */
export function judgeIntegrity({ damage, checkedAt }: IntegrityFacts): CheckResult {
  const question = { name: 'integrity', subject: 'mail.db', expected: 'no damaged pages' } as const;
  if (damage !== null) {
    const remedy = 'Stop the server and restore a backup: docs/runbook.md, "A damaged database".';
    return { ...question, status: 'fail', observed: damage.slice(0, 300), remedy };
  }
  const passed = (observed: string): CheckResult => ({ ...question, status: 'pass', observed, remedy: null });
  return passed(
    checkedAt === null
      ? 'none was met; the whole file is checked within an hour of the start'
      : `none in the check of ${new Date(checkedAt).toISOString()}`,
  );
}

/** `schedule`: the cron pattern, null: none. Backups never keep mail from being sent: nothing here fails. */
export function judgeBackup(
  { file, backups: { tried, good } }: StoreFacts,
  { schedule, now }: { schedule: string | null; now: number },
): CheckResult {
  const question = { name: 'backup', subject: null, expected: 'a verified backup, not long ago' } as const;
  const passed = (observed: string): CheckResult => ({ ...question, status: 'pass', observed, remedy: null });
  const warned = (observed: string, remedy: string): CheckResult => ({
    ...question,
    status: 'warn',
    observed,
    remedy,
  });
  if (file === null) return passed('kept by a database server: its own tools make the backups');
  if (tried !== null && tried.error !== null) {
    const observed = `the last one failed at ${new Date(tried.ended_at).toISOString()}: ${tried.error}`;
    return warned(observed, 'Remove the cause and try it: mailkeel admin backup');
  }
  const remedy =
    schedule === null
      ? 'Set MAILKEEL_BACKUP_SCHEDULE and MAILKEEL_BACKUP_TO, or make one by hand: mailkeel admin backup'
      : 'The schedule makes the next one; by hand: mailkeel admin backup';
  if (good === null) return warned('no backup was made yet', remedy);
  const observed = `${good.name} in ${good.place}, ${new Date(good.ended_at).toISOString()}`;
  return now - good.ended_at > OLD_BACKUP_MS ? warned(observed, remedy) : passed(observed);
}

export function judgeSpool({ waitingMails, parkedMails }: StoreFacts): CheckResult {
  const question = { name: 'spool', subject: null, expected: 'mail is read as it comes in' } as const;
  if (parkedMails > 0) {
    const observed = `${groupedDigits(parkedMails)} inbound mails could not be processed and are parked`;
    const remedy =
      'List them with: mailkeel admin inbound --state failed. Then inbound save, retry or delete each. The log has the error.';
    return { ...question, status: 'fail', observed, remedy };
  }
  const observed = `${groupedDigits(waitingMails)} wait`;
  if (waitingMails <= WAITING_WARN) return { ...question, status: 'pass', observed, remedy: null };
  const remedy =
    'More mail comes in than this machine can process, or the store cannot be written. See the log.';
  return { ...question, status: 'warn', observed, remedy };
}

/** One result for each source or smarthost that the operator has suspended. */
/** One result for each role that no node has. `missing`: null where the server is no node. */
export function judgeRoles(missing: readonly string[] | null): CheckResult[] {
  if (missing === null) return [];
  const question = { name: 'node_roles', expected: 'a living node with each role' } as const;
  if (missing.length === 0) {
    return [{ ...question, subject: null, status: 'pass', observed: 'each role has a node', remedy: null }];
  }
  return missing.map((role) => ({
    ...{ ...question, subject: role, status: 'fail', observed: 'no living node has it: its work waits' },
    remedy: `Start a node whose MAILKEEL_ROLES has ${role}, or leave the setting out on one.`,
  }));
}

/** No result where no server keeps the database, or the offset is not known yet. */
export function judgeDatabaseClock(facts: DatabaseServerFacts | null): CheckResult[] {
  const offsetMs = facts?.clockOffsetMs ?? null;
  if (offsetMs === null) return [];
  const question = {
    name: 'database_clock',
    subject: null,
    observed: clockOffsetText(offsetMs),
    expected: `within ${CLOCK_WARN_MS / 1000} s of the database's clock`,
  } as const;
  if (Math.abs(offsetMs) < CLOCK_WARN_MS) return [{ ...question, status: 'pass', remedy: null }];
  const status = Math.abs(offsetMs) < CLOCK_FAIL_MS ? 'warn' : 'fail';
  return [{ ...question, status, remedy: 'Let NTP set the clocks of this machine and of the database.' }];
}

/** No result where no server keeps the database. */
export function judgeConnections(facts: DatabaseServerFacts | null, now: number): CheckResult[] {
  if (facts === null) return [];
  const { count, lastAt } = facts.missedConnections;
  const question = {
    name: 'database_connections',
    subject: null,
    expected: 'a connection to PostgreSQL within 5 s',
  } as const;
  if (lastAt === null)
    return [{ ...question, status: 'pass', observed: 'available in time since the start', remedy: null }];
  const observed = `unavailable ${groupedDigits(count)} times since the start, last at ${new Date(lastAt).toISOString()}`;
  if (now - lastAt > MISSED_WARN_MS) return [{ ...question, status: 'pass', observed, remedy: null }];
  const remedy =
    'Unless PostgreSQL restarted at that time, raise its max_connections or the CONNECTION LIMIT of the role (docs/postgresql.md).';
  return [{ ...question, status: 'warn', observed, remedy }];
}

export function judgeSuspensions(rows: readonly SuspendedSource[], now: number): CheckResult[] {
  const active = rows.filter(({ expires_at: end }) => end === null || end > now);
  return active.map(({ name, reason, created_at: since }) => {
    const question = { name: 'source_suspension', subject: name, expected: 'resumed within a day' } as const;
    const observed = `suspended since ${new Date(since).toISOString()}: ${reason}`;
    if (now - since < SUSPENDED_WARN_MS) return { ...question, status: 'pass', observed, remedy: null };
    const remedy = `No mail leaves by it. If the reason is gone: mailkeel sources resume ${name}`;
    return { ...question, status: 'warn', observed, remedy };
  });
}
