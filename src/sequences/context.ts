// The dependencies of sequences, which the program provides.
import type { WakeUps } from '../events/wake-ups.js';
import type { Clock, Log } from '../lib/runtime/index.js';
import type { DividedRoom } from '../lib/concurrency/index.js';
import type { TokenKey } from '../lib/tokens/index.js';
import type { QuotaCheck } from '../messages/accept/quota-check.js';
import type { Lifetimes } from '../messages/lifetime.rules.js';
import type { Config } from '../settings/settings.js';
import type { Renderer } from '../templates/rendering/renderer.js';
import type { SequenceStores } from './stores.js';

export interface SequenceContext {
  store: SequenceStores;
  renderer: Renderer;
  quota: QuotaCheck;
  config: Lifetimes &
    Pick<
      Config,
      'publicUrl' | 'sequenceBatch' | 'sequenceIntervalMs' | 'sequenceMaxSteps' | 'sequenceMinIntervalMs'
    >;
  /** Signs the tokens in unsubscribe links. */
  tokenKey: TokenKey;
  clock: Clock;
  log: Log;
  wakeUps: WakeUps;
  /** One of several nodes runs the sequences of a workspace. */
  room?: DividedRoom | undefined;
}
