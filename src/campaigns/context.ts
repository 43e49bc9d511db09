// Dependencies of campaigns, which src/app provides.
import type { PlanLimits } from '../accounts/quota.rules.js';
import type { WakeUps } from '../events/wake-ups.js';
import type { Clock, Log } from '../lib/runtime/index.js';
import type { DividedRoom } from '../lib/concurrency/index.js';
import type { TokenKey } from '../lib/tokens/index.js';
import type { Submission } from '../messages/accept/accept.js';
import type { QuotaCheck } from '../messages/accept/quota-check.js';
import type { Lifetimes } from '../messages/lifetime.rules.js';
import type { Config } from '../settings/settings.js';
import type { Renderer } from '../templates/rendering/renderer.js';
import type { CampaignStores } from './stores.js';

export interface CampaignContext {
  store: CampaignStores;
  renderer: Renderer;
  submission: Pick<Submission, 'accept'>;
  quota: QuotaCheck;
  plans: ReadonlyMap<string, PlanLimits>;
  config: Lifetimes &
    Pick<Config, 'publicUrl' | 'campaignIntervalMs' | 'campaignBatch' | 'linkChecks' | 'clipLimitBytes'>;
  /** Signs the tokens in unsubscribe links. */
  tokenKey: TokenKey;
  clock: Clock;
  log: Log;
  wakeUps: WakeUps;
  /** Decides which of several nodes runs a workspace's campaigns. */
  room?: DividedRoom | undefined;
}
