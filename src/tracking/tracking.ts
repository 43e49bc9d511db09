// Opens and clicks of our mail: the target of a click is answered at once, an open is recorded a moment later.
import { LRUCache } from 'lru-cache';
import { isErasedAddress } from '../contract/erased-address.js';
import { linkTargets, targetAt } from './tracking-links.rules.js';
import type { SignedLink } from './tracking-tokens.rules.js';
import type { Clock } from '../lib/runtime/clock.js';
import type { TrackingStores } from './stores.js';
import type { TrackingContext } from './context.js';
import { TrackingRecorder, type RecorderOptions } from './recorder.js';

/** Characters of targets that are remembered. */
const MAX_REMEMBERED = 8_000_000;

/** The client that fetched it. */
export interface TrackedClient {
  address: string;
  /** As the client calls itself; null when it does not. */
  userAgent: string | null;
}

export class Tracking {
  readonly #store: TrackingStores;
  readonly #clock: Clock;
  readonly #recorder: TrackingRecorder;
  // For links without a place, by row of the content: scanners follow every link, and one after the other.
  readonly #remembered = new LRUCache<number, (string | null)[]>({
    maxSize: MAX_REMEMBERED,
    sizeCalculation: (targets) => targets.reduce((sum, target) => sum + (target?.length ?? 0) + 8, 8),
  });

  constructor(context: Omit<TrackingContext, 'keys'>, options: RecorderOptions) {
    this.#store = context.store;
    this.#clock = context.clock;
    this.#recorder = new TrackingRecorder(context, options);
  }

  /** The pixel of a message was fetched. */
  opened(messageId: string, client: TrackedClient): void {
    this.#recorder.add({ event: 'opened', messageId, at: this.#clock(), ...client, link: null });
  }

  /** Where a link of a message leads; null when the message, its content or the link is not there. */
  async target(messageId: string, { index, place }: SignedLink): Promise<string | null> {
    if (place !== null) {
      const linked = await this.#store.messages.linkedHtml(messageId);
      if (linked === null || linked.html === null || isErasedAddress(linked.to_email)) return null;
      const target = targetAt(linked.html, place);
      if (target !== null) return target;
    }
    const found = await this.#store.messages.forToken(messageId);
    if (!found || isErasedAddress(found.message.to_email)) return null;
    const { content_id: contentId, redacted_at: redactedAt } = found.message;
    const known = redactedAt === null ? this.#remembered.get(contentId) : undefined;
    if (known !== undefined) return known[index] ?? null;
    const { html } = await this.#store.messages.content(found.message);
    if (html === null) return null;
    const targets = linkTargets(html);
    if (redactedAt === null) this.#remembered.set(contentId, targets);
    return targets[index] ?? null;
  }

  /** A link is followed to its target: true once that is durable, false where it cannot be kept now. */
  clicked(messageId: string, link: { index: number; url: string }, client: TrackedClient): Promise<boolean> {
    return this.#recorder.keep({ event: 'clicked', messageId, at: this.#clock(), ...client, link });
  }

  /** Takes nothing more and writes down what waits; what the store cannot take then is lost. */
  stop(): Promise<void> {
    return this.#recorder.stop();
  }
}
