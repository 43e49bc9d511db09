// Campaign actions, and the loop that runs campaigns in progress.
import type { CampaignContext } from '../context.js';
import type { CampaignStatus } from '../../contract/names.js';
import { Refusal } from '../../contract/refusal.js';
import { campaignStep, type CampaignAction } from '../state.rules.js';
import { createLoop, createWakeUp, type Loop } from '../../lib/concurrency/index.js';
import type { Scope } from '../../database/scope.js';
import type { CampaignStores } from '../stores.js';
import { createFacts } from '../../messages/accept/facts.js';
import { CampaignRunner } from './runner.js';
import { assertComplete, requireSenders } from '../prepare/readiness.js';
import { pinnedVersions } from '../prepare/recipient-copy.js';
import { type Campaign, campaigns } from '../campaigns.tables.js';
import { update } from '../../database/rows.js';

export class Campaigns {
  readonly #store: CampaignContext['store'];
  readonly #clock: CampaignContext['clock'];
  readonly #wakeUp = createWakeUp();
  readonly #loop: Loop;

  constructor(context: CampaignContext) {
    this.#store = context.store;
    this.#clock = context.clock;
    const runner = new CampaignRunner(context);
    this.#loop = createLoop({
      name: 'campaigns',
      run: (signal) => runner.run(signal),
      intervalMs: context.config.campaignIntervalMs,
      room: context.room,
      log: context.log,
      wakeUp: this.#wakeUp,
    });
  }

  /**
   * Sends a campaign now, or schedules it for `scheduledAt` (epoch ms), and pins its templates to their current versions. Refuses
   * with `not_found`, `campaign_already_sent`, `campaign_canceled`, or the reason why no recipient could get a copy:
   * `campaign_incomplete`, `list_not_found`, `template_not_found`, `subject_required`, `postal_address_required`,
   * `sender_not_verified`, `sender_required`, `tenant_suspended`.
   */
  async send(scope: Scope, id: string, scheduledAt: number | null): Promise<Campaign> {
    const store = this.#store;
    const campaign = await this.#find(scope, id);
    const action = scheduledAt === null ? 'send' : 'schedule';
    statusAfter(campaign, action);
    assertComplete(campaign);
    const owned = { ...scope, subTenantId: campaign.sub_tenant_id };
    requireSenders(campaign, await createFacts(store).senderSide(owned), owned);
    if ((await store.lists.listFor(campaign)) === null) {
      throw new Refusal('list_not_found', "The campaign's list was deleted.", { param: 'list_id' });
    }
    const versions = JSON.stringify(await pinnedVersions(store, scope, campaign));
    // Sending now cancels an earlier schedule.
    const time =
      scheduledAt === null
        ? { started_at: this.#clock(), scheduled_at: null }
        : { scheduled_at: scheduledAt };
    // `asRead`: a simultaneous edit was not checked, so it must not be sent.
    return this.#move(campaign, action, { set: { versions, problem: null, ...time }, asRead: true });
  }

  /** Also holds undelivered copies. Checks whose result was to wait run again on resume. */
  async pause(scope: Scope, id: string): Promise<Campaign> {
    const campaign = await this.#find(scope, id);
    return this.#move(campaign, 'pause', { set: { paused_at: this.#clock(), problem: null } });
  }

  /** Keeps `paused_at` until the parked mail is back in the queue, so that a crash cannot lose it. */
  async resume(scope: Scope, id: string): Promise<Campaign> {
    const campaign = await this.#find(scope, id);
    statusAfter(campaign, 'resume');
    await refuseWhileHeld(this.#store);
    return this.#move(campaign, 'resume', { set: { problem: null } });
  }

  /** Cancels undelivered messages. A campaign that is sending is paused first. */
  async cancel(scope: Scope, id: string): Promise<Campaign> {
    const campaign = await this.#find(scope, id);
    // A campaign that never started has no copies to cancel.
    const fanned_out_at = campaign.started_at === null ? this.#clock() : null;
    return this.#move(campaign, 'cancel', { set: { fanned_out_at } });
  }

  start(): void {
    this.#loop.start();
  }

  /** Finishes the current batch. The rest remains stored. */
  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async #find(scope: Scope, id: string): Promise<Campaign> {
    const campaign = await this.#store.campaigns.campaign(scope, id);
    if (!campaign) throw new Refusal('not_found');
    return campaign;
  }

  async #move(
    campaign: Campaign,
    action: CampaignAction,
    { set, asRead = false }: { set: Partial<Campaign>; asRead?: boolean },
  ): Promise<Campaign> {
    const status = statusAfter(campaign, action);
    const changed = { ...set, status, updated_at: this.#clock() };
    await this.#store.commit([
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
    this.#wakeUp.notify();
    return { ...campaign, ...changed };
  }
}

/** Releasing a restored backup skips recipients whose mail was delivered. Before that, they would get it again. */
async function refuseWhileHeld(store: Pick<CampaignStores, 'backups'>): Promise<void> {
  if ((await store.backups.hold()) === null) return;
  const message =
    'The server was restored from a backup and its mail is on hold. The operator must first release it with: mailkeel admin restore --release';
  throw new Refusal('conflict', message);
}

/** Refuses with the reason why the action is not possible now. */
function statusAfter(campaign: Campaign, action: CampaignAction): CampaignStatus {
  const step = campaignStep(campaign.status, action);
  if (!step.ok) throw new Refusal(step.refusal.code, step.refusal.message);
  return step.status;
}
