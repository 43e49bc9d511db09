// The dependencies of messages, which the program provides.
import type { WakeUps } from '../events/wake-ups.js';
import type { Clock } from '../lib/runtime/index.js';
import type { DiskGuard } from '../lib/files/index.js';
import type { TokenKey } from '../lib/tokens/index.js';
import type { Config } from '../settings/settings.js';
import type { Renderer } from '../templates/rendering/renderer.js';
import type { QuotaCheck } from './accept/quota-check.js';
import type { RequestLimits } from './accept/read-request.js';
import type { Lifetimes } from './lifetime.rules.js';
import type { MessageStores } from './stores.js';

export interface MessageContext {
  store: MessageStores;
  renderer: Renderer;
  config: RequestLimits & Lifetimes & Pick<Config, 'publicUrl' | 'approvalTtlMs'>;
  quota: QuotaCheck;
  disk: Pick<DiskGuard, 'isFull'>;
  /** Signs the tokens in unsubscribe links. */
  tokenKey: TokenKey;
  clock: Clock;
  wakeUps: WakeUps;
}

/** For work on queued messages, which other nouns start too. */
export interface QueuedMessageContext extends Pick<MessageContext, 'clock' | 'wakeUps'> {
  store: Pick<MessageStores, 'messages' | 'commit'>;
  config: Lifetimes;
}
