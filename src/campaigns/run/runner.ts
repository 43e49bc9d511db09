// The campaign runner. Each run advances every campaign in progress by one step, so that none waits for another to finish.
import type { CampaignContext } from '../context.js';
import { isOurs } from '../../lib/concurrency/index.js';
import type { CampaignInEnvironment } from '../campaigns.store.js';
import { fanOut } from './fan-out.js';
import { cancelMail, parkMail, unparkMail } from './stop.js';
import { type Campaign, campaigns } from '../campaigns.tables.js';
import { update } from '../../database/rows.js';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { readCampaignSources, variantByTag, type CampaignSources } from '../copy.rules.js';
import { splitGroup, splitWinner } from '../split.rules.js';
import type { ContactList } from '../../contacts/lists/lists.tables.js';
import type { Contact } from '../../contacts/contacts.tables.js';
import { isStale } from './batch.js';

/** Waits (ms) before later passes, which park mail that a worker has returned to the queue. */
const PARK_AGAIN_MS = [5_000, 30_000, 60_000];
/** Wait (ms) after a failed step. */
const AFTER_FAULT_MS = 15_000;
/** Wait (ms) before a campaign without quota checks it again. */
const PLAN_AGAIN_MS = 2_000;
/**
 * Time (ms) before a slow template stops its campaign. A template that exceeded a limit is not rendered for a minute, so this
 * allows two retries.
 */
const SLOW_TEMPLATE_MS = 150_000;
const LIST_GONE = { code: 'list_not_found', message: "The campaign's list was deleted." };

export class CampaignRunner {
  readonly #context: CampaignContext;
  readonly #store: CampaignContext['store'];
  readonly #clock: CampaignContext['clock'];
  readonly #log: CampaignContext['log'];
  /** Paused campaigns: passes that parked their mail, and the time of the next one. */
  readonly #parked: Map<string, { passes: number; againAt: number }>;
  readonly #faults: Map<string, number>;
  /** Campaigns that wait for quota, and the time of their next check. */
  readonly #planAgainAt: Map<string, number>;
  /** Campaigns with a slow template, and since when. */
  readonly #slowSince: Map<string, number>;

  constructor(context: CampaignContext) {
    this.#context = context;
    this.#store = context.store;
    this.#clock = context.clock;
    this.#log = context.log;
    this.#parked = new Map<string, { passes: number; againAt: number }>();
    this.#faults = new Map<string, number>();
    this.#planAgainAt = new Map<string, number>();
    this.#slowSince = new Map<string, number>();
  }

