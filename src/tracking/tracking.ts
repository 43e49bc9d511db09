// Opens and clicks of sent mail. Opens are recorded a moment later.
import { LRUCache } from 'lru-cache';
import { isErasedAddress } from '../contract/erased-address.js';
import { linkTargets, targetAt } from './tracking-links.rules.js';
import type { SignedLink } from './tracking-tokens.rules.js';
import type { Clock } from '../lib/runtime/index.js';
import type { TrackingStores } from './stores.js';
import type { TrackingContext } from './context.js';
import { TrackingRecorder, type RecorderOptions } from './recorder.js';

/** Characters of targets that are remembered. */
const MAX_REMEMBERED = 8_000_000;

/** The client that fetched a pixel or followed a link. */
export interface TrackedClient {
  address: string;
  /** The `User-Agent` header. */
  userAgent: string | null;
}

export class Tracking {
  readonly #store: TrackingStores;
  readonly #clock: Clock;
  readonly #recorder: TrackingRecorder;
  // Targets by row of the content, for links without a place, because scanners follow every link of a message.
  readonly #remembered = new LRUCache<number, (string | null)[]>({
    maxSize: MAX_REMEMBERED,
    sizeCalculation: (targets) => targets.reduce((sum, target) => sum + (target?.length ?? 0) + 8, 8),
  });

  constructor(context: Omit<TrackingContext, 'keys'>, options: RecorderOptions) {
    this.#store = context.store;
    this.#clock = context.clock;
    this.#recorder = new TrackingRecorder(context, options);
  }

  /** Records that the pixel of a message was fetched. */
  opened(messageId: string, client: TrackedClient): void {
    this.#recorder.add({ event: 'opened', messageId, at: this.#clock(), ...client, link: null });
  }

  /** Returns the target of a link; `null` if the message, its content or the link does not exist. */
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

  /** Records a click. Resolves to true when it is durable, and to false if it cannot be stored now. */
  clicked(messageId: string, link: { index: number; url: string }, client: TrackedClient): Promise<boolean> {
    return this.#recorder.keep({ event: 'clicked', messageId, at: this.#clock(), ...client, link });
  }

  /** Stops recording and writes waiting records. They are lost if the store is unavailable. */
  stop(): Promise<void> {
    return this.#recorder.stop();
  }
}
