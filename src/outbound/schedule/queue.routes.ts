// Operations of the queue: totals, destinations with retry, purge and pause, and active limits on paths.
import type { Static } from 'typebox';
import { listOf, pageQuery } from '../../contract/lists.js';
import {
  destinationPause,
  destinationsQuery,
  domainParams,
  NO_REASON,
  queue,
  queueDestination,
  queueOverride,
  queuePurge,
  queuePurgeRequest,
  queueRetry,
} from './queue.schema.js';
import { invalidFields, Refusal } from '../../contract/refusal.js';
import { deleted, idParams } from '../../contract/schema.js';
import { addressDomain, domainProblem } from '../../lib/mime/index.js';
import type { Scope } from '../../database/scope.js';
import { trailActor, type Caller } from '../../http/access/caller.js';
import type { Api } from '../../http/api.js';
import { readInstant } from '../../http/body/fields.js';
import { isOperatorCaller, refuseNonOperators } from '../../accounts/access/operator.js';
import { listAnswer, pageInMemory, readPage } from '../../http/lists/pages.js';
import type { OutboundApiContext } from '../context.js';
import type { LimitOverride } from '../outbound.tables.js';
import { DestinationRetries, pauseDestination, resumeDestination } from './destinations.js';
import { purge } from './purge.js';
import type { PurgeFilter } from './purge.store.js';
import { presentDestination, presentOverride, presentQueue } from './queue.view.js';
import { pageOfDestinations, QueueSnapshots, type Destination } from './queue-snapshots.js';

/** Queues of a destination that are searched for the last reply. */
const QUEUES_ASKED = 3;

const tags = ['Queue'];

type QueueContext = Pick<OutboundApiContext, 'store' | 'config' | 'traffic' | 'wakeUps' | 'clock'>;

export function queueRoutes(app: Api, context: QueueContext, snapshots = new QueueSnapshots(context)): void {
  totalsRoute(app, context, snapshots);
  destinationsRoute(app, context, snapshots);
  retryRoute(app, context, snapshots);
  purgeRoute(app, context, snapshots);
  pauseRoute(app, context, snapshots);
  resumeRoute(app, context, snapshots);
  overridesRoute(app, context);
  deleteOverrideRoute(app, context);
}

function totalsRoute(app: Api, { store }: QueueContext, snapshots: QueueSnapshots): void {
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
      const acceptedAt = await store.queueView.acceptedAt(oldestIds.length === 0 ? [] : [oldestId]);
      return presentQueue(destinations, acceptedAt.get(oldestId) ?? null);
    },
  );
}

function destinationsRoute(app: Api, context: QueueContext, snapshots: QueueSnapshots): void {
  app.get(
    '/v1/queue/destinations',
    {
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
        const rows = await describeAll(context, scope, found.rows);
        return listAnswer(request, { rows, next: found.next }, (row) => row);
      }
      const one = await snapshots.destination(scope, readDomain(wanted));
      const isKnown = one.depth > 0 || one.pauses.length > 0;
      const rows = isKnown ? [await describe(context, scope, one)] : [];
      return listAnswer(request, { rows, next: null }, (row) => row);
    },
  );
}

