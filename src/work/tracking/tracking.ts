// Opens and clicks of our mail: where a click leads is answered at once, what was seen is written down a moment later.
import { isErasedAddress } from '../../mail/erased-address.js';
import { linkTarget } from '../../mail/tracking-links.js';
import type { Clock } from '../../runtime/clock.js';
import type { Store } from '../../store/store.js';
import { createTrackingRecorder, type TrackingRecorderDeps } from './recorder.js';

/** Who fetched it. */
export interface TrackedClient {
  address: string;
  /** As the client calls itself; null when it does not. */
  userAgent: string | null;
}

export interface Tracking {
  /** The pixel of a message was fetched. */
  opened(messageId: string, client: TrackedClient): void;
  /** Where a link of a message leads; null when the message, its content or the link is not there. */
  target(messageId: string, index: number): Promise<string | null>;
  /** A link is followed to its target: true once that is durable, false where it cannot be kept now. */
  clicked(messageId: string, link: { index: number; url: string }, client: TrackedClient): Promise<boolean>;
  /** Takes nothing more and writes down what waits; what the store cannot take then is lost. */
  stop(): Promise<void>;
}

export interface TrackingDeps extends TrackingRecorderDeps {
  store: Pick<Store, 'messages' | 'events' | 'commit'>;
  clock: Clock;
}

export function createTracking(deps: TrackingDeps): Tracking {
  const { store, clock } = deps;
  const recorder = createTrackingRecorder(deps);
  return {
    opened(messageId, client) {
      recorder.add({ event: 'opened', messageId, at: clock(), ...client, link: null });
    },

    async target(messageId, index) {
      const found = await store.messages.forToken(messageId);
      if (!found || isErasedAddress(found.message.to_email)) return null;
      const { html } = await store.messages.content(found.message);
      return html === null ? null : linkTarget(html, index);
    },

    clicked: (messageId, link, client) =>
      recorder.keep({ event: 'clicked', messageId, at: clock(), ...client, link }),

    stop: () => recorder.stop(),
  };
}
