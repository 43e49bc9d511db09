// Alerts: problems that rows show, incidents, subscribers, and notices that are due.
import { sql } from 'kysely';
import { personRemoved } from '../accounts/people/people.store.js';
import { OPERATOR_WORKSPACE } from '../accounts/operator.rules.js';
import type { Alert, Mode, Role } from '../contract/names.js';
import type { Committer } from '../database/committer.js';
import type { Engine } from '../database/engine/engine.js';
import { paged } from '../database/paged.js';
import { type Page, type PageRequest, cutPage } from '../database/scope.js';
import { onSignal } from '../database/signals.js';
import { BEING_DELETED, DISABLED_BY_REQUEST } from '../webhooks/disabled.rules.js';
import type {
  AlertIncident,
  AlertNotice,
  AlertSettings,
  AlertWay,
  alertIncidents,
  alertNotices,
  alertSettings,
} from './alerts.tables.js';
import { DEFAULT_MAIL_ALERTS } from './notices.rules.js';
import { keyOfAll, type Problem } from './incidents.rules.js';
import type { members } from '../accounts/people/people.tables.js';
import type { messages } from '../messages/messages.tables.js';
import type { Instant, TablesOf } from '../database/columns.js';
import { rowsAs } from '../database/sql.js';
import type { workspaces } from '../accounts/accounts.tables.js';
import type { routeShares } from '../outbound/outbound.tables.js';
import type { restores } from '../backups/backups.tables.js';
import type { TenantReputation } from '../tenants/tenants.tables.js';

type Known = TablesOf<
  | typeof alertIncidents
  | typeof alertNotices
  | typeof alertSettings
  | typeof members
  | typeof messages
  | typeof restores
  | typeof routeShares
  | typeof workspaces
>;

/** Deletes the settings and notices of a person who is removed. */
export const forgetsPersons = onSignal(personRemoved, async ({ tx }, { userId }) => {
  const db = tx.db.$extendTables<Known>();
  await db.deleteFrom('alert_settings').where('user_id', '=', userId).execute();
  await db.deleteFrom('alert_notices').where('user_id', '=', userId).execute();
});

/** Mail and webhooks are late after this time (ms). */
const LATE_MS = 15 * 60_000;
/** Most problems of one kind that are reported individually to an organization. */
const MOST_OF_KIND = 500;
/** Time (ms) for which a lowered share is a problem. Its route may have been removed since. */
const LOWERED_MS = 14 * 86_400_000;
const MOST_ANNOUNCED = 500;
/** Most notices in one mail or post. */
const MOST_TOGETHER = 500;

const LATE_MAIL = `SELECT l.domain FROM queues l JOIN environments e ON e.id = l.environment_id WHERE e.mode = 'live' AND l.rank <= 2
  AND EXISTS (SELECT 1 FROM queue q WHERE q.queue_id = l.id AND q.lease_until IS NULL AND q.due_at <= ? AND q.hold_reason IS NULL)
  LIMIT 1`;
const LATE_WEBHOOKS = `SELECT p.id FROM webhook_endpoints p WHERE p.status = 'enabled' AND EXISTS
  (SELECT 1 FROM webhook_deliveries d WHERE d.endpoint_id = p.id AND d.status = 'pending' AND d.due_at <= ?) LIMIT 1`;
/** Selects the newest rows of each organization, one more than are reported. */
const ofEach = (select: string, newest: string): string => `SELECT * FROM
  (SELECT ROW_NUMBER() OVER (PARTITION BY w.organization_id ORDER BY ${newest} DESC) AS place, ${select}) AS told
  WHERE place <= ${MOST_OF_KIND + 1}`;
