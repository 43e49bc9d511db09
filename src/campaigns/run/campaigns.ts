// Campaigns: the actions on one as a whole, and the loop that runs those in progress.
import type { CampaignStatus } from '../../contract/names.js';
import { Refusal } from '../../contract/refusal.js';
import { campaignStep, type CampaignAction } from '../state.rules.js';
import type { Lifetimes } from '../../messages/lifetime.rules.js';
import type { TokenKey } from '../../lib/tokens/signed-token.js';
import { createWakeUp } from '../../lib/runtime/wake-up.js';
import type { Clock } from '../../lib/runtime/clock.js';
import type { Config } from '../../settings/settings.js';
import type { Log } from '../../lib/runtime/log.js';
import { createLoop } from '../../lib/runtime/loop.js';
import type { DividedRoom } from '../../lib/runtime/room.js';
import type { Scope } from '../../database/scope.js';
import type { CampaignStores } from '../stores.js';
import type { WakeUps } from '../../events/wake-ups.js';
import { createFacts } from '../../messages/accept/facts.js';
import type { QuotaCheck } from '../../messages/accept/quota-check.js';
import type { Renderer } from '../../templates/rendering/renderer.js';
import { createCampaignRunner } from './runner.js';
import { assertComplete, sendersOf } from '../prepare/readiness.js';
import { pinnedVersions } from '../prepare/recipient-copy.js';
import { type Campaign, campaigns } from '../campaigns.tables.js';
import { update } from '../../database/rows.js';

export interface CampaignsDeps {
  store: CampaignStores;
  renderer: Renderer;
  quota: QuotaCheck;
  config: Lifetimes & Pick<Config, 'publicUrl' | 'campaignIntervalMs' | 'campaignBatch'>;
  tokenKey: TokenKey;
  clock: Clock;
  log: Log;
  wakeUps: WakeUps;
  /** Of several nodes one runs the campaigns of a workspace. */
  room?: DividedRoom | undefined;
}

export interface Campaigns {
  /**
   * Now, or at a time (epoch ms). From here on the templates stay in the versions that they have. Refused with
   * `not_found`, with `campaign_already_sent` or `campaign_canceled`, and with whatever keeps everybody from getting a
   * copy: `campaign_incomplete`, `list_not_found`, `template_not_found`, `subject_required`, `postal_address_required`, `sender_not_verified`,
   * `sender_required`, `tenant_suspended`.
   */
  send(scope: Scope, id: string, scheduledAt: number | null): Promise<Campaign>;
  /** Nothing more leaves, from copies that are made already either. */
  pause(scope: Scope, id: string): Promise<Campaign>;
  resume(scope: Scope, id: string): Promise<Campaign>;
  /** Cancels undelivered messages; a campaign that is sending is paused first. */
  cancel(scope: Scope, id: string): Promise<Campaign>;
  start(): void;
  /** After the batch at hand; the rest is found in the store. */
  stop(): Promise<void>;
}

export function createCampaigns(deps: CampaignsDeps): Campaigns {
  const { store, config, clock, log } = deps;
  const wakeUp = createWakeUp();
  const { publicUrl, campaignBatch: batchSize } = config;
  const runner = createCampaignRunner({ ...deps, lifetimes: config, publicUrl, batchSize });
  const loop = createLoop({
    name: 'campaigns',
    run: (signal) => runner.run(signal),
    intervalMs: config.campaignIntervalMs,
    room: deps.room,
    log,
    wakeUp,
  });

  async function find(scope: Scope, id: string): Promise<Campaign> {
    const campaign = await store.campaigns.campaign(scope, id);
    if (!campaign) throw new Refusal('not_found');
    return campaign;
  }

  async function move(
    campaign: Campaign,
    action: CampaignAction,
    { set, asRead = false }: { set: Partial<Campaign>; asRead?: boolean },
  ): Promise<Campaign> {
    const status = stepOf(campaign, action);
    const changed = { ...set, status, updated_at: clock() };
    await store.commit([
      update(campaigns, {
        set: changed,
        where: {
          id: campaign.id,
          status: campaign.status,
          deleted_at: null,
          ...(asRead ? { updated_at: campaign.updated_at } : {}),
        },
        otherwise: { code: 'conflict', message: 'The campaign was changed by another request. Try again.' },
      }),
    ]);
    wakeUp.notify();
    return { ...campaign, ...changed };
  }

  return {
    async send(scope, id, scheduledAt) {
      const campaign = await find(scope, id);
      const action = scheduledAt === null ? 'send' : 'schedule';
      stepOf(campaign, action);
      assertComplete(campaign);
      const owned = { ...scope, subTenantId: campaign.sub_tenant_id };
      sendersOf(campaign, await createFacts(store).senderSide(owned), owned);
      if ((await store.lists.listFor(campaign)) === null) {
        throw new Refusal('list_not_found', "The campaign's list was deleted.", { param: 'list_id' });
      }
      const versions = JSON.stringify(await pinnedVersions(store, scope, campaign));
      // A time that was set before does not come any more.
      const time =
        scheduledAt === null ? { started_at: clock(), scheduled_at: null } : { scheduled_at: scheduledAt };
      // As it was read and checked: an edit at the same time is not sent unseen.
      return move(campaign, action, { set: { versions, problem: null, ...time }, asRead: true });
    },

    // Checks that ended in waiting are repeated when the campaign is resumed.
    pause: async (scope, id) =>
      move(await find(scope, id), 'pause', { set: { paused_at: clock(), problem: null } }),

    // `paused_at` stays until its parked mail has been brought back, so that a crash cannot forget that.
    async resume(scope, id) {
      const campaign = await find(scope, id);
      stepOf(campaign, 'resume');
      await refuseWhileHeld(store);
      return move(campaign, 'resume', { set: { problem: null } });
    },

    async cancel(scope, id) {
      const campaign = await find(scope, id);
      // Without an audience there is nothing to take back.
      const fanned_out_at = campaign.started_at === null ? clock() : null;
      return move(campaign, 'cancel', { set: { fanned_out_at } });
    },

    start: () => loop.start(),
    stop: () => loop.stop(),
  };
}

/** The release of a restored backup skips recipients who had their mail; before it, they would get it again. */
async function refuseWhileHeld(store: Pick<CampaignStores, 'backups'>): Promise<void> {
  if ((await store.backups.hold()) === null) return;
  const message =
    'The server was restored from a backup and its mail is on hold. The operator must first release it with: mailkeel admin restore --release';
  throw new Refusal('conflict', message);
}

/** Refused with the reason why the action is not possible now. */
function stepOf(campaign: Campaign, action: CampaignAction): CampaignStatus {
  const step = campaignStep(campaign.status, action);
  if (!step.ok) throw new Refusal(step.refusal.code, step.refusal.message);
  return step.status;
}
