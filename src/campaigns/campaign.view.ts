// Campaigns, their recipients and overrides as /v1 shows them.
import { wireOf } from '../contract/codec.js';
import { campaignDelivery, campaignOverride, type CampaignRecipientWire } from './recipient.schema.js';
import { campaign, campaignSummary, type CampaignWire } from './campaign.schema.js';
import type { Mode, RecipientResult } from '../contract/names.js';
import { presentLastAttempt } from '../messages/message.view.js';
import type { LastAttempt } from '../messages/rows.store.js';
import type { Utm } from './utm.rules.js';
import { readCampaignSources } from './copy.rules.js';
import type { CampaignStores } from './stores.js';
import type { ShownRecipient } from './recipients.store.js';
import type { PreviewedRecipient } from './prepare/preview.js';
import type { Campaign, CampaignOverride } from './campaigns.tables.js';

interface CampaignSurroundings {
  /** `null` if the list was deleted. */
  listId: string | null;
  /** Reads a campaign's counts of all variants, by measure. */
  counted: ReadonlyMap<string, number>;
  /** Number of messages in doubt. */
  inDoubt: number;
  mode: Mode;
}

export const presentCampaignSummary = wireOf(campaignSummary).from<
  Campaign,
  Omit<CampaignSurroundings, 'listId'>
>({
  template_id: (row) => row.template_id || null,
  sandbox: (_row, { mode }) => mode === 'test',
  stats: (row, { counted, inDoubt }) => ({ ...statsOf(row, counted), in_doubt: inDoubt }),
});

const mailbox = (email: string | null, name: string | null) => (email === null ? null : { email, name });

const presentCampaign = wireOf(campaign).from<Campaign, CampaignSurroundings>({
  list_id: (_row, { listId }) => listId,
  template_id: (row) => row.template_id || null,
  from: (row) => mailbox(row.from_email, row.from_name),
  reply_to: (row) => mailbox(row.reply_to_email, row.reply_to_name),
  variants: (row) => [...readCampaignSources(row).variants],
  split: (row) => {
    const { split } = readCampaignSources(row);
    return split === null ? null : { ...split, variants: [...split.variants], winner: row.winner };
  },
  utm: ({ utm }) => {
    if (utm === null) return null;
    const set = JSON.parse(utm) as Utm; // written by the API only
    return { source: null, medium: null, campaign: null, content: null, term: null, ...set };
  },
  sandbox: (_row, { mode }) => mode === 'test',
  stats: (row, { counted, inDoubt }) => ({ ...statsOf(row, counted), in_doubt: inDoubt }),
});

function statsOf(
  row: Campaign,
  counted: ReadonlyMap<string, number>,
): Omit<CampaignWire['stats'], 'in_doubt'> {
  const of = (measure: string): number => counted.get(measure) ?? 0;
  return {
    recipients: row.total,
    queued: of('queued'),
    sent: of('sent'),
    delivered: of('delivered'),
    opened: of('opened'),
    clicked: of('clicked'),
    bounced: of('bounced'),
    complained: of('complained'),
    unsubscribed: of('unsubscribed'),
    // Skipped before a copy was created, or right before delivery. Counts of messages follow a moment later.
    skipped: row.skipped + Math.max(0, of('suppressed') - row.suppressed),
    failed: row.failed + of('failed'),
  };
}

/** Returns the number of recipients who did something, as in the campaign's `stats`. */
export function resultTotal(
  row: Campaign,
  counted: ReadonlyMap<string, number>,
  result: RecipientResult,
): number {
  if (result === 'replied') return counted.get(result) ?? 0;
  return statsOf(row, counted)[result];
}

export function presentPreviewed(recipient: PreviewedRecipient): CampaignRecipientWire {
  const { email, name, tags, variantTag, variant, templateName, edited, copy, problem } = recipient;
  return {
    object: 'campaign_recipient',
    email,
    name,
    tags: [...tags],
    variant_tag: variantTag,
    variant,
    template_name: templateName,
    edited,
    awaits_winner: recipient.awaitsWinner,
    subject: copy?.subject ?? null,
    html: copy?.html ?? null,
    text: copy?.text ?? null,
    problem,
  };
}

export const presentOverride = wireOf(campaignOverride).from<CampaignOverride>();

export const presentDelivery = wireOf(campaignDelivery).from<
  ShownRecipient,
  ReadonlyMap<number, LastAttempt>
>({
  message_id: 'messageId',
  message_status: 'messageStatus',
  last_attempt: ({ message_id: id }, attempts) =>
    presentLastAttempt(id === null ? null : (attempts.get(id) ?? null)),
});

type ShowCampaign = (scope: { mode: Mode }, row: Campaign) => Promise<CampaignWire>;

/** Counts by measure for all variants together. */
export async function readCounts(
  store: Pick<CampaignStores, 'statistics'>,
  row: Campaign,
): Promise<ReadonlyMap<string, number>> {
  return (await readManyCounts(store, [row]))(row);
}

/** Reads the counts of several campaigns together. Returns a function that gives the counts of each. */
export async function readManyCounts(
  store: Pick<CampaignStores, 'statistics'>,
  rows: readonly Campaign[],
): Promise<(row: Campaign) => ReadonlyMap<string, number>> {
  const started = rows.filter((row) => row.started_at !== null).map(({ id }) => id);
  const sources = await store.statistics.sourcesStats(started);
  return ({ id }) => {
    const sums = new Map<string, number>();
    for (const ofVariant of sources.get(id)?.values() ?? []) {
      for (const [measure, n] of Object.entries(ofVariant)) sums.set(measure, (sums.get(measure) ?? 0) + n);
    }
    return sums;
  };
}

/** Presents campaigns in the given order. Lists, counts and messages in doubt are read for all of them together. */
export async function presentCampaigns(
  store: Pick<CampaignStores, 'lists' | 'statistics' | 'messages'>,
  { mode }: { mode: Mode },
  rows: readonly Campaign[],
): Promise<CampaignWire[]> {
  const ids = rows.map(({ id }) => id);
  const [listIds, countedOfEach, inDoubt] = await Promise.all([
    store.lists.listIds(rows.map((row) => row.list_number)),
    readManyCounts(store, rows),
    store.messages.countInDoubt('campaign_id', ids),
  ]);
  return rows.map((row) =>
    presentCampaign(row, {
      listId: listIds.get(row.list_number) ?? null,
      counted: countedOfEach(row),
      inDoubt: inDoubt.get(row.id) ?? 0,
      mode,
    }),
  );
}

export function createCampaignView(
  store: Pick<CampaignStores, 'lists' | 'statistics' | 'messages'>,
): ShowCampaign {
  return async (scope, row) => {
    const [shown] = await presentCampaigns(store, scope, [row]);
    if (shown === undefined) throw new Error('one campaign in, one out');
    return shown;
  };
}
