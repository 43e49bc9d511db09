// The dependencies of the campaign routes.
import type { Scope } from '../database/scope.js';
import type { ResendDoubtful } from '../messages/accept/resend-in-doubt.js';
import type { CampaignWire } from './campaign.schema.js';
import type { Campaign } from './campaigns.tables.js';
import type { CampaignContext } from './context.js';
import type { CheckCampaign } from './prepare/preflight.js';
import type { Previews } from './prepare/preview.js';
import type { SendTest } from './prepare/test-send.js';
import type { Campaigns } from './run/campaigns.js';

export interface CampaignParts extends CampaignContext {
  campaigns: Pick<Campaigns, 'send' | 'pause' | 'resume' | 'cancel'>;
  previews: Previews;
  preflight: CheckCampaign;
  sendTest: SendTest;
  resendInDoubt: ResendDoubtful;
}

export interface CampaignRoutes extends CampaignParts {
  find: (scope: Scope, id: string) => Promise<Campaign>;
  /** Counts by measure for all variants together. */
  counted: (row: Campaign) => Promise<ReadonlyMap<string, number>>;
  /** The caller counts `inDoubt` for many campaigns together. */
  present: (scope: Scope, row: Campaign, inDoubt?: number) => Promise<CampaignWire>;
}
