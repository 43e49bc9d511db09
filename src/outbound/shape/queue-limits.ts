// Limits of a queue, regardless of the path of its mail.
import { createLruCache } from '../../lib/runtime/index.js';
import type { DestinationPause } from '../outbound.tables.js';
import type { DestinationKey, QueueKey } from '../schedule/queue.store.js';
import { UNLIMITED, type Capacity, type Limit } from './limit.js';

const HELD = 'A backup was restored. The operator must review the held mail and release it.';
/** Time (ms) that a queue is left alone whose message could not go after all. */
const REPLAN_MS = 1_000;
const QUEUES_BACKED_OFF = 10_000;

/**
 * Holds all live mail after a restore from a backup until an operator releases it, because mail queued in the copy may already have
 * been sent (record 90).
 */
export class RestoreHold implements Limit<QueueKey> {
  readonly name = 'restore hold';
  #isHeld: boolean;

  constructor(isHeld: boolean) {
    this.#isHeld = isHeld;
  }

  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** The operator has released the mail. */
  release(): void {
    this.#isHeld = false;
  }

  /** Sandbox mail reaches no server. */
  check(queue: QueueKey): Capacity {
    if (!this.#isHeld || queue.mode !== 'live') return UNLIMITED;
    return { kind: 'closed', reason: { code: 'outbound_held', until: null, detail: HELD } };
  }

  reserve(): null {
    return null;
  }
}

/** The limit of destinations that an operator or customer has paused, for a whole environment or for one sub-tenant. */
export class DestinationPauses implements Limit<QueueKey> {
  readonly name = 'destination pause';
  readonly #pauses: Map<string, DestinationPause>;

  constructor(initial: readonly DestinationPause[]) {
    this.#pauses = new Map(initial.map((pause) => [keyOfRow(pause), pause]));
  }

  /** Sandbox mail reaches no server, so no pause holds it. */
  check(queue: QueueKey): Capacity {
    if (this.#pauses.size === 0 || queue.mode !== 'live') return UNLIMITED;
    const pause =
      this.#pauses.get(pauseKey(queue)) ?? this.#pauses.get(pauseKey({ ...queue, subTenantKey: '' }));
    if (!pause) return UNLIMITED;
    return { kind: 'closed', reason: { code: 'paused', until: null, detail: pause.reason } };
  }

  reserve(): null {
    return null;
  }

  replace(rows: readonly DestinationPause[]): void {
    this.#pauses.clear();
    for (const row of rows) this.put(row);
  }

  put(pause: DestinationPause): void {
    this.#pauses.set(keyOfRow(pause), pause);
  }

  remove(key: DestinationKey): void {
    this.#pauses.delete(pauseKey(key));
  }
}

function pauseKey({ environmentId, subTenantKey, domain }: DestinationKey): string {
  return `${environmentId} ${subTenantKey} ${domain}`;
}

function keyOfRow(row: DestinationPause): string {
  return pauseKey({
    environmentId: row.environment_id,
    subTenantKey: row.sub_tenant_key,
    domain: row.domain,
  });
}

/** The limit of queues whose message could not go after all: they are left alone for a moment. */
export class ReplanBackOff implements Limit<QueueKey> {
  readonly name = 'replan back-off';
  readonly #until = createLruCache<number, number>(QUEUES_BACKED_OFF);

  add(queueId: number, now: number): void {
    this.#until.set(queueId, now + REPLAN_MS);
  }

  check({ queueId }: QueueKey, now: number) {
    const until = this.#until.get(queueId);
    // Later than that: the clock was set back.
    if (until === undefined || until <= now || until > now + REPLAN_MS) return UNLIMITED;
    const detail = 'The route is being planned again.';
    return { kind: 'closed', reason: { code: 'concurrency_limited', until, detail } } as const;
  }

  reserve(): null {
    return null;
  }
}
