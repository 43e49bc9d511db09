// Destinations that somebody has paused, for a whole environment or for one sub-tenant.
import type { DestinationPause } from './traffic.store.js';
import type { DestinationKey } from '../schedule/queue.store.js';

export interface Pauses {
  /** The pause that holds for the lane's mail. */
  find(lane: DestinationKey): DestinationPause | undefined;
  put(pause: DestinationPause): void;
  remove(key: DestinationKey): void;
}

export function createPauses(initial: readonly DestinationPause[]): Pauses {
  const pauses = new Map(initial.map((pause) => [keyOfRow(pause), pause]));
  return {
    find: (lane) => pauses.get(pauseKey(lane)) ?? pauses.get(pauseKey({ ...lane, subTenantKey: '' })),
    put: (pause) => void pauses.set(keyOfRow(pause), pause),
    remove: (key) => void pauses.delete(pauseKey(key)),
  };
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
