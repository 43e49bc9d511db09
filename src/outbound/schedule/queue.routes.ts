// The queue: how much waits and why, what to do about a destination, and the active limits on paths.
import { listOf, pageQuery } from '../../contract/lists.js';
import {
  destinationPause,
  destinationsQuery,
  domainParams,
  queue,
  queueDestination,
  queueOverride,
} from './queue.schema.js';
import { invalidFields, Refusal } from '../../contract/refusal.js';
import { deleted, idParams } from '../../contract/schema.js';
import { domainOf, domainProblem } from '../../lib/mime/address.js';
import type { Clock } from '../../lib/runtime/clock.js';
import type { AttemptStore } from '../../messages/attempts.store.js';
import type { DestinationKey } from './queue.store.js';
import type { QueueViewStore } from './queue-view.store.js';
import type { Scope } from '../../database/scope.js';
import type { OutboundStores } from '../stores.js';
import type { TrafficView } from '../traffic-view.js';
import type { Caller } from '../../http/access/caller.js';
import type { Api } from '../../http/api.js';
import { isOperatorCaller, refuseOthers } from '../../accounts/access/operator.js';
import { listAnswer, pageInMemory, readPage } from '../../http/lists/pages.js';
import { purgeRoute } from './queue-purge.routes.js';
import { retryRoute } from './queue-retry.routes.js';
import type { WakeUps } from '../../events/wake-ups.js';
import type { AskedWaits } from './retry-schedule.rules.js';
import { presentDestination, presentOverride, presentQueue } from './queue.view.js';
import {
  createQueueSnapshots,
  pageOfDestinations,
  type Destination,
  type QueueSnapshots,
} from './queue-snapshot.routes.js';
import { type LimitOverride, destinationPauses } from '../outbound.tables.js';
import { upsert, remove } from '../../database/rows.js';

/** Time (ms) that a snapshot of the queue is used again. */
const SNAPSHOT_AGE_MS = 1_000;
/** Queues of a destination whose messages are asked for the last reply. */
const QUEUES_ASKED = 3;

export interface QueueDeps {
  store: Pick<OutboundStores, 'tenants' | 'commit' | 'queue' | 'queueView' | 'purge' | 'backups'>;
  attempts: AttemptStore;
  queueView: QueueViewStore;
  traffic: TrafficView;
  wakeUps: Pick<WakeUps, 'events'>;
  clock: Clock;
  /** Waits of receivers that a retry respects, in milliseconds. */
  settings: AskedWaits;
  /** Time (ms) that a snapshot of the queue is used again; 1 s by default. */
  snapshotAgeMs?: number;
}

const tags = ['Queue'];

export function queueRoutes(app: Api, deps: QueueDeps): void {
  const { queueView, clock, snapshotAgeMs = SNAPSHOT_AGE_MS } = deps;
  const snapshots = createQueueSnapshots({ queueView, clock, ageMs: snapshotAgeMs });
  readRoutes(app, deps, snapshots);
  retryRoute(app, { ...deps, readDomain, onRetried: () => snapshots.forget() });
  purgeRoute(app, { ...deps, readDomain, onPurged: () => snapshots.forget() });
  pauseRoutes(app, deps, snapshots);
  overrideRoutes(app, deps);
}

