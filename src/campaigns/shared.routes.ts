// Dependencies that the routes of campaigns share.
import type { CampaignWire } from './campaign.schema.js';
import type { Clock } from '../lib/runtime/clock.js';
import type { Scope } from '../database/scope.js';
import type { CampaignStores } from './stores.js';
import type { Campaigns } from './run/campaigns.js';
import type { CheckCampaign } from './prepare/preflight.js';
import type { Previews } from './prepare/preview.js';
import type { ResendDoubtful } from '../messages/accept/resend-in-doubt.js';
import type { SendTest } from './prepare/test-send.js';
import type { Renderer } from '../templates/rendering/renderer.js';
import type { Campaign } from './campaigns.tables.js';

export interface CampaignDeps {
  store: Pick<
    CampaignStores,
    | 'campaigns'
    | 'lists'
    | 'templates'
    | 'tenants'
    | 'suppressions'
    | 'contacts'
    | 'statistics'
    | 'messages'
    | 'commit'
  >;
  campaigns: Pick<Campaigns, 'send' | 'pause' | 'resume' | 'cancel'>;
  previews: Previews;
  preflight: CheckCampaign;
  sendTest: SendTest;
  resendInDoubt: ResendDoubtful;
  renderer: Renderer;
  clock: Clock;
}

export interface CampaignRoutes extends CampaignDeps {
  /** Refused with `not_found`. */
  find: (scope: Scope, id: string) => Promise<Campaign>;
  /** By measure, of all variants together. */
  counted: (row: Campaign) => Promise<ReadonlyMap<string, number>>;
  /** `inDoubt`: counted by the caller, for many at once. */
  present: (scope: Scope, row: Campaign, inDoubt?: number) => Promise<CampaignWire>;
}