async function describeAll(context: QueueContext, scope: Scope, destinations: readonly Destination[]) {
  const described = [];
  for (const destination of destinations) {
    described.push(await describe(context, scope, destination));
    // The reads do not yield to the event loop.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return described;
}

async function describe({ store, traffic }: QueueContext, scope: Scope, destination: Destination) {
  const { queueView, attempts } = store;
  const { domain, queues, oldestId } = destination;
  const [fullest] = queues;
  const tried = await queueView.triedIn(queues.slice(0, QUEUES_ASKED).map(({ queueId }) => queueId));
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

/** Reads a domain in the form in which queues store it. */
export function readDomain(text: string): string {
  const problem = domainProblem(text, { underscore: true });
  if (problem !== null) throw invalidFields([{ path: 'domain', message: problem }]);
  return addressDomain(`postmaster@${text}`);
}

function retryRoute(app: Api, context: QueueContext, snapshots: QueueSnapshots): void {
  const retries = new DestinationRetries(context);
  app.post(
    '/v1/queue/destinations/:domain/retry',
    {
      schema: {
        operationId: 'queue.retryDestination',
        tags,
        summary: 'Retry a destination',
        description:
          'Immediately retries all deferred and held messages for a domain. Messages with a later `send_at`, messages that may already have arrived, and messages whose last reply asked for a delay (greylisting, a stated time or a block list) keep their time. `waiting` has the number of messages in the last group. Limits and pauses still apply. Allowed once per minute and destination; earlier requests fail with 429 and `Retry-After`.',
        params: domainParams,
        response: { 200: queueRetry },
      },
    },
    async (request) => {
      const domain = readDomain(request.params.domain);
      const { retried, waiting } = await retries.retry(request.caller.scope, domain);
      snapshots.forget();
      return { object: 'queue_retry' as const, domain, retried, waiting };
    },
  );
}

type PurgeBody = Static<typeof queuePurgeRequest>;

const FILTERS = ['domain', 'sub_tenant_id', 'tag', 'campaign_id', 'type', 'accepted_before'] as const;

function purgeRoute(app: Api, context: QueueContext, snapshots: QueueSnapshots): void {
  app.post(
    '/v1/queue/purge',
    {
      config: {
        audit: { shows: ['action', 'domain', 'tag', 'campaign_id', 'reason'] },
        idempotency: 'resumable',
      },
      schema: {
        operationId: 'queue.purge',
        tags,
        summary: 'Purge the queue',
        description:
          'Cancels or bounces queued messages that match all of the filters. Messages that are currently being delivered are not affected. Queued copies of a paused campaign are included. A large queue requires several requests, until `complete` is `true`.',
        body: queuePurgeRequest,
        response: { 200: queuePurge },
      },
    },
    async (request) => {
      const { body, caller } = request;
      const scope = narrowed(caller.scope, body.sub_tenant_id);
      if (body.all !== true && FILTERS.every((name) => body[name] === undefined)) {
        throw invalidFields([{ path: 'all', message: 'must be true if no filter is given' }]);
      }
      const { dry_run: isDryRun } = body;
      const found = await purge(context, scope, {
        action: body.action,
        isDryRun,
        reason: body.reason ?? NO_REASON,
        ...(body.domain === undefined ? {} : { domain: readDomain(body.domain) }),
        filter: readFilter(body),
        actor: trailActor(caller),
      });
      if (!isDryRun) snapshots.forget();
      return {
        object: 'queue_purge' as const,
        action: body.action,
        dry_run: isDryRun,
        matched: found.matched,
        canceled: found.canceled,
        bounced: found.bounced,
        in_doubt: found.inDoubt,
        message_ids: found.sample,
        complete: !found.hasMore,
      };
    },
  );
}

/** Narrows the scope to a sub-tenant. Refused with `not_found` for a key of another sub-tenant. */
function narrowed(scope: Scope, subTenantId: string | undefined): Scope {
  if (subTenantId === undefined || subTenantId === scope.subTenantId) return scope;
  if (scope.subTenantId !== null) throw new Refusal('not_found');
  return { ...scope, subTenantId };
}

function readFilter({ type, tag, campaign_id, accepted_before }: PurgeBody): PurgeFilter {
  return {
    ...(type === undefined ? {} : { types: type }),
    ...(tag === undefined ? {} : { tags: [tag] }),
    ...(campaign_id === undefined ? {} : { campaignId: campaign_id }),
    ...(accepted_before === undefined
      ? {}
      : { acceptedBefore: readInstant('accepted_before', accepted_before) }),
  };
}

/** Describes the destination after a change. */
async function describeAnew(context: QueueContext, snapshots: QueueSnapshots, scope: Scope, domain: string) {
  snapshots.forget();
  return describe(context, scope, await snapshots.destination(scope, domain));
}

function pauseRoute(app: Api, context: QueueContext, snapshots: QueueSnapshots): void {
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
      await pauseDestination(context, scope, domain, request.body.reason ?? '');
      return describeAnew(context, snapshots, scope, domain);
    },
  );
}

function resumeRoute(app: Api, context: QueueContext, snapshots: QueueSnapshots): void {
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
      await resumeDestination(context, scope, domain);
      return describeAnew(context, snapshots, scope, domain);
    },
  );
}

function overridesRoute(app: Api, { store, traffic }: QueueContext): void {
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
}

function deleteOverrideRoute(app: Api, { traffic }: QueueContext): void {
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
      refuseNonOperators(request.caller, 'remove a limit');
      const { id } = request.params;
      if (!(await traffic.removeOverride(id))) throw new Refusal('not_found');
      return { id, object: 'queue_override' as const, deleted: true as const };
    },
  );
}

/** Limits of a sub-tenant are visible to its workspace and to the operator. */
async function visibleOverrides(
  store: QueueContext['store'],
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
