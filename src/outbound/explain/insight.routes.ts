// The attempts of one message, its explanation in plain words, and an immediate retry.
import { isOperatorCaller } from '../../accounts/access/operator.js';
import { idParams } from '../../contract/schema.js';
import { iso } from '../../contract/time.js';
import type { Caller } from '../../http/access/caller.js';
import type { Api } from '../../http/api.js';
import { attemptList } from '../../messages/attempt.schema.js';
import { presentAttempt } from '../../messages/attempt.view.js';
import { message as messageSchema } from '../../messages/message.schema.js';
import { presentMessage } from '../../messages/message.view.js';
import { findMessage } from '../../messages/messages.routes.js';
import type { Message } from '../../messages/messages.store.js';
import type { OutboundApiContext } from '../context.js';
import { retryMessage } from '../schedule/retry-message.js';
import type { Asker } from './explain-facts.rules.js';
import { explainMessage } from './explain-message.js';
import type { Explanation } from './explain.rules.js';
import { explanation as explanationSchema, type ExplanationObject } from './explanation.schema.js';

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

const tags = ['Messages'];
/** A key that may send may read what became of its messages. */
const config = { permission: 'send' } as const;

type InsightContext = Pick<OutboundApiContext, 'store' | 'config' | 'traffic' | 'wakeUps' | 'clock'>;

export function messageInsightRoutes(app: Api, context: InsightContext): void {
  attemptsRoute(app, context);
  explainRoute(app, context);
  retryRoute(app, context);
}

function attemptsRoute(app: Api, { store }: InsightContext): void {
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
      const { attempts: rows, hasMore } = await store.attempts.attemptsOf(found);
      const sessionIds = rows.flatMap(({ sessionId }) => (sessionId === null ? [] : [sessionId]));
      const openings = await store.attempts.openingsOf(sessionIds);
      return {
        object: 'list' as const,
        data: rows.map((row) => presentAttempt(found, row, openings)),
        has_more: hasMore,
        next_cursor: null,
      };
    },
  );
}

function explainRoute(app: Api, context: InsightContext): void {
  app.get(
    '/v1/messages/:id/explain',
    {
      config,
      schema: {
        operationId: 'messages.explain',
        tags,
        summary: "Explain a message's status",
        description:
          'Returns why the message has its current status, the steps that led to it, the next automatic step, and suggested actions with the API calls to take them. Texts follow the `Accept-Language` header.',
        params: idParams,
        response: { 200: explanationSchema },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      const found = await findMessage(context.store, scope, request.params.id);
      return presentExplanation(
        found,
        await explainMessage(context, scope, found, {
          reach: reachOf(request.caller),
          permission: request.caller.permission,
        }),
      );
    },
  );
}

function reachOf(caller: Caller): Asker['reach'] {
  if (caller.pinnedTo !== null) return 'sub_tenant';
  // A request limited to a sub-tenant can be made without the limit.
  const whole = { ...caller, scope: { ...caller.scope, subTenantId: null } };
  return isOperatorCaller(whole) ? 'operator' : 'workspace';
}

function retryRoute(app: Api, context: InsightContext): void {
  const { store } = context;
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
        response: { 200: messageSchema },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      const found = await findMessage(store, scope, request.params.id);
      await retryMessage(context, request.caller, found);
      return presentMessage(found, await store.messages.shownContent(found), scope.mode);
    },
  );
}
