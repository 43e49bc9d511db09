// Decides when an incident begins and ends.
import type { Alert } from '../contract/names.js';
import type { CheckName } from '../operations/preflight/health-check.schema.js';
import type { CheckStatus } from '../contract/check-status.js';
import { type ReplicaFacts, replicaProblem } from '../replica/replica-health.rules.js';
import type { AlertIncident } from './alerts.tables.js';

/** A problem that exists now. */
export interface Problem extends Pick<
  AlertIncident,
  'subject' | 'organization_id' | 'title' | 'detail' | 'path'
> {
  alert: Alert;
  isUrgent: boolean;
}

/** The problems that one source observes. */
export interface Observation {
  source: string;
  problems: readonly Problem[];
  /** Keys of checks without a result, and of alerts of organizations whose problems were not all read (`keyOfAll`). */
  undecided: ReadonlySet<string>;
  /** An incident ends when its problem was gone for this long (ms), so that one that comes and goes is one incident. */
  settleMs: number;
}

/** Alerts that are always or sometimes urgent. */
export const URGENT_ALERTS = [
  'disk_filling',
  'replica_failed',
  'database_damaged',
  'node_missing',
  'outbound_held',
  'queue_late',
] as const satisfies readonly Alert[];

export const SETTLE_MS = 10 * 60_000;
/** Longer than the hour between two checks: two of them have to pass. */
export const HOST_SETTLE_MS = 70 * 60_000;
/** A scheduled backup may take this long (ms) before it is overdue; MailkeelBackupMissing of docs/monitoring has the same limit. */
const BACKUP_OVERDUE_MS = 2 * 3_600_000;
/** The first full copy of a replica may take this long (ms) after the start of the server. */
const FIRST_COPY_MS = 15 * 60_000;
const MAX_DETAIL = 1_000;
const MAX_TITLE = 200;

function keyOf({ alert, subject }: { alert: string; subject: string }): string {
  return `${alert} ${subject}`;
}

/** The key of all incidents of an alert in one organization. */
export function keyOfAll(alert: string, organizationId: string | null): string {
  return `${alert} of ${organizationId}`;
}

interface IncidentChanges {
  opened: Problem[];
  /** Ids of incidents whose problem was seen again. */
  back: string[];
  /** Ids of incidents whose problem is not seen for the first time. */
  gone: string[];
  closed: { id: string; at: number }[];
}

/** `open` has the incidents of the source that have not ended. */
export function incidentChanges(
  open: readonly Pick<AlertIncident, 'id' | 'alert' | 'subject' | 'organization_id' | 'gone_since'>[],
  { problems, undecided, settleMs }: Observation,
  now: number,
): IncidentChanges {
  const seen = new Map(problems.map((problem) => [keyOf(problem), problem]));
  const changes: IncidentChanges = { opened: [], back: [], gone: [], closed: [] };
  for (const incident of open) {
    const key = keyOf(incident);
    const { id, gone_since: goneSince } = incident;
    const isUndecided =
      undecided.has(key) || undecided.has(keyOfAll(incident.alert, incident.organization_id));
    if (seen.delete(key)) {
      if (goneSince !== null) changes.back.push(id);
    } else if (isUndecided) continue;
    else if (goneSince === null) changes.gone.push(id);
    else if (now - goneSince >= settleMs) changes.closed.push({ id, at: goneSince });
  }
  changes.opened.push(...seen.values());
  return changes;
}

/** Returns the columns of a new incident that come from its problem. */
export function problemColumns({ alert, subject, organization_id, title, detail, path, isUrgent }: Problem) {
  return {
    alert,
    subject,
    organization_id,
    path,
    title: title.slice(0, MAX_TITLE),
    detail: detail.slice(0, MAX_DETAIL),
    is_urgent: isUrgent ? (1 as const) : (0 as const),
  };
}

export interface HostCheck {
  name: CheckName;
  subject: string | null;
  status: CheckStatus;
  observed: string;
  remedy: string | null;
}

interface CheckAlert {
  alert: Alert;
  title: string;
  isUrgent: boolean;
  /** A warning of the check is an incident. */
  onWarning: boolean;
}

