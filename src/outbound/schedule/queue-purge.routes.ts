// POST /v1/queue/purge: takes waiting mail out of the queue.
import { trailActor } from '../../http/access/caller.js';
import type { Api } from '../../http/api.js';
import { readInstant } from '../../http/body/fields.js';
import { invalidFields, Refusal } from '../../contract/refusal.js';
import type { Scope } from '../../database/scope.js';
import { purge, type PurgeDeps } from './purge.js';
import type { PurgeFilter } from './purge.store.js';
import { NO_REASON, queuePurge, queuePurgeRequest } from './queue.schema.js';
import type { Static } from 'typebox';

export interface QueuePurgeDeps extends PurgeDeps {
  readDomain: (text: string) => string;
  /** Called when mail was taken: cached snapshots of the queue are out of date. */
  onPurged: () => void;
}

type Body = Static<typeof queuePurgeRequest>;

const FILTERS = ['domain', 'sub_tenant_id', 'tag', 'campaign_id', 'type', 'accepted_before'] as const;

export function purgeRoute(app: Api, deps: QueuePurgeDeps): void {
  app.post(
    '/v1/queue/purge',
    {
      config: {
        audit: { shows: ['action', 'domain', 'tag', 'campaign_id', 'reason'] },
        idempotency: 'resumable',
      },
      schema: {
        operationId: 'queue.purge',
        tags: ['Queue'],
        summary: 'Purge the queue',
        description:
          'Cancels or bounces queued messages that match all of the filters. Messages that are currently being delivered are not affected. Queued copies of a paused campaign are included. A large queue requires several requests, until `complete` is `true`.',
        body: queuePurgeRequest,
        response: { 200: queuePurge },
      },
    },
    async (request) => {
      const { body, caller } = request;
      const scope = scopeOf(caller.scope, body.sub_tenant_id);
      if (body.all !== true && FILTERS.every((name) => body[name] === undefined)) {
        throw invalidFields([{ path: 'all', message: 'must be true if no filter is given' }]);
      }
      const { dry_run: isDryRun } = body;
      const found = await purge(deps, scope, {
        action: body.action,
        isDryRun,
        reason: body.reason ?? NO_REASON,
        ...(body.domain === undefined ? {} : { domain: deps.readDomain(body.domain) }),
        filter: filterOf(body),
        actor: trailActor(caller),
      });
      if (!isDryRun) deps.onPurged();
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

/** The scope, narrowed to a sub-tenant. A key that is pinned to another one finds nothing. */
function scopeOf(scope: Scope, subTenantId: string | undefined): Scope {
  if (subTenantId === undefined || subTenantId === scope.subTenantId) return scope;
  if (scope.subTenantId !== null) throw new Refusal('not_found');
  return { ...scope, subTenantId };
}

function filterOf({ type, tag, campaign_id, accepted_before }: Body): PurgeFilter {
  return {
    ...(type === undefined ? {} : { types: type }),
    ...(tag === undefined ? {} : { tags: [tag] }),
    ...(campaign_id === undefined ? {} : { campaignId: campaign_id }),
    ...(accepted_before === undefined
      ? {}
      : { acceptedBefore: readInstant('accepted_before', accepted_before) }),
  };
}
