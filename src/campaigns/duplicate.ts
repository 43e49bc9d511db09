// Duplicates a campaign as a draft with its content, audience, variants and settings, without its results.
import type { CampaignContext } from './context.js';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { insert, update } from '../database/rows.js';
import { type Campaign, campaigns } from './campaigns.tables.js';
import { newCampaign } from './edit.js';

/** Overrides that one commit copies. */
const SLICE = 500;
const MAX_NAME = 200;

/** Returns the new draft. `name` defaults to the source's name with "(copy)". */
export async function duplicateCampaign(
  context: CampaignContext,
  source: Campaign,
  { name, withOverrides }: { name: string | undefined; withOverrides: boolean },
): Promise<Campaign> {
  const { store, clock } = context;
  const now = clock();
  const owner = { environmentId: source.environment_id, subTenantId: source.sub_tenant_id };
  const row = newCampaign(owner, { ...contentOf(source), name: name ?? nameOfCopy(source.name) }, now);
  // Hidden until the overrides are complete.
  const deletedAt = withOverrides ? now : null;
  await store.commit([insert(campaigns, { row: { ...row, deleted_at: deletedAt } })]);
  if (withOverrides) await copyOverrides(context, source.id, row.id);
  return row;
}

/** Returns the fields that the duplicate takes from its source. */
function contentOf(source: Campaign) {
  return {
    type: source.type,
    list_number: source.list_number,
    template_id: source.template_id,
    subject: source.subject,
    from_email: source.from_email,
    from_name: source.from_name,
    reply_to_email: source.reply_to_email,
    reply_to_name: source.reply_to_name,
    segment_tag: source.segment_tag,
    variants: source.variants,
    split: source.split,
    track_opens: source.track_opens,
    track_clicks: source.track_clicks,
    utm: source.utm,
    // Sending a draft pins the current versions of its templates.
    versions: null,
  };
}

function nameOfCopy(name: string): string {
  return `${Array.from(name)
    .slice(0, MAX_NAME - ' (copy)'.length)
    .join('')} (copy)`;
}

async function copyOverrides({ store, clock }: CampaignContext, from: string, to: string): Promise<void> {
  let after: string | null = '';
  while (after !== null) {
    after = await store.campaigns.copyOverrides(from, to, { after, limit: SLICE, now: clock() });
    await nextTurn();
  }
  await store.commit([update(campaigns, { set: { deleted_at: null }, where: { id: to } })]);
}
