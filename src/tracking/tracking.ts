// Opens and clicks of our mail: the target of a click is answered at once, an open is recorded a moment later.
import { LRUCache } from 'lru-cache';
import { isErasedAddress } from '../contract/erased-address.js';
import { linkTargets, targetAt } from './tracking-links.rules.js';
import type { SignedLink } from './tracking-tokens.rules.js';
import type { Clock } from '../lib/runtime/clock.js';
import type { TrackingStores } from './stores.js';
import { createTrackingRecorder, type TrackingRecorderDeps } from './recorder.js';

/** Characters of targets that are remembered. */
const MAX_REMEMBERED = 8_000_000;

/** The client that fetched it. */
export interface TrackedClient {
  address: string;
  /** As the client calls itself; null when it does not. */
  userAgent: string | null;
}

export interface Tracking {
  /** The pixel of a message was fetched. */
  opened(messageId: string, client: TrackedClient): void;
  /** Where a link of a message leads; null when the message, its content or the link is not there. */
  target(messageId: string, link: SignedLink): Promise<string | null>;
  /** A link is followed to its target: true once that is durable, false where it cannot be kept now. */
  clicked(messageId: string, link: { index: number; url: string }, client: TrackedClient): Promise<boolean>;
  /** Takes nothing more and writes down what waits; what the store cannot take then is lost. */
  stop(): Promise<void>;
}

export interface TrackingDeps extends TrackingRecorderDeps {
  store: Pick<TrackingStores, 'messages' | 'events' | 'commit'>;
  clock: Clock;
}

export function createTracking(deps: TrackingDeps): Tracking {
  const { store, clock } = deps;
  const recorder = createTrackingRecorder(deps);
  // For links without a place, by row of the content: scanners follow every link, and one after the other.
  const remembered = new LRUCache<number, (string | null)[]>({
    maxSize: MAX_REMEMBERED,
    sizeCalculation: (targets) => targets.reduce((sum, target) => sum + (target?.length ?? 0) + 8, 8),
  });
  return {
    opened(messageId, client) {
      recorder.add({ event: 'opened', messageId, at: clock(), ...client, link: null });
    },

    async target(messageId, { index, place }) {
      if (place !== null) {
        const linked = await store.messages.linkedHtml(messageId);
        if (linked === null || linked.html === null || isErasedAddress(linked.to_email)) return null;
        const target = targetAt(linked.html, place);
        if (target !== null) return target;
      }
      const found = await store.messages.forToken(messageId);
      if (!found || isErasedAddress(found.message.to_email)) return null;
      const { content_id: contentId, redacted_at: redactedAt } = found.message;
      const known = redactedAt === null ? remembered.get(contentId) : undefined;
      if (known !== undefined) return known[index] ?? null;
      const { html } = await store.messages.content(found.message);
      if (html === null) return null;
      const targets = linkTargets(html);
      if (redactedAt === null) remembered.set(contentId, targets);
      return targets[index] ?? null;
    },

    clicked: (messageId, link, client) =>
      recorder.keep({ event: 'clicked', messageId, at: clock(), ...client, link }),

    stop: () => recorder.stop(),
  };
}
