// The operator's wish to try a destination again, within what its receiver can be asked to bear.
import { createLruCache } from '../../lib/runtime/lru-cache.js';
import { domainParams, queueRetry } from './queue.schema.js';
import { Refusal } from '../../contract/refusal.js';
import { askedWaitMs, type AskedWaits } from './retry-schedule.rules.js';
import type { Clock } from '../../lib/runtime/clock.js';
import type { QueueViewStore } from './queue-view.store.js';
import type { Scope } from '../../database/scope.js';
import type { Api } from '../../http/api.js';
import type { TrafficView } from '../traffic-view.js';

/** A destination is retried, and one that could not be reached is asked again, no more often. */
const RETRY_EVERY_MS = 60_000;
const MOST_REMEMBERED = 10_000;

export interface QueueRetryDeps {
  queueView: Pick<QueueViewStore, 'queueIds' | 'retryNow'>;
  traffic: Pick<TrafficView, 'probe' | 'notify'>;
  clock: Clock;
  settings: AskedWaits;
  readDomain: (text: string) => string;
  /** Called when mail was retried: cached snapshots of the queue are out of date. */
  onRetried: () => void;
}

export function retryRoute(app: Api, deps: QueueRetryDeps): void {
  const { queueView, traffic, clock, settings } = deps;
  /** When what was retried last, in epoch ms. */
  const retriedAt = createLruCache<string, number>(MOST_REMEMBERED);

  /** Seconds until it may be done again; 0: now, and it is noted. */
  function mustWait(what: string, now: number): number {
    const left = (retriedAt.get(what) ?? -Infinity) + RETRY_EVERY_MS - now;
    // More than that: the clock was set back.
    if (left > 0 && left <= RETRY_EVERY_MS) return Math.ceil(left / 1_000);
    retriedAt.set(what, now);
    return 0;
  }

  app.post(
    '/v1/queue/destinations/:domain/retry',
    {
      schema: {
        operationId: 'queue.retryDestination',
        tags: ['Queue'],
        summary: 'Retry a destination',
        description:
          'Immediately retries all deferred and held messages for a domain. Messages with a later `send_at`, messages that may already have arrived, and messages whose last reply asked for a delay (greylisting, a stated time or a block list) keep their time. `waiting` has the number of messages in the last group. Limits and pauses still apply. Allowed once per minute and destination; earlier requests fail with 429 and `Retry-After`.',
        params: domainParams,
        response: { 200: queueRetry },
      },
    },
    async (request, reply) => {
      const { scope } = request.caller;
      const domain = deps.readDomain(request.params.domain);
      const queueIds = await queueView.queueIds(scope, domain);
      const now = clock();
      const seconds = queueIds.length === 0 ? 0 : mustWait(keyOf(scope, domain), now);
      if (seconds > 0) {
        reply.header('Retry-After', String(seconds));
        throw new Refusal(
          'rate_limited',
          `Mail to ${domain} was retried less than a minute ago. Try again later.`,
        );
      }
      const { retried, waiting } = await queueView.retryNow(queueIds, now, ({ at, detail }) => {
        return at + askedWaitMs(detail, settings);
      });
      // The sandbox reaches no server, and a caller without mail for a domain has nothing to ask of it.
      const isProbing = scope.mode === 'live' && queueIds.length > 0 && mustWait(domain, now) === 0;
      if (isProbing) traffic.probe(domain);
      traffic.notify(queueIds);
      deps.onRetried();
      return { object: 'queue_retry' as const, domain, retried, waiting };
    },
  );
}

function keyOf({ environmentId, subTenantId }: Scope, domain: string): string {
  return `${environmentId} ${subTenantId ?? ''} ${domain}`;
}
