// The limit of destinations that an operator or customer has paused, for a whole environment or for one sub-tenant.
import type { DestinationKey, QueueKey } from '../schedule/queue.store.js';
import { UNLIMITED, type Capacity, type Limit } from './limit.js';
import type { DestinationPause } from '../outbound.tables.js';

export class DestinationPauses implements Limit<QueueKey> {
  readonly name = 'destination pause';
  readonly #pauses: Map<string, DestinationPause>;

  constructor(initial: readonly DestinationPause[]) {
    this.#pauses = new Map(initial.map((pause) => [keyOfRow(pause), pause]));
  }

  /** Sandbox mail goes nowhere, so that no pause holds it. */
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
