// Pauses, resumes and retries delivery to a destination. Retries are rate limited to protect the receiver.
import { Refusal } from '../../contract/refusal.js';
import { remove, upsert } from '../../database/rows.js';
import type { Scope } from '../../database/scope.js';
import { type Clock, createLruCache } from '../../lib/runtime/index.js';
import type { OutboundApiContext } from '../context.js';
import { destinationPauses } from '../outbound.tables.js';
import type { TrafficView } from '../traffic-view.js';
import type { QueueViewStore } from './queue-view.store.js';
import { askedWaitMs, type AskedWaits } from './retry-schedule.rules.js';

/** Minimum time (ms) between two retries of a destination. */
const RETRY_EVERY_MS = 60_000;
const MOST_REMEMBERED = 10_000;

type QueueContext = Pick<OutboundApiContext, 'store' | 'traffic' | 'clock'>;

/** Pauses a domain for the scope. A later pause replaces the reason. */
export async function pauseDestination(
  { store, traffic, clock }: QueueContext,
  scope: Scope,
  domain: string,
  reason: string,
): Promise<void> {
  const row = {
    environment_id: scope.environmentId,
    sub_tenant_key: scope.subTenantId ?? '',
    domain,
    reason,
    created_at: clock(),
  };
  await store.commit([
    upsert(destinationPauses, {
      row,
      key: ['environment_id', 'sub_tenant_key', 'domain'],
      set: { reason },
    }),
  ]);
  traffic.pause(row);
}

/** Ends the pause of the scope. Refused with `conflict` if the destination stays paused for the whole workspace. */
export async function resumeDestination(
  { store, traffic }: Pick<QueueContext, 'store' | 'traffic'>,
  scope: Scope,
  domain: string,
): Promise<void> {
  const { environmentId, subTenantId } = scope;
  const subTenantKey = subTenantId ?? '';
  const pauses = await store.queueView.pauses(scope, domain);
  const where = { environment_id: environmentId, sub_tenant_key: subTenantKey, domain };
  await store.commit([remove(destinationPauses, { where })]);
  traffic.resume({ environmentId, subTenantKey, domain });
  traffic.notify(await store.queueView.queueIds(scope, domain));
  if (subTenantId !== null && pauses.some((pause) => pause.sub_tenant_key === '')) {
    throw new Refusal('conflict', 'The destination is paused for the whole workspace.');
  }
}

/** Retries destinations, and remembers when. */
export class DestinationRetries {
  readonly #queueView: QueueViewStore;
  readonly #waits: AskedWaits;
  readonly #traffic: TrafficView;
  readonly #clock: Clock;
  /** Time (epoch ms) of the last retry, by key. */
  readonly #retriedAt = createLruCache<string, number>(MOST_REMEMBERED);

  constructor({ store, config, traffic, clock }: QueueContext & Pick<OutboundApiContext, 'config'>) {
    this.#queueView = store.queueView;
    this.#waits = config;
    this.#traffic = traffic;
    this.#clock = clock;
  }

  /** Makes deferred mail due now. Returns the number of messages retried and of those that wait because their receiver asked for it. */
  async retry(scope: Scope, domain: string): Promise<{ retried: number; waiting: number }> {
    const queueIds = await this.#queueView.queueIds(scope, domain);
    const now = this.#clock();
    const key = `${scope.environmentId} ${scope.subTenantId ?? ''} ${domain}`;
    const seconds = queueIds.length === 0 ? 0 : this.#secondsToWait(key, now);
    if (seconds > 0) {
      const message = `Mail to ${domain} was retried less than a minute ago. Try again later.`;
      throw new Refusal('rate_limited', message, { retryAfterSeconds: seconds });
    }
    const found = await this.#queueView.retryNow(
      queueIds,
      now,
      ({ at, detail }) => at + askedWaitMs(detail, this.#waits),
    );
    // The sandbox reaches no server, and a caller without mail for the domain must not cause connections to it.
    const isProbing = scope.mode === 'live' && queueIds.length > 0 && this.#secondsToWait(domain, now) === 0;
    if (isProbing) this.#traffic.probe(domain);
    this.#traffic.notify(queueIds);
    return found;
  }

  /** Returns the seconds until the next allowed retry, or notes a retry and returns 0. */
  #secondsToWait(key: string, now: number): number {
    const left = (this.#retriedAt.get(key) ?? -Infinity) + RETRY_EVERY_MS - now;
    // A longer time means that the clock was set back.
    if (left > 0 && left <= RETRY_EVERY_MS) return Math.ceil(left / 1_000);
    this.#retriedAt.set(key, now);
    return 0;
  }
}
