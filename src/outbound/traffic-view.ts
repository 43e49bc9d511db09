// View of the traffic shaper for routes. The shaper decides how fast each message goes by which path.
import type { LimitReason } from './explain/explain-facts.rules.js';
import type { DestinationKey, QueueKey } from './schedule/queue.store.js';
import type { SourceView } from './route/source-view.js';
import type { DestinationPause, LimitOverride } from './outbound.tables.js';

export interface TrafficView {
  /** Why nothing of the queue may go now; null when it may. */
  reasonFor(queue: QueueKey): LimitReason | null;
  /** Active limits on paths. */
  overrides(): LimitOverride[];
  /** Open sessions with receiving servers; provider null: none of config/providers.json. */
  sessions(): { provider: string | null; source: string; open: number }[];
  /** Sources of mail. */
  sources(): SourceView[];
  /** False when there is none with this id. */
  removeOverride(id: string): Promise<boolean>;
  /** Applies a pause that is durable already, or ends it. */
  pause(pause: DestinationPause): void;
  resume(key: DestinationKey): void;
  /** Lets one message go to a destination that could not be reached, now. */
  probe(domain: string): void;
  /** Mail of these queues became due. */
  notify(queueIds: readonly number[]): void;
  /** Provider of the domain's mail hosts, as far as a route was looked up lately. */
  providerOf(domain: string): string | null;
}