function readRoutes(app: Api, deps: QueueDeps, snapshots: QueueSnapshots): void {
  app.get(
    '/v1/queue',
    {
      schema: {
        operationId: 'queue.get',
        tags,
        summary: 'Retrieve queue totals',
        description:
          'Returns the number of queued messages and the age of the oldest. The figures are up to a few seconds old.',
        response: { 200: queue },
      },
    },
    async (request) => {
      const destinations = await snapshots.destinations(request.caller.scope);
      const oldestIds = destinations.flatMap(({ oldestId }) => (oldestId === null ? [] : [oldestId]));
      const oldestId = oldestIds.reduce((oldest, id) => Math.min(oldest, id), Infinity);
      const acceptedAt = await deps.queueView.acceptedAt(oldestIds.length === 0 ? [] : [oldestId]);
      return presentQueue(destinations, acceptedAt.get(oldestId) ?? null);
    },
  );

  app.get(
    '/v1/queue/destinations',
    {
      config: { speaks: ['data.reason.text'] },
      schema: {
        operationId: 'queue.listDestinations',
        tags,
        summary: 'List queued destinations',
        description:
          'Returns queued messages by recipient domain, largest first, with the state of each domain. Paused destinations are included even if nothing is queued. The figures are up to a few seconds old, so a destination may be repeated or missed while you paginate.',
        querystring: destinationsQuery,
        response: { 200: listOf(queueDestination) },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      const wanted = request.query.domain;
      const page = readPage(request);
      if (wanted === undefined) {
        const found = pageOfDestinations(await snapshots.destinations(scope), page);
        const rows = await describeAll(deps, scope, found.rows);
        return listAnswer(request, { rows, next: found.next }, (row) => row);
      }
      const one = await snapshots.destination(scope, readDomain(wanted));
      const isKnown = one.depth > 0 || one.pauses.length > 0;
      const rows = isKnown ? [await describe(deps, scope, one)] : [];
      return listAnswer(request, { rows, next: null }, (row) => row);
    },
  );
}

async function describeAll(deps: QueueDeps, scope: Scope, destinations: readonly Destination[]) {
  const described = [];
  for (const destination of destinations) {
    described.push(await describe(deps, scope, destination));
    // each takes some reads that do not wait for anything
    await new Promise((resolve) => setImmediate(resolve));
  }
  return described;
}

async function describe(deps: QueueDeps, scope: Scope, destination: Destination) {
  const { queueView, attempts, traffic } = deps;
  const { domain, queues, oldestId } = destination;
  const [fullest] = queues;
  const tried = await queueView.triedIn(queues.slice(0, QUEUES_ASKED).map((queue) => queue.queueId));
  const acceptedAt = await queueView.acceptedAt(oldestId === null ? [] : [oldestId]);
  return presentDestination({
    destination,
    provider: traffic.providerOf(domain),
    limitReason: fullest
      ? traffic.reasonFor({ ...fullest, environmentId: scope.environmentId, mode: scope.mode })
      : null,
    lastAttempt: await attempts.newestAmong(tried),
    oldestAt: acceptedAt.get(oldestId ?? 0) ?? null,
  });
}

/** The domain of a path or query, in the form that mail waits under. */
export function readDomain(text: string): string {
  const problem = domainProblem(text, { underscore: true });
  if (problem !== null) throw invalidFields([{ path: 'domain', message: problem }]);
  return domainOf(`postmaster@${text}`);
}

function pauseRoutes(app: Api, deps: QueueDeps, snapshots: QueueSnapshots): void {
  const { store, queueView, traffic, clock } = deps;
  const keyOf = (scope: Scope, domain: string): DestinationKey => ({
    environmentId: scope.environmentId,
    subTenantKey: scope.subTenantId ?? '',
    domain,
  });
  async function present(scope: Scope, domain: string) {
    snapshots.forget();
    return describe(deps, scope, await snapshots.destination(scope, domain));
  }

  app.post(
    '/v1/queue/destinations/:domain/pause',
    {
      config: { optionalBody: true },
      schema: {
        operationId: 'queue.pauseDestination',
        tags,
        summary: 'Pause a destination',
        description:
          'Pauses delivery to a domain for the whole environment, or for the sub-tenant of the key or `X-Sub-Tenant-Id`. Messages are still accepted and wait until delivery is resumed or they reach their own `expires_at`. Messages that are currently being delivered are not stopped.',
        params: domainParams,
        body: destinationPause,
        response: { 200: queueDestination },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      const domain = readDomain(request.params.domain);
      const key = keyOf(scope, domain);
      const row = {
        environment_id: key.environmentId,
        sub_tenant_key: key.subTenantKey,
        domain,
        reason: request.body.reason ?? '',
        created_at: clock(),
      };
      await store.commit([
        upsert(destinationPauses, {
          row,
          key: ['environment_id', 'sub_tenant_key', 'domain'],
          set: { reason: row.reason },
        }),
      ]);
      traffic.pause(row);
      return present(scope, domain);
    },
  );

  app.post(
    '/v1/queue/destinations/:domain/resume',
    {
      schema: {
        operationId: 'queue.resumeDestination',
        tags,
        summary: 'Resume a destination',
        description:
          'Resumes delivery to a domain for the same scope as the pause. Resuming a sub-tenant does not end a pause of the whole environment.',
        params: domainParams,
        response: { 200: queueDestination },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      const domain = readDomain(request.params.domain);
      const key = keyOf(scope, domain);
      const pauses = await queueView.pauses(scope, domain);
      await store.commit([
        remove(destinationPauses, {
          where: { environment_id: key.environmentId, sub_tenant_key: key.subTenantKey, domain },
        }),
      ]);
      traffic.resume(key);
      traffic.notify(await queueView.queueIds(scope, domain));
      if (scope.subTenantId !== null && pauses.some((pause) => pause.sub_tenant_key === '')) {
        throw new Refusal('conflict', 'The destination is paused for the whole workspace.');
      }
      return present(scope, domain);
    },
  );
}

function overrideRoutes(app: Api, { store, traffic }: QueueDeps): void {
  app.get(
    '/v1/queue/overrides',
    {
      schema: {
        operationId: 'queue.listOverrides',
        tags,
        summary: 'List active limits',
        description:
          'Returns the limits that Mailkeel has set because of replies from receiving mail servers. They apply to all mail on a path and end automatically.',
        querystring: pageQuery,
        response: { 200: listOf(queueOverride) },
      },
    },
    async (request) => {
      const { caller } = request;
      const visible = await visibleOverrides(store, caller, traffic.overrides());
      const page = pageInMemory(visible, readPage(request), (row) => row.id);
      return listAnswer(request, page, (row) => presentOverride(row, isOperatorCaller(caller)));
    },
  );

  app.delete(
    '/v1/queue/overrides/:id',
    {
      config: { permission: 'admin', role: 'admin' },
      schema: {
        operationId: 'queue.deleteOverride',
        tags,
        summary: 'Remove an active limit',
        description:
          "Removes a limit before it expires. Requires a signed-in admin, or a live key with permission `admin`, of the operator's workspace, not limited to a sub-tenant.",
        params: idParams,
        response: { 200: deleted('queue_override') },
      },
    },
    async (request) => {
      refuseOthers(request.caller, 'remove a limit');
      const { id } = request.params;
      if (!(await traffic.removeOverride(id))) throw new Refusal('not_found');
      return { id, object: 'queue_override' as const, deleted: true as const };
    },
  );
}

/** Limits of one sub-tenant are seen by its own workspace, and by the operator. */
async function visibleOverrides(
  store: QueueDeps['store'],
  caller: Caller,
  overrides: readonly LimitOverride[],
): Promise<LimitOverride[]> {
  const { scope } = caller;
  const tenants = new Set(overrides.map((row) => row.sub_tenant_key).filter((key) => key !== ''));
  const own = new Set(['']);
  for (const id of tenants)
    if (isOperatorCaller(caller) || (await store.tenants.subTenant(scope, id)) !== null) own.add(id);
  return overrides.filter((row) => own.has(row.sub_tenant_key));
}