const DISABLED = ofEach(
  `p.id, p.url, p.disabled_reason AS reason, w.organization_id, w.id AS workspace, e.mode
  FROM webhook_endpoints p JOIN environments e ON e.id = p.environment_id JOIN workspaces w ON w.id = e.workspace_id
  WHERE p.status = 'disabled' AND p.disabled_reason NOT IN (?, ?)`,
  'p.updated_at',
);
const STOPPED_TENANTS = ofEach(
  `t.id, t.name, r.paused_at, r.pause_cause AS cause, w.organization_id, w.id AS workspace, e.mode
  FROM tenant_reputations r JOIN sub_tenants t ON t.id = r.sub_tenant_id JOIN environments e ON e.id = r.environment_id
  JOIN workspaces w ON w.id = e.workspace_id WHERE t.deleted_at IS NULL AND e.mode = 'live'
  AND ((r.paused_at IS NOT NULL AND r.pause_cause <> 'requested') OR (r.paused_at IS NULL AND r.state = 'throttled'))`,
  'r.changed_at',
);
const drifted = (table: string, name: string, more: string): string =>
  ofEach(
    `s.id, s.${name} AS name, s.status, w.organization_id, w.id AS workspace FROM ${table} s JOIN workspaces w ON w.id = s.workspace_id
  WHERE s.deleted_at IS NULL ${more} AND (s.status = 'suspended' OR s.drifting_since IS NOT NULL)`,
    's.updated_at',
  );
const DRIFTED_SENDERS = drifted('senders', 'identity', "AND s.kind = 'domain'");
const DRIFTED_TENANTS = drifted('sub_tenants', 'sending_domain', '');
const PRUNE_NOTICES = `DELETE FROM alert_notices WHERE id IN
  (SELECT n.id FROM alert_notices n JOIN alert_incidents i ON i.id = n.incident_id
   WHERE i.closed_at < ? AND i.announced = 2 AND n.status <> 'pending' LIMIT ?) RETURNING 1 AS one`;
const PRUNE_INCIDENTS = `DELETE FROM alert_incidents WHERE id IN
  (SELECT i.id FROM alert_incidents i WHERE i.closed_at < ? AND i.announced = 2
   AND NOT EXISTS (SELECT 1 FROM alert_notices n WHERE n.incident_id = i.id) LIMIT ?) RETURNING 1 AS one`;

/** A person in one of their organizations. */
export interface Membership {
  organization_id: string;
  role: Role;
}

/** A person who has chosen alerts, in one of their organizations. */
export interface Subscriber
  extends Membership, Pick<AlertSettings, 'user_id' | 'mail_alerts' | 'webhook_alerts'> {}

/** A member of an organization, with the alerts that they receive. */
interface AlertMember extends Pick<AlertSettings, 'user_id' | 'mail_alerts' | 'webhook_alerts'> {
  role: Role;
  can_approve: 0 | 1;
}

/** A notice that is due, with its incident. */
export interface DueNotice extends Pick<
  AlertNotice,
  'id' | 'user_id' | 'way' | 'stage' | 'attempts' | 'created_at'
> {
  incident: AlertIncident;
}

/** A notice as its person sees it. */
export interface ShownNotice extends AlertNotice, Pick<AlertIncident, 'alert' | 'title' | 'detail' | 'path'> {
  /** Status of its mail; `null` for posts, and if the mail was deleted. */
  mail_status: string | null;
}

const NOTICE_COLUMNS = [
  ...(['n.id', 'n.user_id', 'n.way', 'n.stage', 'n.attempts', 'n.created_at'] as const),
  'n.incident_id',
] as const;

export function createAlertStore(engine: Engine, committer: Committer) {
  return {
    ...problemReads(engine),
    ...incidentReads(engine),
    ...noticeReads(engine),
    ...noticeCounts(engine),

    /** Deletes incidents that ended before a time, with their notices. Returns how many rows. */
    prune: (before: number, limit: number): Promise<number> =>
      committer.commit(async ({ tx }) => {
        const notices = await tx.run(PRUNE_NOTICES, [before, limit]);
        if (notices.length >= limit) return notices.length;
        return notices.length + (await tx.run(PRUNE_INCIDENTS, [before, limit - notices.length])).length;
      }),
  };
}

function problemReads(engine: Engine) {
  const db = engine.read.$extendTables<Known>();
  return {
    async operator(): Promise<{ organizationId: string; workspaceId: string } | null> {
      const row = await db
        .selectFrom('workspaces')
        .select(['organization_id as organizationId', 'id as workspaceId'])
        .where('number', '=', OPERATOR_WORKSPACE)
        .executeTakeFirst();
      return row ?? null;
    },
    serverProblems: (path: string, now: number) => serverProblems(engine, path, now),
    customerProblems: () => customerProblems(engine),
  };
}

