// Shared by the routes of campaigns: their dependencies, and the changes that a campaign's state allows.
import type { CampaignWire } from './campaign.schema.js';
import { Refusal } from '../contract/refusal.js';
import { campaignStep, statesThatAllow, type CampaignAction } from './state.rules.js';
import { newId } from '../lib/runtime/ids.js';
import type { Clock } from '../lib/runtime/clock.js';
import type { Scope } from '../database/scope.js';
import type { CampaignStores } from './stores.js';
import type { Campaigns } from './run/campaigns.js';
import type { CheckCampaign } from './prepare/preflight.js';
import type { Previews } from './prepare/preview.js';
import type { ResendDoubtful } from '../messages/accept/resend-in-doubt.js';
import type { SendTest } from './prepare/test-send.js';
import type { Renderer } from '../templates/rendering/renderer.js';
import type { EditedColumns } from './edit.routes.js';
import { type Campaign, campaigns } from './campaigns.tables.js';
import type { Plan } from '../database/change.js';
import { update } from '../database/rows.js';

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

/** Refuses what the campaign's state does not allow. */
export function assertAllows(row: Campaign, action: CampaignAction): void {
  const step = campaignStep(row.status, action);
  if (!step.ok) throw new Refusal(step.refusal.code, step.refusal.message);
}

/** The change that refuses a plan unless the campaign may still be edited. */
export function whileEditable(campaignId: string, now: number): Plan[number] {
  return update(campaigns, {
    set: { updated_at: now },
    where: { id: campaignId, status: statesThatAllow('override'), deleted_at: null },
    otherwise: {
      code: 'campaign_already_sent',
      message: 'The campaign is being sent or has already been sent.',
    },
  });
}

/** A draft with these columns, without results. */
export function newCampaign(
  scope: Pick<Scope, 'environmentId' | 'subTenantId'>,
  columns: EditedColumns,
  now: number,
): Campaign {
  return {
    ...columns,
    id: newId('cmp', now),
    environment_id: scope.environmentId,
    sub_tenant_id: scope.subTenantId,
    status: 'draft',
    scheduled_at: null,
    started_at: null,
    sent_at: null,
    paused_at: null,
    problem: null,
    frozen_up_to: 0,
    frozen_at: null,
    fanned_out_at: null,
    winner: null,
    total: 0,
    created: 0,
    skipped: 0,
    suppressed: 0,
    failed: 0,
    created_at: now,
    updated_at: now,
    deleted_at: null,
    redacted_at: null,
  };
}
