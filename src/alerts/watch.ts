// Observes problems, opens and closes incidents, and makes the notices of the people who chose the alert.
import type { Alert } from '../contract/names.js';
import { Refusal } from '../contract/refusal.js';
import type { Clock } from '../lib/runtime/clock.js';
import { newId } from '../lib/runtime/ids.js';
import { readAs } from '../database/engine/reading.js';
import { backupDueAt } from '../backups/backup-due.rules.js';
import type { Membership, Subscriber } from './alerts.store.js';
import {
  ALERT_WAYS,
  type AlertIncident,
  type AlertNotice,
  type AlertWay,
  alertIncidents,
  alertNotices,
} from './alerts.tables.js';
import {
  backupProblem,
  hostObservation,
  incidentChanges,
  problemColumns,
  HOST_SETTLE_MS,
  SETTLE_MS,
  type Observation,
} from './incidents.rules.js';
import type { Change, Plan } from '../database/change.js';
import { update, insert } from '../database/rows.js';
import type { AlertStores } from './stores.js';

type Check = Parameters<typeof hostObservation>[1][number];

export interface WatchDeps {
  store: Pick<AlertStores, 'alerts' | 'backups' | 'readings' | 'commit'>;
  /** Name of this machine. */
  host: string;
  /** The last checks of this machine; null before the first have ended. */
  checks: () => { results: readonly Check[] } | null;
  /** Runs the check of the free disk space, which changes faster than the other checks are repeated. */
  checkDisk: () => Promise<Check>;
  /** Cron pattern of the backups; null without a schedule, and where a database server makes them. */
  backupSchedule: string | null;
  /** Names of the machines of all living nodes, or of this server alone. */
  livingHosts: () => readonly string[];
  clock: Clock;
}

const READING = { owner: 'alerts', budgetMs: 5_000 };
/** Another node has announced the incident. */
const TAKEN = { code: 'conflict' } as const;

