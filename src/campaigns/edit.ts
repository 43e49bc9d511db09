// Creates, changes and deletes campaigns.
import type { CampaignContext } from './context.js';
import type { CampaignCreate, CampaignPatch } from './campaign.schema.js';
import { Refusal } from '../contract/refusal.js';
import { changeTime } from '../contract/time.js';
import type { Change } from '../database/change.js';
import { type ChangeGuard, insert, remove, update } from '../database/rows.js';
import type { Scope } from '../database/scope.js';
import { newId } from '../lib/runtime/index.js';
import { campaignOverrides, campaigns, type Campaign } from './campaigns.tables.js';
import { readCampaignBody, readScheduledAt, type CampaignPlanning, type EditedColumns } from './columns.js';
import { createFacts } from '../messages/accept/facts.js';
import { requireSenders } from './prepare/readiness.js';
import type { Campaigns } from './run/campaigns.js';
import { campaignStep, type CampaignAction } from './state.rules.js';

interface EditContext extends CampaignContext {
  campaigns: Pick<Campaigns, 'send'>;
}

/** Creates a draft, or a scheduled campaign if the body has a time. `scope` is narrowed to its sub-tenant. */
export async function createCampaign(
  context: EditContext,
  scope: Scope,
  body: CampaignCreate,
): Promise<Campaign> {
  const now = context.clock();
  const at = readScheduledAt(body.scheduled_at, now);
  const { row, change } = await planDraft(context, scope, body);
  await context.store.commit([change]);
  if (at === undefined) return row;
  const undo = update(campaigns, { set: { deleted_at: now }, where: { id: row.id, status: 'draft' } });
  return withUndo(context, undo, () => context.campaigns.send(scope, row.id, at));
}

/** Plans a new draft. Refused as `readCampaignBody` is. `scope` is narrowed to its sub-tenant. */
export async function planDraft(
  context: CampaignPlanning & Pick<CampaignContext, 'clock'>,
  scope: Scope,
  body: CampaignCreate,
): Promise<{ row: Campaign; change: Change }> {
  const row = newCampaign(scope, await readCampaignBody(context, scope, body, null), context.clock());
  return { row, change: insert(campaigns, { row }) };
}

/** Runs all steps of a request. If the last step is refused, undoes the earlier ones. */
async function withUndo<T>({ store }: CampaignContext, undo: Change, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    await store.commit([undo]);
    throw error;
  }
}

/** Changes a draft or scheduled campaign, and schedules it if the body has a time. `scope` is that of the campaign. */
export async function changeCampaign(
  context: EditContext,
  scope: Scope,
  before: Campaign,
  { body, guard }: { body: CampaignPatch; guard: ChangeGuard },
): Promise<Campaign> {
  const { store, clock } = context;
  assertActionAllowed(before, 'edit');
  if (body.scheduled_at === null && before.status === 'scheduled') {
    throw new Refusal(
      'conflict',
      'A scheduled campaign must have a send time. Set another time, or cancel the campaign.',
    );
  }
  const at = readScheduledAt(body.scheduled_at, clock());
  const columns = await readCampaignBody(context, scope, body, before);
  const after: Campaign = { ...before, ...columns, updated_at: changeTime(before, clock()) };
  // A scheduled campaign was checked with its old addresses.
  if (before.status === 'scheduled' && (body.from !== undefined || body.reply_to !== undefined))
    requireSenders(after, await createFacts(store).senderSide(scope), scope);
  await store.commit([
    update(campaigns, {
      set: { ...columns, updated_at: after.updated_at },
      where: { id: before.id, status: before.status, updated_at: before.updated_at, deleted_at: null },
      otherwise: guard.otherwise ?? {
        code: 'conflict',
        message: 'The campaign was changed by another request. Try again.',
      },
    }),
  ]);
  if (at === undefined) return after;
  const undo = update(campaigns, {
    set: { ...columnsOf(before, columns), updated_at: changeTime(after, clock()) },
    where: { id: before.id, status: before.status, updated_at: after.updated_at },
  });
  return withUndo(context, undo, () => context.campaigns.send(scope, before.id, at));
}

/** Returns the previous values of these columns. */
function columnsOf(row: Campaign, columns: EditedColumns): Partial<Campaign> {
  return Object.fromEntries(Object.keys(columns).map((name) => [name, row[name as keyof Campaign]]));
}

/** Deletes a campaign that is not being sent, with its overrides. */
export async function deleteCampaign(
  { store, clock }: CampaignContext,
  row: Campaign,
  guard: ChangeGuard,
): Promise<void> {
  assertActionAllowed(row, 'delete');
  const now = clock();
  await store.commit([
    update(campaigns, {
      // A scheduled campaign is canceled too, so that it is not sent at its time.
      set: {
        deleted_at: now,
        updated_at: now,
        ...(row.status === 'scheduled' ? { status: 'canceled', fanned_out_at: now } : {}),
      },
      where: { id: row.id, status: row.status, deleted_at: null, ...guard.where },
      otherwise: guard.otherwise ?? {
        code: 'conflict',
        message: "The campaign's status has changed in the meantime. Try again.",
      },
    }),
    remove(campaignOverrides, { where: { campaign_id: row.id } }),
  ]);
}

/** Refuses an action that the campaign's state does not allow. */
export function assertActionAllowed(row: Campaign, action: CampaignAction): void {
  const step = campaignStep(row.status, action);
  if (!step.ok) throw new Refusal(step.refusal.code, step.refusal.message);
}

/** Returns a draft with these columns and without results. */
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
