// One attempt of a delivery: signs it, posts it, and judges the outcome.
import type { WebhookFormat } from '../../contract/names.js';
import type { Poster, PostOutcome } from '../../lib/http/index.js';
import { nextWebhookAttemptAt, retryAfterMs } from './backoff.rules.js';
import type { Config } from '../../settings/settings.js';
import type { WebhookContext } from '../context.js';
import { signWebhook, standardHeaders } from '../signature.rules.js';
import { productVersion } from '../../lib/runtime/index.js';
import { createFactChannel } from '../../lib/concurrency/index.js';
import type { FinishedAttempt } from './queue.store.js';
import type { EndpointSecrets } from '../endpoint-secret.js';
import type { WebhookDelivery } from '../webhooks.tables.js';

/** Current address, format and secrets of an endpoint. */
export interface Target {
  endpointId: string;
  url: string;
  format: WebhookFormat;
  secrets: EndpointSecrets;
}

/** Attempts that have ended, before they are written down. */
export const webhookAttempted = createFactChannel<{
  delivery: WebhookDelivery;
  finished: FinishedAttempt;
}>();

export interface MadeAttempt {
  finished: FinishedAttempt;
  /** Whether the endpoint answered at all. */
  answered: boolean;
  durationMs: number;
}

const HIDDEN = 'Basic ***';

/**
 * Any 2xx is a success. Every other outcome, redirects included, is retried until the schedule ends, except 410 Gone, which
 * ends the delivery and disables its endpoint.
 */
export async function attemptDelivery(
  {
    formats,
    config,
    clock,
  }: Pick<WebhookContext, 'formats' | 'clock'> & {
    config: Pick<Config, 'webhookScheduleMs'>;
  },
  poster: Pick<Poster, 'post'>,
  { delivery, target }: { delivery: WebhookDelivery; target: Target },
): Promise<MadeAttempt> {
  const { endpointId, url, format, secrets } = target;
  const number = delivery.attempts + 1;
  const at = clock();
  const signing = secretsAt(secrets, at);
  const timestamp = at / 1000;
  const kept = delivery.body ?? delivery.payload;
  // The body is in the format that the endpoint had when the delivery was made, so it is signed in that format.
  const vendor = delivery.format === null ? undefined : formats[delivery.format];
  const id = delivery.public_id;
  const signed = vendor?.sign({ body: kept, secrets: signing, id, timestamp });
  const rawBody = signed?.body ?? kept;
  const isStandard = format === 'standard' && vendor === undefined;
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(rawBody)),
    'User-Agent': `Mailkeel/${productVersion()}`,
    'Service-Signature': signWebhook({ secret: signing, timestamp, rawBody }),
    'Service-Event': delivery.event,
    'Service-Delivery': id,
    'Service-Attempt': String(number),
    ...(delivery.traceparent === null ? {} : { traceparent: delivery.traceparent }),
    ...(delivery.replay_of === null ? {} : { 'Service-Replay-Of': delivery.replay_of }),
    ...(isStandard ? standardHeaders({ secrets: signing, id, timestamp, rawBody }) : {}),
    ...signed?.headers,
    ...(secrets.authorization === null ? {} : { Authorization: secrets.authorization }),
  };
  const outcome = await poster.post(url, { headers, body: rawBody });
  const now = clock();
  const finished = {
    deliveryId: delivery.id,
    endpointId,
    attempt: {
      number,
      at,
      duration_ms: outcome.durationMs,
      ...responseColumns(outcome),
      url,
      request_headers: JSON.stringify(
        'Authorization' in headers ? { ...headers, Authorization: HIDDEN } : headers,
      ),
      request_body: rawBody === kept ? null : rawBody,
      response_headers: outcome.kind === 'response' ? JSON.stringify(outcome.headers) : null,
    },
    result: attemptResult(outcome, () =>
      nextWebhookAttemptAt({
        attempt: number,
        scheduleMs: config.webhookScheduleMs,
        now,
        jitter: Math.random(),
        atLeastMs: wantedWaitMs(outcome, now),
      }),
    ),
    now,
  };
  if (webhookAttempted.hasSubscribers()) webhookAttempted.publish({ delivery, finished });
  return { finished, answered: outcome.kind === 'response', durationMs: outcome.durationMs };
}

/** Returns the current secret, followed by the previous one during their overlap. */
function secretsAt({ current, previous }: EndpointSecrets, at: number): [string, ...string[]] {
  return previous !== null && at < previous.until ? [current, previous.secret] : [current];
}

function attemptResult(outcome: PostOutcome, nextAt: () => number | null): FinishedAttempt['result'] {
  const status = outcome.kind === 'response' ? outcome.status : 0;
  if (status >= 200 && status < 300) return { kind: 'succeeded' };
  if (status === 410) return { kind: 'gone' };
  const dueAt = nextAt();
  return dueAt === null ? { kind: 'failed' } : { kind: 'retry', dueAt };
}

/** Returns the wait (ms) that a 429 or 503 asks for; 0 without one. RFC 6585 section 4, RFC 9110 section 15.6.4. */
function wantedWaitMs(outcome: PostOutcome, now: number): number {
  const isBusy = outcome.kind === 'response' && (outcome.status === 429 || outcome.status === 503);
  return isBusy ? retryAfterMs(outcome.headers['retry-after'], now) : 0;
}

function responseColumns(
  outcome: PostOutcome,
): Pick<FinishedAttempt['attempt'], 'response_status' | 'response_body' | 'error'> {
  if (outcome.kind === 'error') return { response_status: null, response_body: null, error: outcome.error };
  const isRedirect = outcome.status >= 300 && outcome.status < 400;
  return {
    response_status: outcome.status,
    response_body: outcome.body,
    error: isRedirect ? 'redirects are not followed' : null,
  };
}
