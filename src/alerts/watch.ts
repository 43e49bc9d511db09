// Observes problems, opens and closes incidents, and makes the notices of the people who chose the alert.
import type { Alert } from '../contract/names.js';
import { Refusal } from '../contract/refusal.js';
import { type Clock, newId } from '../lib/runtime/index.js';
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
  replicaProblems,
  HOST_SETTLE_MS,
  SETTLE_MS,
  type Observation,
} from './incidents.rules.js';
import type { Change, Plan } from '../database/change.js';
import { update, insert } from '../database/rows.js';
import type { AlertContext } from './context.js';
import type { AlertStores } from './stores.js';

const READING = { owner: 'alerts', budgetMs: 5_000 };
/** Another node has announced the incident. */
const TAKEN = { code: 'conflict' } as const;

type WatchContext = Pick<
  AlertContext,
  'clock' | 'host' | 'checks' | 'checkDisk' | 'backupSchedule' | 'replica' | 'livingHosts'
> & { store: Pick<AlertStores, 'alerts' | 'backups' | 'readings' | 'commit'> };

export class Watch {
  readonly #context: WatchContext;
  readonly #store: WatchContext['store'];
  readonly #alerts: AlertStores['alerts'];
  readonly #clock: Clock;
  readonly #startedAt: number;

  constructor(context: WatchContext) {
    this.#context = context;
    this.#store = context.store;
    this.#alerts = context.store.alerts;
    this.#clock = context.clock;
    this.#startedAt = context.clock();
  }

  /** Observes the last checks of this machine and its free disk space. Runs on each node. */
  async watchHost(): Promise<void> {
    const { host, checks, checkDisk } = this.#context;
    const report = checks();
    const operator = await this.#alerts.operator();
    if (report === null || operator === null) return;
    const path = `/${operator.workspaceId}/live/health`;
    const disk = await checkDisk();
    const others = report.results.filter(({ name }) => name !== disk.name);
    await this.#observe(hostObservation(host, [...others, disk], path));
  }

  /** Observes the problems that the database shows. */
  async watchRows(): Promise<void> {
    const operator = await this.#alerts.operator();
    if (operator === null) return;
    const path = `/${operator.workspaceId}/live`;
    const { problems, undecided } = await readAs(this.#store.readings, READING, async () => {
      const { tried } = await this.#store.backups.latest();
      const goodAt = tried?.ended_at ?? null;
      const { backupSchedule: schedule } = this.#context;
      const dueAt = backupDueAt({ schedule, goodAt, startedAt: this.#startedAt });
      const servers = [
        ...backupProblem({ tried, dueAt }, `${path}/health`, this.#clock()),
        ...replicaProblems(this.#context.replica(), {
          ...{ path: `${path}/health`, startedAt: this.#startedAt, now: this.#clock() },
        }),
        ...(await this.#alerts.serverProblems(path, this.#clock())),
      ];
      const customers = await this.#alerts.customerProblems();
      return { ...customers, problems: [...servers, ...customers.problems] };
    });
    await this.#observe({ source: 'store', problems, undecided, settleMs: SETTLE_MS });
    await this.#closeGone();
  }

  /** Makes the notices of incidents that have begun or ended. */
  async announceAll(): Promise<void> {
    const incidents = await this.#alerts.unannounced();
    if (incidents.length === 0) return;
    const [subscribers, operator] = [await this.#alerts.subscribers(), await this.#alerts.operator()];
    for (const incident of incidents) {
      try {
        await this.#announce(incident, subscribers, operator);
      } catch (error) {
        if (!(error instanceof Refusal && error.code === 'conflict')) throw error;
      }
    }
  }

  async #observe(
    observation: Observation,
    atEnd: Partial<Pick<AlertIncident, 'announced'>> = {},
  ): Promise<void> {
    const now = this.#clock();
    const { source } = observation;
    const changes = incidentChanges(await this.#alerts.open(source), observation, now);
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
    if (plan.length > 0) await this.#store.commit(plan);
  }

  /**
   * Ends the incidents of machines that are no longer nodes, and of a container's former names. They are not announced as resolved,
   * because a full disk may be the reason why the machine left.
   */
  async #closeGone(): Promise<void> {
    const hosts = this.#context.livingHosts().map((name) => `host:${name}`);
    const sources = new Set(['store', ...hosts]);
    for (const source of await this.#alerts.openSources()) {
      if (sources.has(source)) continue;
      const gone = { source, problems: [], undecided: new Set<string>(), settleMs: HOST_SETTLE_MS };
      await this.#observe(gone, { announced: 2 });
    }
  }

  async #announce(
    incident: AlertIncident,
    subscribers: readonly Subscriber[],
    operator: { organizationId: string } | null,
  ): Promise<void> {
    const { id, announced } = incident;
    const now = this.#clock();
    const isEnd = announced === 1;
    const told = isEnd
      ? await this.#alerts.noticesOfIncident(id)
      : recipients(incident, subscribers, operator);
    const notices = told.map(({ user_id, way }): Change =>
      insert(alertNotices, {
        row: newNotice({ incident_id: id, user_id, way, stage: isEnd ? 'closed' : 'opened' }, now),
      }),
    );
    const next = isEnd ? 2 : 1;
    await this.#store.commit([
      update(alertIncidents, { set: { announced: next }, where: { id, announced }, otherwise: TAKEN }),
      ...notices,
    ]);
  }
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
    return chosenWays(person, incident.alert).map((way) => ({ user_id: person.user_id, way }));
  });
}

/** The ways by which the person wants the alert. */
export function chosenWays(
  person: Pick<Subscriber, 'mail_alerts' | 'webhook_alerts'>,
  alert: Alert | 'test',
): AlertWay[] {
  return ALERT_WAYS.filter((way) => chosenAlerts(person, way).some((name) => name === alert));
}

function chosenAlerts(
  person: Pick<Subscriber, 'mail_alerts' | 'webhook_alerts'>,
  way: AlertWay,
): readonly Alert[] {
  const chosen = way === 'mail' ? person.mail_alerts : person.webhook_alerts;
  return JSON.parse(chosen) as Alert[]; // written by the API only
}