/** Problems of the server, for its operator. The operator's dashboard pages begin with `path`. */
async function serverProblems(engine: Engine, path: string, now: number): Promise<Problem[]> {
  const server = { subject: '', organization_id: null };
  const problems: Problem[] = [];
  const db = engine.read.$extendTables<Known>();
  const held = await db
    .selectFrom('restores')
    .select('epoch')
    .where('released_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  if (held !== undefined) {
    problems.push({
      ...server,
      alert: 'outbound_held',
      title: 'Outbound mail is on hold after a restore',
      detail: 'No mail is sent until an operator runs mailkeel admin restore --review and then --release.',
      path: `${path}/queue`,
      isUrgent: true,
    });
  }
  const [late] = await rowsAs<{ domain: string }>(engine.rows(LATE_MAIL, [now - LATE_MS]));
  if (late !== undefined) {
    problems.push({
      ...server,
      alert: 'queue_late',
      title: 'Transactional mail is late',
      detail: `A message to ${late.domain} has been due for over 15 minutes.`,
      path: `${path}/queue`,
      isUrgent: true,
    });
  }
  const lowered = await db
    .selectFrom('route_shares')
    .select(['route', 'percent', 'reason'])
    .where('state', '=', 'lowered')
    .where('changed_at', '>', now - LOWERED_MS)
    .limit(MOST_OF_KIND)
    .execute();
  for (const { route, percent, reason } of lowered) {
    problems.push({
      ...{ alert: 'route_share_lowered', organization_id: null, subject: route },
      title: `The share of route ${route} was lowered to ${percent} %`,
      detail: `${reason} The share does not rise until an operator resumes it.`,
      path: `${path}/queue?tab=shares`,
      isUrgent: false,
    });
  }
  const [webhooks] = await engine.rows(LATE_WEBHOOKS, [now - LATE_MS]);
  if (webhooks !== undefined) {
    problems.push({
      ...server,
      alert: 'webhooks_late',
      title: 'Webhook deliveries are late',
      detail: 'A delivery to an enabled endpoint has been due for over 15 minutes.',
      path: `${path}/health`,
      isUrgent: false,
    });
  }
  return problems;
}

/** `undecided` has the alerts of organizations that have more problems than are read. */
async function customerProblems(engine: Engine): Promise<{ problems: Problem[]; undecided: Set<string> }> {
  const undecided = new Set<string>();
  async function read<T extends CustomerRow>(
    alerts: readonly Alert[],
    statement: string,
    ...values: string[]
  ): Promise<T[]> {
    const found = await rowsAs<T>(engine.rows(statement, values));
    for (const row of found.filter(({ place }) => place > MOST_OF_KIND)) {
      for (const alert of alerts) undecided.add(keyOfAll(alert, row.organization_id));
    }
    return found.filter(({ place }) => place <= MOST_OF_KIND);
  }
  const problems = [
    ...(await disabledWebhooks(read)),
    ...(await stoppedTenants(read)),
    ...(await driftedDomains(read, DRIFTED_SENDERS, 'senders')),
    ...(await driftedDomains(read, DRIFTED_TENANTS, 'sub-tenants')),
  ];
  return { problems, undecided };
}

type ProblemRead = <T extends CustomerRow>(
  alerts: readonly Alert[],
  statement: string,
  ...values: string[]
) => Promise<T[]>;

/** Columns that `ofEach` selects of every kind of problem. */
interface CustomerRow {
  /** Place among the rows of the organization, from 1. */
  place: number;
  id: string;
  organization_id: string;
  /** Id of the workspace. */
  workspace: string;
}

interface DisabledRow extends CustomerRow {
  url: string;
  reason: string;
  mode: Mode;
}

interface StoppedRow extends CustomerRow {
  name: string;
  paused_at: Instant | null;
  cause: TenantReputation['pause_cause'];
  mode: Mode;
}

interface DriftedRow extends CustomerRow {
  name: string;
  status: string;
}

async function disabledWebhooks(read: ProblemRead): Promise<Problem[]> {
  const rows = await read<DisabledRow>(['webhook_disabled'], DISABLED, DISABLED_BY_REQUEST, BEING_DELETED);
  return rows.map((row): Problem => {
    // The rest of a URL may be a secret.
    const host = URL.canParse(row.url) ? new URL(row.url).host : 'an endpoint';
    return {
      ...customerColumns(row, row.mode),
      alert: 'webhook_disabled',
      title: `Webhook endpoint disabled: ${host}`,
      detail: row.reason,
      path: pagePath(row, 'webhooks', row.mode),
    };
  });
}