  async run(signal: AbortSignal): Promise<boolean> {
    let hasMore = false;
    const inProgress = await this.#store.campaigns.inProgress();
    const ours = inProgress.filter(({ place }) => isOurs(this.#context.room, place.workspaceNumber));
    const paused = new Set(ours.filter(({ status }) => status === 'paused').map(({ id }) => id));
    for (const id of this.#parked.keys()) if (!paused.has(id)) this.#parked.delete(id);
    const sending = new Set(ours.filter(({ status }) => status === 'sending').map(({ id }) => id));
    for (const known of [this.#slowSince, this.#planAgainAt])
      for (const id of known.keys()) if (!sending.has(id)) known.delete(id);
    for (const campaign of ours) {
      if (signal.aborted) return false;
      if ((this.#faults.get(campaign.id) ?? 0) > this.#clock()) continue;
      try {
        hasMore = (await this.#step(campaign, signal)) || hasMore;
        this.#faults.delete(campaign.id);
      } catch (error) {
        // The other campaigns continue, and this one is retried later.
        this.#log.error({ err: error, campaign_id: campaign.id }, 'campaign run failed');
        this.#faults.set(campaign.id, this.#clock() + AFTER_FAULT_MS);
      }
    }
    return hasMore;
  }

  /** Does nothing if the status of the campaign has changed since it was read. */
  async #update(campaign: CampaignInEnvironment, set: Partial<CampaignInEnvironment>): Promise<void> {
    const { id, status } = campaign;
    await this.#store.commit([
      update(campaigns, { set: { ...set, updated_at: this.#clock() }, where: { id, status } }),
    ]);
  }

  async #begin(campaign: CampaignInEnvironment): Promise<boolean> {
    const { id, scheduled_at } = campaign;
    if (scheduled_at === null || scheduled_at > this.#clock()) return false;
    const now = this.#clock();
    await this.#store.commit([
      update(campaigns, {
        set: { status: 'sending', started_at: now, updated_at: now },
        where: { id, status: 'scheduled', scheduled_at },
      }),
    ]);
    this.#log.info({ campaign_id: id }, 'campaign started');
    return true;
  }

  async #send(campaign: CampaignInEnvironment, signal: AbortSignal): Promise<boolean> {
    if (campaign.paused_at !== null) {
      await unparkMail(this.#context, campaign.id, Math.max(0, this.#clock() - campaign.paused_at));
      await this.#update(campaign, { paused_at: null });
      return true;
    }
    if (campaign.frozen_at === null) {
      const list = await this.#store.lists.listFor(campaign);
      // A deleted list is not an empty audience. No one has a copy yet, so the owner must decide.
      if (list === null) return this.#stop(campaign, LIST_GONE);
      await takeAudienceSnapshot(this.#context, campaign, list);
      return true;
    }
    if (campaign.problem !== null && (this.#planAgainAt.get(campaign.id) ?? 0) > this.#clock()) return false;
    const turn = await fanOut(this.#context, campaign, signal);
    if (turn.kind === 'more' || turn.kind === 'done') {
      this.#slowSince.delete(campaign.id);
      if (campaign.problem !== null) await this.#update(campaign, { problem: null });
    }
    switch (turn.kind) {
      case 'more':
        return true;
      case 'busy':
        return false;
      case 'slow':
        return this.#waitForTemplate(campaign, turn);
      case 'no_quota':
        return this.#waitForPlan(campaign, turn);
      case 'problem':
        return this.#stop(campaign, turn);
      case 'done':
        return this.#finish(campaign);
    }
  }

  /** The campaign continues automatically on the next day, in the next month, or when the plan allows more. */
  async #waitForPlan(
    campaign: CampaignInEnvironment,
    { code, message }: { code: string; message: string },
  ): Promise<boolean> {
    this.#planAgainAt.set(campaign.id, this.#clock() + PLAN_AGAIN_MS);
    const problem = JSON.stringify({ code, message });
    if (campaign.problem === problem) return false;
    this.#log.info({ campaign_id: campaign.id, reason: message }, 'campaign waiting: plan limit reached');
    await this.#update(campaign, { problem });
    return false;
  }

  /** Retries for a while, because the host may be busy or was suspended. */
  async #waitForTemplate(
    campaign: CampaignInEnvironment,
    problem: { code: string; message: string },
  ): Promise<boolean> {
    const since = this.#slowSince.get(campaign.id);
    if (since !== undefined && this.#clock() - since >= SLOW_TEMPLATE_MS)
      return this.#stop(campaign, problem);
    if (since === undefined) {
      this.#slowSince.set(campaign.id, this.#clock());
      this.#log.warn(
        { campaign_id: campaign.id, reason: problem.message },
        'campaign waiting: template rendering too slow',
      );
    }
    return false;
  }

  /** Pauses the campaign until someone fixes the problem and resumes it. */
  async #stop(
    campaign: CampaignInEnvironment,
    { code, message }: { code: string; message: string },
  ): Promise<boolean> {
    this.#log.warn({ campaign_id: campaign.id, code }, 'campaign paused automatically');
    await this.#update(campaign, {
      status: 'paused',
      paused_at: this.#clock(),
      problem: JSON.stringify({ code, message }),
    });
    return true;
  }

  /** Once all copies are created, waits for the winner of the split, or for the last first attempt. */
  async #finish(campaign: CampaignInEnvironment): Promise<boolean> {
    if (await this.#store.campaigns.hasRecipients(campaign.id, 'held'))
      return chooseWinner(this.#context, campaign);
    if (campaign.fanned_out_at === null) await this.#update(campaign, { fanned_out_at: this.#clock() });
    if (await this.#store.campaigns.hasUnattempted(campaign.id)) return false;
    await this.#update(campaign, { status: 'sent', sent_at: this.#clock() });
    this.#log.info({ campaign_id: campaign.id }, 'campaign sent');
    return false;
  }

  async #park({ id }: CampaignInEnvironment): Promise<boolean> {
    const known = this.#parked.get(id) ?? { passes: 0, againAt: 0 };
    if (this.#clock() < known.againAt) return false;
    await parkMail(this.#context, id);
    const wait = PARK_AGAIN_MS[Math.min(known.passes, PARK_AGAIN_MS.length - 1)] ?? 0;
    this.#parked.set(id, { passes: known.passes + 1, againAt: this.#clock() + wait });
    return false;
  }

  async #cancelRest(campaign: CampaignInEnvironment): Promise<boolean> {
    if (await cancelMail(this.#context, campaign))
      await this.#update(campaign, { fanned_out_at: this.#clock() });
    return false;
  }

  #step(campaign: CampaignInEnvironment, signal: AbortSignal): Promise<boolean> {
    switch (campaign.status) {
      case 'scheduled':
        return this.#begin(campaign);
      case 'sending':
        return this.#send(campaign, signal);
      case 'paused':
        return this.#park(campaign);
      case 'canceled':
        return this.#cancelRest(campaign);
      case 'draft':
      case 'sent':
        return Promise.resolve(false);
    }
  }
}

/** Contacts per commit, which takes 25 ms. */
const SLICE = 1_000;
const SLICES_PER_TURN = 10;

/**
 * Stores some slices of the audience, one per commit. Later changes of the list do not change the audience, and a crash
 * resumes after the last slice. Returns whether the audience is complete.
 */
async function takeAudienceSnapshot(
  { store, clock }: CampaignContext,
  campaign: Campaign,
  list: ContactList,
): Promise<boolean> {
  const sources = readCampaignSources(campaign);
  let upTo = campaign.frozen_up_to;
  for (let turn = 0; turn < SLICES_PER_TURN; turn++) {
    const contacts = await store.lists.audienceSlice({
      list,
      segmentTag: campaign.segment_tag,
      afterNumber: upTo,
      limit: SLICE,
    });
    const now = clock();
    const isLast = contacts.length < SLICE;
    const next = contacts.at(-1)?.number ?? upTo;
    const rows = contacts.map((contact) => recipientOf(campaign.id, sources, contact));
    const progress = { upTo: next, snapshotAt: isLast ? now : null, now };
    if (!(await store.campaigns.addToSnapshot({ id: campaign.id, frozen_up_to: upTo }, rows, progress)))
      return false;
    if (isLast) return true;
    upTo = next;
    await nextTurn();
  }
  return false;
}

function recipientOf(campaignId: string, sources: CampaignSources, contact: Contact) {
  return {
    campaign_id: campaignId,
    contact_number: contact.number,
    email: contact.email,
    email_key: contact.email_key,
    state: waitsForWinner(campaignId, sources, contact) ? ('held' as const) : ('waiting' as const),
  };
}

/** Recipients with a variant by tag do not take part in the split. Of the others, those outside its test group wait. */
function waitsForWinner(campaignId: string, { variants, split }: CampaignSources, contact: Contact): boolean {
  if (split === null || splitGroup(split, campaignId, contact.number) !== null) return false;
  return variantByTag(variants, JSON.parse(contact.tags) as string[]) === null;
}

const MINUTE_MS = 60_000;
/** Waiting recipients released per commit. */
const RELEASED_AT_ONCE = 2_000;

/** Returns whether the waiting recipients were released. */
export async function chooseWinner(
  { store, clock, log }: CampaignContext,
  campaign: CampaignInEnvironment,
): Promise<boolean> {
  const { id, winner } = campaign;
  const { split } = readCampaignSources(campaign);
  const now = clock();
  /** Returns false if the campaign was stopped in the meantime. */
  async function change(set: { fanned_out_at: number } | { winner: string }): Promise<boolean> {
    try {
      await store.commit([
        update(campaigns, {
          set: { ...set, updated_at: now },
          where: { id, status: 'sending' },
          otherwise: { code: 'conflict' },
        }),
      ]);
      return true;
    } catch (error) {
      if (isStale(error)) return false;
      throw error;
    }
  }
  if (split !== null && winner === null) {
    if (campaign.fanned_out_at === null) {
      await change({ fanned_out_at: now });
      return false;
    }
    if (now < campaign.fanned_out_at + split.wait_minutes * MINUTE_MS) return false;
    const chosen = splitWinner(split, await store.statistics.sourceStats(id));
    // The winner must be stored before its copies are created.
    if (!(await change({ winner: chosen }))) return false;
    log.info({ campaign_id: id, winner: chosen }, 'campaign winner selected');
  }
  while ((await store.campaigns.release(id, RELEASED_AT_ONCE)) === RELEASED_AT_ONCE);
  return true;
}
