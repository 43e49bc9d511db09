// GET /v1/queue/destinations/:domain/trace: the attempts to a destination as they happen, for the operator.
import { Type } from 'typebox';
import type { Api } from '../http/api.js';
import { Refusal } from '../contract/refusal.js';
import { closed, nameSchemas, nullable, timestamp } from '../contract/schema.js';
import { iso } from '../contract/time.js';
import { attemptDetail } from '../messages/attempt.schema.js';
import { FOR_OPERATORS, refuseNonOperators } from '../accounts/access/operator.js';
import { withoutAddresses } from './outcome/bounce-class.rules.js';
import { domainParams } from './schedule/queue.schema.js';
import { readDomain } from './schedule/queue.routes.js';
import type { TracedAttempt, Traces } from './trace.js';

const query = closed({
  after: Type.Optional(
    Type.Integer({ minimum: 0, default: 0, description: 'The `next` value of the previous response.' }),
  ),
  addresses: Type.Optional(
    Type.Boolean({ default: false, description: 'Whether to include sender and recipient addresses.' }),
  ),
});

const { outcome, reply, source, host, address, tls, times } = attemptDetail.properties;
const lines = Type.Array(Type.String());
const tracedAttempt = Type.Object({
  position: Type.Integer(),
  at: timestamp,
  message_id: Type.String(),
  email: nullable(Type.String({ description: 'Only included if you set `addresses`.' })),
  mode: Type.String({ description: '`live` or `test`.' }),
  number: Type.Integer({ description: 'The attempt number, starting at 1.' }),
  outcome,
  reply,
  source,
  host,
  address,
  tls,
  times,
  opening: nullable(
    Type.Array(Type.String(), {
      description: 'The start of the session. `null` if the session began before the trace.',
    }),
  ),
  conversation: lines,
});

const trace = Type.Object({
  object: Type.Literal('destination_trace'),
  domain: Type.String(),
  data: Type.Array(tracedAttempt, { description: 'Attempts, oldest first.' }),
  next: Type.Integer({ description: 'The value of `after` for the next request.' }),
  missed: Type.Integer({ description: 'Number of attempts that were discarded before they were requested.' }),
});

nameSchemas({ DestinationTrace: trace, TracedAttempt: tracedAttempt });

export function traceRoute(app: Api, traces: Traces): void {
  app.get(
    '/v1/queue/destinations/:domain/trace',
    {
      config: { permission: 'admin', role: 'admin' },
      schema: {
        operationId: 'queue.traceDestination',
        tags: ['Queue'],
        summary: 'Trace a destination',
        description: `Returns the SMTP transcripts of attempts to a destination as they finish. The first request starts the trace, and it ends 30 seconds after the last one, so poll every second with \`after\`. The trace has the latest 200 attempts of all workspaces, without message content and credentials. ${FOR_OPERATORS}, in the live environment.`,
        params: domainParams,
        querystring: query,
        response: { 200: trace },
      },
    },
    (request) => {
      refuseNonOperators(request.caller, 'trace a destination');
      const { after = 0, addresses = false } = request.query;
      const domain = readDomain(request.params.domain);
      const found = traces.read(domain, after);
      if (!found)
        throw new Refusal('conflict', 'Too many destinations are being traced. Try again in 30 seconds.');
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
    position,
    at: iso(at),
    message_id: messageId,
    email: hasAddresses ? email : null,
    mode,
    number,
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