async function stoppedTenants(read: ProblemRead): Promise<Problem[]> {
  const rows = await read<StoppedRow>(['sub_tenant_paused', 'sub_tenant_throttled'], STOPPED_TENANTS);
  return rows.map((row): Problem => {
    const path = pagePath(row, 'sub-tenants');
    const columns = customerColumns(row, row.mode);
    if (row.paused_at === null) {
      const title = `Sub-tenant throttled: ${row.name}`;
      const detail = 'Its complaint rate exceeds the limit, so its mail is throttled.';
      return { ...columns, alert: 'sub_tenant_throttled', title, detail, path };
    }
    const rate = row.cause === 'bounce_rate' ? 'bounce rate' : 'complaint rate';
    const title = `Sub-tenant paused: ${row.name}`;
    const detail = `Its ${rate} exceeds the limit, so its mail is on hold.`;
    return { ...columns, alert: 'sub_tenant_paused', title, detail, path };
  });
}

async function driftedDomains(read: ProblemRead, statement: string, page: string): Promise<Problem[]> {
  const rows = await read<DriftedRow>(['domain_drifted'], statement);
  return rows.map((row) => ({
    ...customerColumns(row),
    alert: 'domain_drifted',
    title: `DNS records of ${row.name} are wrong`,
    detail:
      row.status === 'suspended'
        ? 'Its mail is on hold until the records are restored.'
        : 'Its mail is put on hold after six hours unless the records are restored.',
    path: pagePath(row, page),
  }));
}

function customerColumns(row: CustomerRow, mode?: Mode) {
  return {
    subject: mode === undefined ? row.id : `${row.id} ${mode}`,
    organization_id: row.organization_id,
    isUrgent: false,
  };
}

function pagePath({ id, workspace }: CustomerRow, page: string, mode: Mode = 'live'): string {
  return `/${workspace}/${mode}/${page}/${id}`;
}

function incidentReads(engine: Engine) {
  const db = engine.read.$extendTables<Known>();
  return {
    /** Incidents of that source that have not ended. */
    open: (source: string): Promise<AlertIncident[]> =>
      db
        .selectFrom('alert_incidents')
        .selectAll()
        .where('source', '=', source)
        .where('closed_at', 'is', null)
        .execute(),

    /** Sources that have incidents which have not ended. */
    async openSources(): Promise<string[]> {
      const query = db.selectFrom('alert_incidents').select('source').distinct();
      return (await query.where('closed_at', 'is', null).execute()).map(({ source }) => source);
    },

    /** When the last incident of the source about a page began; null without one. */
    async lastOpenedAt(source: string, path: string): Promise<number | null> {
      const row = await db
        .selectFrom('alert_incidents')
        .select((eb) => eb.fn.max<number | null>('opened_at').as('at'))
        .where('source', '=', source)
        .where('path', '=', path)
        .executeTakeFirst();
      return row?.at ?? null;
    },

    /** Incidents whose notices were not made yet. */
    unannounced: (): Promise<AlertIncident[]> =>
      db
        .selectFrom('alert_incidents')
        .selectAll()
        .where((row) =>
          row.or([
            row('announced', '=', 0),
            row.and([row('announced', '=', 1), row('closed_at', 'is not', null)]),
          ]),
        )
        .orderBy('id')
        .limit(MOST_ANNOUNCED)
        .execute(),

    subscribers: (): Promise<Subscriber[]> =>
      db
        .selectFrom('alert_settings as a')
        .innerJoin('members as m', 'm.user_id', 'a.user_id')
        .select(['a.user_id', 'a.mail_alerts', 'a.webhook_alerts', 'm.organization_id', 'm.role'])
        .execute(),

    /** Members of the organization, with the alerts that they have chosen, or the default. */
    async members(organizationId: string): Promise<AlertMember[]> {
      const rows = await db
        .selectFrom('members as m')
        .leftJoin('alert_settings as a', 'a.user_id', 'm.user_id')
        .select(['m.user_id', 'm.role', 'm.can_approve', 'a.mail_alerts', 'a.webhook_alerts'])
        .where('m.organization_id', '=', organizationId)
        .execute();
      return rows.map(({ mail_alerts, webhook_alerts, ...member }) => ({
        ...member,
        mail_alerts: mail_alerts ?? DEFAULT_MAIL_ALERTS,
        webhook_alerts: webhook_alerts ?? '[]',
      }));
    },

    memberships: (userId: string): Promise<Membership[]> =>
      db.selectFrom('members').select(['organization_id', 'role']).where('user_id', '=', userId).execute(),

    async settings(userId: string): Promise<AlertSettings | null> {
      const query = db.selectFrom('alert_settings').selectAll().where('user_id', '=', userId);
      return (await query.executeTakeFirst()) ?? null;
    },
  };
}

