// The attempts of one message, its explanation in plain words, and an immediate retry.
import { trailActor, type Caller } from '../../http/access/caller.js';
import { attemptList, type AttemptObject } from '../../messages/attempt.schema.js';
import { explanation, type ExplanationObject } from './explanation.schema.js';
import { message } from '../../messages/message.schema.js';
import type { ErrorDetail, MessageTrailEvent } from '../../contract/names.js';
import { Refusal } from '../../contract/refusal.js';
import { idParams } from '../../contract/schema.js';
import { addressKey, domainOf } from '../../lib/mime/address.js';
import { explain, type Explanation } from './explain.rules.js';
import { askedWaitMs, type AskedWaits } from '../schedule/retry-schedule.rules.js';
import type { ExplainFacts } from './explain-facts.rules.js';
import { blockingRow } from '../../suppressions/suppression.rules.js';
import type { Clock } from '../../lib/runtime/clock.js';
import type { AttemptStore, Attempt } from '../../messages/attempts.store.js';
import { detailOf } from '../../events/events.store.js';
import type { Message } from '../../messages/messages.store.js';
import type { QueueEntry, QueueViewStore } from '../schedule/queue-view.store.js';
import type { Scope } from '../../database/scope.js';
import { auditTrailEntry, auditTrailSubject } from '../../events/audit-trail-entry.store.js';
import type { Api } from '../../http/api.js';
import { presentMessage } from '../../messages/message.view.js';
import { iso } from '../../contract/time.js';
import { findMessage } from '../../messages/messages.routes.js';
import type { TrafficView } from '../traffic-view.js';
import type { Change } from '../../database/change.js';
import type { OutboundStores } from '../stores.js';
import { update } from '../../database/rows.js';
import { queue } from '../../messages/queue.tables.js';

/** `openings`: how sessions began, by id. */
function presentAttempt(
  message: Message,
  attempt: Attempt,
  openings: ReadonlyMap<string, string[]>,
): AttemptObject {
  const { number, at, sessionId, detail, conversation } = attempt;
  return {
    object: 'attempt',
    message_id: message.public_id,
    number,
    at: iso(at),
    ...detail,
    session_id: sessionId,
    conversation: {
      opening: sessionId === null ? null : (openings.get(sessionId) ?? null),
      transaction: conversation,
    },
  };
}

function presentExplanation(message: Message, explanation: Explanation): ExplanationObject {
  const { code, summary, chain, next, advice } = explanation;
  return {
    object: 'explanation',
    message_id: message.public_id,
    status: message.status,
    code,
    summary,
    chain: chain.map((entry) => ({ ...entry, at: iso(entry.at) })),
    next: next === null ? null : { ...next, at: iso(next.at) },
    advice,
  };
}

export interface MessageInsightDeps {
  store: Pick<
    OutboundStores,
    'accounts' | 'suppressions' | 'commit' | 'events' | 'messages' | 'tenants' | 'domains'
  >;
  attempts: AttemptStore;
  queueView: QueueViewStore;
  traffic: Pick<TrafficView, 'reasonFor' | 'probe' | 'notify'>;
  wakeUps: { events(): void };
  clock: Clock;
  settings: AskedWaits;
}

const tags = ['Messages'];
/** A key that may send may read what became of its messages. */
const config = { permission: 'send' } as const;

