// The traffic shaper as routes see it.
import type { LimitReason } from './explain/explain-facts.rules.js';
import type { DestinationKey, QueueKey } from './schedule/queue.store.js';
import type { SourceView } from './route/source-view.js';
import type { DestinationPause, LimitOverride } from './outbound.tables.js';

export interface TrafficView {
  /** Why the queue cannot send now; `null` if it can. */
  reasonFor(queue: QueueKey): LimitReason | null;
  /** Active limits on paths. */
  overrides(): LimitOverride[];
  /** Open sessions with receiving servers. `provider` is `null` for servers that config/providers.json does not list. */
  sessions(): { provider: string | null; source: string; open: number }[];
  /** Sources of mail. */
  sources(): SourceView[];
  /** Returns false for an unknown ID. */
  removeOverride(id: string): Promise<boolean>;
  /** Applies a pause that has been committed. */
  pause(pause: DestinationPause): void;
  resume(key: DestinationKey): void;
  /** Retries an unreachable destination with one message now. */
  probe(domain: string): void;
  /** Wakes queues whose mail became due. */
  notify(queueIds: readonly number[]): void;
  /** Provider of the domain's mail servers, if a route was looked up recently. */
  providerOf(domain: string): string | null;
}
