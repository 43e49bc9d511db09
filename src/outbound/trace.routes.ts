// GET /v1/queue/destinations/:domain/trace: the attempts to a destination as they happen, for the operator.
import { Type } from 'typebox';
import type { Api } from '../api/api.js';
import { Refusal } from '../contract/refusal.js';
import { closed, nameSchemas, nullable, timestamp } from '../contract/schema.js';
import { iso } from '../contract/time.js';
import { attemptDetail } from '../messages/attempt.schema.js';
import { FOR_OPERATORS, refuseOthers } from '../operations/operator.routes.js';
import { withoutAddresses } from './outcome/bounce-class.rules.js';
import { domainParams } from './schedule/queue.schema.js';
import { readDomain } from './schedule/queue.routes.js';
import type { TracedAttempt, Traces } from './trace.js';

const query = closed({
  after: Type.Optional(Type.Integer({ minimum: 0, default: 0, description: '`next` of the answer before.' })),
  addresses: Type.Optional(
    Type.Boolean({ default: false, description: 'True: with the addresses of senders and recipients.' }),
  ),
});

const { outcome, reply, source, host, address, tls, times } = attemptDetail.properties;
const lines = Type.Array(Type.String());
const tracedAttempt = Type.Object({
  position: Type.Integer(),
  at: timestamp,
  message_id: Type.String(),
  email: nullable(Type.String({ description: 'Only with `addresses`.' })),
  mode: Type.String({ description: '`live` or `test`.' }),
  number: Type.Integer({ description: 'Of the attempt, from 1.' }),
  ...{ outcome, reply, source, host, address, tls, times },
  opening: nullable(Type.Array(Type.String(), { description: 'Null where the session began before.' })),
  conversation: lines,
});

const trace = Type.Object({
  object: Type.Literal('destination_trace'),
  domain: Type.String(),
  data: Type.Array(tracedAttempt, { description: 'The oldest first.' }),
  next: Type.Integer({ description: 'The `after` of the next question.' }),
  missed: Type.Integer({ description: 'Attempts that were forgotten before anybody asked.' }),
});

nameSchemas({ DestinationTrace: trace, TracedAttempt: tracedAttempt });

export function traceRoute(app: Api, { traces }: { traces: Traces }): void {
  app.get(
    '/v1/queue/destinations/:domain/trace',
    {
      config: { permission: 'admin', role: 'admin' },
      schema: {
        operationId: 'queue.traceDestination',
        tags: ['Queue'],
        summary: 'Follow the SMTP conversations with a destination as attempts end',
        description: `The first question begins the trace, and it ends 30 seconds after the last one: ask each second with \`after\`. It holds the newest 200 attempts, of every workspace, without content and credentials. ${FOR_OPERATORS}, in live.`,
        params: domainParams,
        querystring: query,
        response: { 200: trace },
      },
    },
    (request) => {
      refuseOthers(request.caller, 'trace a destination');
      const { after = 0, addresses = false } = request.query;
      const domain = readDomain(request.params.domain);
      const found = traces.read(domain, after);
      if (!found)
        throw new Refusal('conflict', 'Too many destinations are traced. Try again in half a minute.');
      return {
        object: 'destination_trace' as const,
        domain,
        data: found.attempts.map((attempt) => present(attempt, addresses)),
        next: found.last,
        missed: found.missed,
      };
    },
  );
}

function present(attempt: TracedAttempt, hasAddresses: boolean) {
  const { detail, position, number, mode, messageId, email, at } = attempt;
  const shown = (text: string): string => (hasAddresses ? text : withoutAddresses(text));
  return {
    ...{ position, at: iso(at), message_id: messageId, email: hasAddresses ? email : null, mode, number },
    outcome: detail.outcome,
    reply: shown(detail.reply),
    source: detail.source,
    host: detail.host,
    address: detail.address,
    tls: detail.tls,
    times: detail.times,
    opening: attempt.opening?.map(shown) ?? null,
    conversation: attempt.conversation.map(shown),
  };
}