export function messageInsightRoutes(app: Api, deps: MessageInsightDeps): void {
  const { store, attempts } = deps;

  app.get(
    '/v1/messages/:id/attempts',
    {
      config,
      schema: {
        operationId: 'messages.listAttempts',
        tags,
        summary: "List a message's delivery attempts",
        description:
          'Returns the attempts to deliver a message with their SMTP transcripts, oldest first. Includes at most the last 200 attempts.',
        params: idParams,
        response: { 200: attemptList },
      },
    },
    async (request) => {
      const found = await findMessage(store, request.caller.scope, request.params.id);
      const { attempts: rows, hasMore } = await attempts.attemptsOf(found);
      const sessionIds = rows.flatMap(({ sessionId }) => (sessionId === null ? [] : [sessionId]));
      const openings = await attempts.openingsOf(sessionIds);
      return {
        object: 'list' as const,
        data: rows.map((row) => presentAttempt(found, row, openings)),
        has_more: hasMore,
        next_cursor: null,
      };
    },
  );

  app.get(
    '/v1/messages/:id/explain',
    {
      config: { ...config, speaks: ['summary', 'chain.text', 'next.what', 'advice.text'] },
      schema: {
        operationId: 'messages.explain',
        tags,
        summary: "Explain a message's status",
        description:
          'Returns why the message has its current status, the steps that led to it, the next automatic step, and suggested actions with the API calls to take them. Texts follow the `Accept-Language` header.',
        params: idParams,
        response: { 200: explanation },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      const found = await findMessage(store, scope, request.params.id);
      return presentExplanation(found, explain(await factsOf(deps, scope, found)));
    },
  );

  retryRoute(app, deps);
}

export type ExplainMessage = (scope: Scope, message: Message) => Promise<Explanation>;

/** The explanation of a message, for callers other than the route. */
export function createExplain(deps: MessageInsightDeps): ExplainMessage {
  return async (scope, message) => explain(await factsOf(deps, scope, message));
}

async function factsOf(deps: MessageInsightDeps, scope: Scope, found: Message): Promise<ExplainFacts> {
  const { store, attempts, queueView, traffic, clock } = deps;
  const subTenantId = found.sub_tenant_id;
  const own = { ...scope, subTenantId };
  const domain = domainOf(found.to_email);
  const entry = await queueView.entry(found);
  const trail = await store.events.auditTrailOfMessage(found.id);
  const tenant = subTenantId === null ? null : await store.tenants.subTenant(scope, subTenantId);
  return {
    now: clock(),
    message: {
      publicId: found.public_id,
      status: found.status,
      email: found.to_email,
      domain,
      isSandbox: scope.mode === 'test',
      subTenantId,
      senderId: subTenantId === null ? await senderOf(store, own, found) : null,
      campaignId: found.campaign_id,
      scheduledAt: found.scheduled_at,
      createdAt: found.created_at,
      updatedAt: found.updated_at,
      provider: found.provider,
      error: found.error === null ? null : (JSON.parse(found.error) as ErrorDetail),
    },
    trail: trail.map((row) => ({
      event: row.event as MessageTrailEvent, // a message's entries carry no tenant events
      at: row.occurred_at,
      metadata: detailOf(row).metadata ?? {},
    })),
    attempts: (await attempts.attemptsOf(found)).attempts,
    queue: entry,
    suppression: await suppressionOf(store, own, found),
    tenantStatus: tenant?.status ?? null,
    pause: await pauseOf(queueView, scope, own, entry),
    limitReason:
      entry && entry.leaseUntil === null ? traffic.reasonFor({ ...entry, mode: scope.mode }) : null,
  };
}

/** The identity that vouches for From: its domain's, else the address's own. */
async function senderOf(
  store: MessageInsightDeps['store'],
  own: Scope,
  { from_email: from }: Message,
): Promise<string | null> {
  const verified = await store.domains.verifiedSenders(own);
  const byName = (name: string): string | undefined => verified.find(({ identity }) => identity === name)?.id;
  return byName(domainOf(from)) ?? byName(addressKey(from)) ?? null;
}

async function suppressionOf(
  store: MessageInsightDeps['store'],
  own: Scope,
  found: Message,
): Promise<ExplainFacts['suppression']> {
  const rows = await store.suppressions.suppressionsOf(own, [found.to_key]);
  if (rows.length === 0) return null;
  const { unsubscribe_blocks: unsubscribeBlocks } = await store.accounts.organization(own);
  const row = blockingRow(rows, {
    type: found.type,
    subTenantId: own.subTenantId,
    unsubscribeBlocks,
    isAskedFor: found.asked_for === 1,
  });
  return row && { reason: row.reason, createdAt: row.created_at };
}

/** `scope` is the asker's, `own` the message's. */
async function pauseOf(
  queueView: QueueViewStore,
  scope: Scope,
  own: Scope,
  entry: QueueEntry | null,
): Promise<ExplainFacts['pause']> {
  if (!entry) return null;
  const pauses = await queueView.pauses(own, entry.domain);
  const found = pauses.find((pause) => ['', own.subTenantId ?? ''].includes(pause.sub_tenant_key));
  if (!found) return null;
  const { reason, created_at: createdAt, sub_tenant_key: key } = found;
  const place = key === (scope.subTenantId ?? '') ? 'own' : key === '' ? 'workspace' : 'sub_tenant';
  return { place, reason, createdAt };
}

function retryRoute(app: Api, deps: MessageInsightDeps): void {
  const { store, attempts, queueView, traffic, wakeUps, clock, settings } = deps;
  app.post(
    '/v1/messages/:id/retry',
    {
      schema: {
        operationId: 'messages.retry',
        tags,
        summary: 'Retry a message',
        description:
          "Immediately retries a deferred or held message. Its attempt count and lifetime do not change, and limits and pauses still apply. A message whose last attempt ended in doubt is also retried and may arrive twice. If the recipient's server asked for a delay (greylisting, a stated time or a block list), the request fails with 429 and `Retry-After` until that time.",
        params: idParams,
        response: { 200: message },
      },
    },
    async (request, reply) => {
      const { scope } = request.caller;
      const found = await findMessage(store, scope, request.params.id);
      const entry = await queueView.entry(found);
      const now = clock();
      const problem = retryProblem(entry, now);
      if (entry === null || problem !== null) throw new Refusal('conflict', problem ?? undefined);
      if (entry.dueAt > now) {
        const last = (await attempts.attemptsOf(found)).attempts.at(-1);
        const asked = last === undefined ? 0 : last.at + askedWaitMs(last.detail, settings);
        // No longer than it would wait by itself.
        const until = Math.min(asked, entry.dueAt);
        if (until > now) {
          reply.header('Retry-After', String(Math.ceil((until - now) / 1_000)));
          throw new Refusal('rate_limited', `The recipient's mail server asked to wait until ${iso(until)}.`);
        }
        await store.commit(retryPlan(request.caller, found, entry, now));
        wakeUps.events();
      }
      // The sandbox reaches nobody.
      if (scope.mode === 'live') traffic.probe(domainOf(found.to_email));
      traffic.notify([entry.queueId]);
      return presentMessage(found, await store.messages.shownContent(found), scope.mode);
    },
  );
}

const IN_DELIVERY = 'The message is being delivered now.';

/** Why a message cannot be tried now; null when it can. */
function retryProblem(entry: QueueEntry | null, now: number): string | null {
  if (entry === null) return 'The message is not in the queue. To send a finished message again, use resend.';
  if (entry.leaseUntil !== null) return IN_DELIVERY;
  const isScheduled = entry.attempts === 0 && entry.holdReason === null && entry.dueAt > now;
  return isScheduled ? 'The message is scheduled for its send_at. Use PATCH to change the time.' : null;
}

function retryPlan(caller: Caller, found: Message, entry: QueueEntry, now: number): Change[] {
  return [
    update(queue, {
      set: { due_at: now },
      where: { message_id: found.id, lease_until: null },
      otherwise: { code: 'conflict', message: IN_DELIVERY },
    }),
    auditTrailEntry(auditTrailSubject(found, caller.scope), {
      event: 'rescheduled',
      actor: trailActor(caller),
      at: now,
      detail: { metadata: { retry: true, previous: iso(entry.dueAt) } },
    }),
  ];
}