const CHECK_ALERTS: Partial<Record<CheckName, CheckAlert>> = {
  disk_space: { alert: 'disk_filling', title: 'The disk is almost full', isUrgent: true, onWarning: true },
  disk_forecast: {
    alert: 'disk_filling',
    title: 'The disk will be full soon',
    isUrgent: false,
    onWarning: false,
  },
  integrity: {
    alert: 'database_damaged',
    title: 'The database is damaged',
    isUrgent: true,
    onWarning: false,
  },
  certificate: {
    alert: 'certificate_expiring',
    title: 'The TLS certificate needs attention',
    isUrgent: false,
    onWarning: true,
  },
  node_roles: {
    alert: 'node_missing',
    title: 'No node is running for a role',
    isUrgent: true,
    onWarning: false,
  },
  spool: {
    alert: 'inbound_failed',
    title: 'Inbound mail is not being processed',
    isUrgent: false,
    onWarning: true,
  },
};

/**
 * Returns the problem of the server's backups. `tried` is the newest attempt. `dueAt` is when the next one is scheduled (epoch ms), or
 * `null` without a schedule. `path` is the page about it.
 */
export function backupProblem(
  { tried, dueAt }: { tried: { error: string | null } | null; dueAt: number | null },
  path: string,
  now: number,
): Problem[] {
  const of = { alert: 'backup_failed', organization_id: null, path, isUrgent: false } as const;
  if (tried !== null && tried.error !== null) {
    return [{ ...of, subject: '', title: 'The last backup failed', detail: `${tried.error}.` }];
  }
  if (dueAt === null || now - dueAt <= BACKUP_OVERDUE_MS) return [];
  const detail = `It was due at ${new Date(dueAt).toISOString()}. Check the server log for errors, or create a backup with mailkeel admin backup.`;
  return [{ ...of, subject: 'overdue', title: 'A scheduled backup is overdue', detail }];
}

/** Returns the problem of the server's replica. `startedAt` is the start of the server (epoch ms). `path` is the page about it. */
export function replicaProblems(
  facts: ReplicaFacts | null,
  { path, startedAt, now }: { path: string; startedAt: number; now: number },
): Problem[] {
  const problem = facts && replicaProblem(facts, now);
  if (facts === null || problem === null) return [];
  const of = { alert: 'replica_failed', organization_id: null, path, isUrgent: false } as const;
  switch (problem.kind) {
    case 'away': {
      const since = new Date(problem.since).toISOString();
      const detail = `${facts.storage} has not responded since ${since}: ${problem.reason}.`;
      return [
        { ...of, subject: 'away', title: 'The replica does not respond', detail, isUrgent: facts.waits },
      ];
    }
    case 'behind': {
      const detail = `The oldest change missing from ${facts.storage} was made ${Math.round(problem.lagMs / 1000)} seconds ago.`;
      return [{ ...of, subject: 'behind', title: 'The replica is over a minute behind', detail }];
    }
    case 'incomplete': {
      if (now - startedAt < FIRST_COPY_MS) return [];
      const detail = `The full copy in ${facts.storage} is not complete, so this server cannot be restored from it. Check the server log for errors.`;
      return [{ ...of, subject: 'incomplete', title: 'The replica has no full copy', detail }];
    }
    // The host check warns of it.
    case 'same_disk':
      return [];
  }
}

/** Returns the problems that the checks of a machine have found. `path` is the page about them. */
export function hostObservation(host: string, checks: readonly HostCheck[], path: string): Observation {
  const problems: Problem[] = [];
  const undecided = new Set<string>();
  for (const { name, subject: about, status, observed, remedy } of checks) {
    // Their facts have more details, and earlier.
    if (name === 'backup' || name === 'replica') continue;
    const title = `Host check failed: ${name}${about === null ? '' : ` (${about})`}`;
    const kind: CheckAlert = CHECK_ALERTS[name] ?? {
      alert: 'host_check_failed',
      title,
      isUrgent: false,
      onWarning: false,
    };
    const subject = `${name} ${about ?? ''}`.trim();
    if (status === 'unknown') undecided.add(keyOf({ alert: kind.alert, subject }));
    if (status !== 'fail' && !(status === 'warn' && kind.onWarning)) continue;
    const detail = [`On ${host}: ${observed}.`, ...(remedy === null ? [] : [remedy])].join(' ');
    problems.push({
      alert: kind.alert,
      subject,
      organization_id: null,
      title: kind.title,
      detail,
      path,
      isUrgent: kind.isUrgent,
    });
  }
  return { source: `host:${host}`, problems, undecided, settleMs: HOST_SETTLE_MS };
}