export function createWatch({
  store,
  host,
  checks,
  checkDisk,
  backupSchedule,
  livingHosts,
  clock,
}: WatchDeps) {
  const { alerts } = store;
  const startedAt = clock();

  async function observe(
    observation: Observation,
    atEnd: Partial<Pick<AlertIncident, 'announced'>> = {},
  ): Promise<void> {
    const now = clock();
    const { source } = observation;
    const changes = incidentChanges(await alerts.open(source), observation, now);
    const set = (id: string, columns: Partial<AlertIncident>): Change =>
      update(alertIncidents, { set: columns, where: { id, closed_at: null } });
    const plan: Plan = [
      ...changes.opened.map((problem): Change => {
        const times = { opened_at: now, gone_since: null, closed_at: null, announced: 0 as const };
        const row = { id: newId('inc', now), source, ...problemColumns(problem), ...times };
        return insert(alertIncidents, { row, conflict: 'ignore' });
      }),
      ...changes.back.map((id) => set(id, { gone_since: null })),
      ...changes.gone.map((id) => set(id, { gone_since: now })),
      ...changes.closed.map(({ id, at }) => set(id, { closed_at: at, ...atEnd })),
    ];
    if (plan.length > 0) await store.commit(plan);
  }

  /**
   * Ends the incidents of machines that are no longer nodes, and of a container's former names. No one is told that they are
   * resolved: a full disk may be the very reason why its machine is gone.
   */
  async function observeGone(): Promise<void> {
    const sources = new Set(['store', ...livingHosts().map((name) => `host:${name}`)]);
    for (const source of await alerts.openSources()) {
      if (sources.has(source)) continue;
      const gone = { source, problems: [], undecided: new Set<string>(), settleMs: HOST_SETTLE_MS };
      await observe(gone, { announced: 2 });
    }
  }

  async function announce(
    incident: AlertIncident,
    subscribers: readonly Subscriber[],
    operator: { organizationId: string } | null,
  ): Promise<void> {
    const { id, announced } = incident;
    const now = clock();
    const isEnd = announced === 1;
    const told = isEnd ? await alerts.noticesOfIncident(id) : recipients(incident, subscribers, operator);
    const notices = told.map(({ user_id, way }): Change =>
      insert(alertNotices, {
        row: newNotice({ incident_id: id, user_id, way, stage: isEnd ? 'closed' : 'opened' }, now),
      }),
    );
    const next = isEnd ? 2 : 1;
    await store.commit([
      update(alertIncidents, { set: { announced: next }, where: { id, announced }, otherwise: TAKEN }),
      ...notices,
    ]);
  }

  return {
    /** For each node: the last checks of its machine, and its free disk space now. */
    async watchHost(): Promise<void> {
      const report = checks();
      const operator = await alerts.operator();
      if (report === null || operator === null) return;
      const path = `/${operator.workspaceId}/live/health`;
      const disk = await checkDisk();
      const others = report.results.filter(({ name }) => name !== disk.name);
      await observe(hostObservation(host, [...others, disk], path));
    },

    async watchRows(): Promise<void> {
      const operator = await alerts.operator();
      if (operator === null) return;
      const place = `/${operator.workspaceId}/live`;
      const { problems, undecided } = await readAs(store.readings, READING, async () => {
        const { tried } = await store.backups.latest();
        const goodAt = tried?.ended_at ?? null;
        const dueAt = backupDueAt({ schedule: backupSchedule, goodAt, startedAt });
        const servers = [
          ...backupProblem({ tried, dueAt }, `${place}/health`, clock()),
          ...(await alerts.serverProblems(place, clock())),
        ];
        const customers = await alerts.customerProblems();
        return { ...customers, problems: [...servers, ...customers.problems] };
      });
      await observe({ source: 'store', problems, undecided, settleMs: SETTLE_MS });
      await observeGone();
    },

    /** Makes the notices of incidents that have begun or ended. */
    async announceAll(): Promise<void> {
      const incidents = await alerts.unannounced();
      if (incidents.length === 0) return;
      const [subscribers, operator] = [await alerts.subscribers(), await alerts.operator()];
      for (const incident of incidents) {
        try {
          await announce(incident, subscribers, operator);
        } catch (error) {
          if (!(error instanceof Refusal && error.code === 'conflict')) throw error;
        }
      }
    },
  };
}

/** A notice that is due. */
export function newNotice(
  of: Pick<AlertNotice, 'incident_id' | 'user_id' | 'way' | 'stage'>,
  now: number,
): AlertNotice {
  const untried = { attempts: 0, batch_id: null, message_id: null, error: null, attempted_at: null };
  return { id: newId('ntc', now), ...of, status: 'pending', ...untried, due_at: now, created_at: now };
}

/** Alerts about the server are for owners and admins of the operator's organization. */
export function mayLearn(
  { organization_id: organizationId }: Pick<AlertIncident, 'organization_id'>,
  { organization_id: own, role }: Membership,
  operator: { organizationId: string } | null,
): boolean {
  if (organizationId !== null) return own === organizationId;
  return own === operator?.organizationId && (role === 'owner' || role === 'admin');
}

/** People who have chosen the alert and may learn of it. */
function recipients(
  incident: AlertIncident,
  subscribers: readonly Subscriber[],
  operator: { organizationId: string } | null,
): { user_id: string; way: AlertWay }[] {
  return subscribers.flatMap((person) => {
    if (!mayLearn(incident, person, operator)) return [];
    return ALERT_WAYS.filter((way) => chosenAlerts(person, way).some((name) => name === incident.alert)).map(
      (way) => ({ user_id: person.user_id, way }),
    );
  });
}

function chosenAlerts(
  person: Pick<Subscriber, 'mail_alerts' | 'webhook_alerts'>,
  way: AlertWay,
): readonly Alert[] {
  const chosen = way === 'mail' ? person.mail_alerts : person.webhook_alerts;
  return JSON.parse(chosen) as Alert[]; // written by the API only
}
