// One beat of the campaigns that are on their way: each has its turn, and none waits for another to end.
import type { Log } from '../../lib/runtime/log.js';
import type { PlacedCampaign } from '../campaigns.store.js';
import { fanOut, type FanOutDeps } from './fan-out.js';
import { takeAudienceSnapshot } from './audience-snapshot.js';
import { chooseWinner } from './winner.js';
import { cancelMail, parkMail, unparkMail } from './stop.js';

/** What a worker gave back after the first pass is parked by one of the next. */
const PARK_AGAIN_MS = [5_000, 30_000, 60_000];
/** A campaign whose turn failed waits so long for its next one. */
const AFTER_FAULT_MS = 15_000;
/** A campaign whose plan has nothing left looks again after this time. */
const PLAN_AGAIN_MS = 2_000;
/** A template that broke a limit is not asked for a minute: so long it gets two more tries. */
const SLOW_TEMPLATE_MS = 150_000;
const LIST_GONE = { code: 'list_not_found', message: "The campaign's list has been deleted." };

export interface CampaignRunnerDeps extends FanOutDeps {
  log: Log;
}

/** True when one of them has more to do at once. */
export type Carry = (signal: AbortSignal) => Promise<boolean>;

export function createCampaignRunner(deps: CampaignRunnerDeps): Carry {
  const { store, clock, log } = deps;
  /** Paused campaigns: how often their mail was parked, and when it is looked for again. */
  const parked = new Map<string, { passes: number; againAt: number }>();
  const faults = new Map<string, number>();
  /** Campaigns that wait for their plan: when it is asked again. */
  const planAgainAt = new Map<string, number>();
  /** Campaigns whose template is too slow at the moment. */
  const slowSince = new Map<string, number>();

  /** Written only if the campaign is still as it was read. */
  async function settle(campaign: PlacedCampaign, set: Partial<PlacedCampaign>): Promise<void> {
    const { id, status } = campaign;
    await store.commit([
      { kind: 'update', table: 'campaigns', set: { ...set, updated_at: clock() }, where: { id, status } },
    ]);
  }

  async function begin(campaign: PlacedCampaign): Promise<boolean> {
    const { id, scheduled_at } = campaign;
    if (scheduled_at === null || scheduled_at > clock()) return false;
    const now = clock();
    await store.commit([
      {
        kind: 'update',
        table: 'campaigns',
        set: { status: 'sending', started_at: now, updated_at: now },
        where: { id, status: 'scheduled', scheduled_at },
      },
    ]);
    log.info({ campaign_id: id }, 'campaign begins');
    return true;
  }

  async function send(campaign: PlacedCampaign, signal: AbortSignal): Promise<boolean> {
    if (campaign.paused_at !== null) {
      await unparkMail(deps, campaign.id, Math.max(0, clock() - campaign.paused_at));
      await settle(campaign, { paused_at: null });
      return true;
    }
    if (campaign.frozen_at === null) {
      const list = await store.lists.listFor(campaign);
      // An audience that is gone is not an empty one: nobody has a copy yet, and its owner has to say what is to become.
      if (list === null) return stop(campaign, LIST_GONE);
      await takeAudienceSnapshot(deps, campaign, list);
      return true;
    }
    if (campaign.problem !== null && (planAgainAt.get(campaign.id) ?? 0) > clock()) return false;
    const turn = await fanOut(deps, campaign, signal);
    if (turn.kind === 'more' || turn.kind === 'done') {
      slowSince.delete(campaign.id);
      if (campaign.problem !== null) await settle(campaign, { problem: null });
    }
    switch (turn.kind) {
      case 'more':
        return true;
      case 'busy':
        return false;
      case 'slow':
        return waitForTemplate(campaign, turn);
      case 'no_room':
        return waitForPlan(campaign, turn);
      case 'problem':
        return stop(campaign, turn);
      case 'done':
        return finish(campaign);
    }
  }

  /** It goes on by itself, the day or the month after, or when the plan allows more. */
  async function waitForPlan(
    campaign: PlacedCampaign,
    { code, message }: { code: string; message: string },
  ): Promise<boolean> {
    planAgainAt.set(campaign.id, clock() + PLAN_AGAIN_MS);
    const problem = JSON.stringify({ code, message });
    if (campaign.problem === problem) return false;
    log.info({ campaign_id: campaign.id, reason: message }, 'campaign waits for its plan');
    await settle(campaign, { problem });
    return false;
  }

  /** Tried again for a while: the machine may have stood still, or be busy. */
  async function waitForTemplate(
    campaign: PlacedCampaign,
    problem: { code: string; message: string },
  ): Promise<boolean> {
    const since = slowSince.get(campaign.id);
    if (since !== undefined && clock() - since >= SLOW_TEMPLATE_MS) return stop(campaign, problem);
    if (since === undefined) {
      slowSince.set(campaign.id, clock());
      log.warn({ campaign_id: campaign.id, reason: problem.message }, 'campaign waits for its template');
    }
    return false;
  }

  /** It waits for somebody to put that right and to resume it. */
  async function stop(
    campaign: PlacedCampaign,
    { code, message }: { code: string; message: string },
  ): Promise<boolean> {
    log.warn({ campaign_id: campaign.id, code }, 'campaign pauses itself');
    await settle(campaign, {
      status: 'paused',
      paused_at: clock(),
      problem: JSON.stringify({ code, message }),
    });
    return true;
  }

  /** Nobody waits for a copy: the rest waits for the winner of the split, or for the last first attempt. */
  async function finish(campaign: PlacedCampaign): Promise<boolean> {
    if (await store.campaigns.hasRecipients(campaign.id, 'held')) return chooseWinner(deps, campaign);
    if (campaign.fanned_out_at === null) await settle(campaign, { fanned_out_at: clock() });
    if (await store.campaigns.hasUnattempted(campaign.id)) return false;
    await settle(campaign, { status: 'sent', sent_at: clock() });
    log.info({ campaign_id: campaign.id }, 'campaign sent');
    return false;
  }

  async function park({ id }: PlacedCampaign): Promise<boolean> {
    const known = parked.get(id) ?? { passes: 0, againAt: 0 };
    if (clock() < known.againAt) return false;
    await parkMail(deps, id);
    const wait = PARK_AGAIN_MS[Math.min(known.passes, PARK_AGAIN_MS.length - 1)] ?? 0;
    parked.set(id, { passes: known.passes + 1, againAt: clock() + wait });
    return false;
  }

  async function takeBack(campaign: PlacedCampaign): Promise<boolean> {
    if (await cancelMail(deps, campaign)) await settle(campaign, { fanned_out_at: clock() });
    return false;
  }

  function turnOf(campaign: PlacedCampaign, signal: AbortSignal): Promise<boolean> {
    switch (campaign.status) {
      case 'scheduled':
        return begin(campaign);
      case 'sending':
        return send(campaign, signal);
      case 'paused':
        return park(campaign);
      case 'canceled':
        return takeBack(campaign);
      case 'draft':
      case 'sent':
        return Promise.resolve(false);
    }
  }

  return async (signal) => {
    let hasMore = false;
    const campaigns = await store.campaigns.atWork();
    const paused = new Set(campaigns.filter(({ status }) => status === 'paused').map(({ id }) => id));
    for (const id of parked.keys()) if (!paused.has(id)) parked.delete(id);
    const sending = new Set(campaigns.filter(({ status }) => status === 'sending').map(({ id }) => id));
    for (const known of [slowSince, planAgainAt])
      for (const id of known.keys()) if (!sending.has(id)) known.delete(id);
    for (const campaign of campaigns) {
      if (signal.aborted) return false;
      if ((faults.get(campaign.id) ?? 0) > clock()) continue;
      try {
        hasMore = (await turnOf(campaign, signal)) || hasMore;
        faults.delete(campaign.id);
      } catch (error) {
        // The others go on: one that cannot is tried again later.
        log.error({ err: error, campaign_id: campaign.id }, 'campaign fault');
        faults.set(campaign.id, clock() + AFTER_FAULT_MS);
      }
    }
    return hasMore;
  };
}