function noticeReads(engine: Engine) {
  const db = engine.read.$extendTables<Known>();
  return {
    noticesOfIncident: (incidentId: string): Promise<Pick<AlertNotice, 'user_id' | 'way'>[]> =>
      db
        .selectFrom('alert_notices')
        .select(['user_id', 'way'])
        .where('incident_id', '=', incidentId)
        .execute(),

    /** People and ways that have notices which are due. */
    duePeople: (now: number): Promise<Pick<AlertNotice, 'user_id' | 'way'>[]> =>
      db
        .selectFrom('alert_notices')
        .select(['user_id', 'way'])
        .distinct()
        .where('status', '=', 'pending')
        .where('due_at', '<=', now)
        .execute(),

    /** Notices to one person by one way. Urgent ones come first, then the oldest. */
    async due({ user_id, way }: Pick<AlertNotice, 'user_id' | 'way'>, now: number): Promise<DueNotice[]> {
      const notices = await db
        .selectFrom('alert_notices as n')
        .innerJoin('alert_incidents as i', 'i.id', 'n.incident_id')
        .select(NOTICE_COLUMNS)
        .where('n.user_id', '=', user_id)
        .where('n.way', '=', way)
        .where('n.status', '=', 'pending')
        .where('n.due_at', '<=', now)
        .orderBy(sql`CASE WHEN i.is_urgent = 1 OR i.alert = 'test' THEN 0 ELSE 1 END`)
        .orderBy('n.id')
        .limit(MOST_TOGETHER)
        .execute();
      const ids = [...new Set(notices.map((notice) => notice.incident_id))];
      if (ids.length === 0) return [];
      const incidents = await db.selectFrom('alert_incidents').selectAll().where('id', 'in', ids).execute();
      const byId = new Map(incidents.map((incident) => [incident.id, incident]));
      return notices.flatMap(({ incident_id: id, ...notice }) => {
        const incident = byId.get(id);
        return incident === undefined ? [] : [{ ...notice, incident }];
      });
    },

    async notices(userId: string, page: PageRequest): Promise<Page<ShownNotice>> {
      const query = db
        .selectFrom('alert_notices as n')
        .innerJoin('alert_incidents as i', 'i.id', 'n.incident_id')
        .leftJoin('messages as m', 'm.public_id', 'n.message_id')
        .selectAll('n')
        .select(['i.alert', 'i.title', 'i.detail', 'i.path', 'm.status as mail_status'])
        .where('n.user_id', '=', userId);
      return cutPage(await paged(query, page, { key: 'id', of: 'n' }).execute(), page.limit, (row) => row.id);
    },
  };
}

function noticeCounts(engine: Engine) {
  const db = engine.read.$extendTables<Known>();
  return {
    /** Mails or posts to the person by that way since a time (epoch ms). */
    async batchesSince(userId: string, way: AlertWay, since: number): Promise<number> {
      const { n } = await db
        .selectFrom('alert_notices')
        .select((eb) => eb.fn.count<number>('batch_id').distinct().as('n'))
        .where('user_id', '=', userId)
        .where('way', '=', way)
        .where('attempted_at', '>', since)
        .executeTakeFirstOrThrow();
      return n;
    },

    /** Tests that the person has asked for by that way since a time (epoch ms). */
    async testsSince(userId: string, way: AlertWay, since: number): Promise<number> {
      const { n } = await db
        .selectFrom('alert_notices as n')
        .innerJoin('alert_incidents as i', 'i.id', 'n.incident_id')
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .where('n.user_id', '=', userId)
        .where('n.way', '=', way)
        .where('n.created_at', '>', since)
        .where('i.alert', '=', 'test')
        .executeTakeFirstOrThrow();
      return n;
    },
  };
}
