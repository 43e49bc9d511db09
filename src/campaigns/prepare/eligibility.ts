// Eligibility: which contacts of an audience would get a copy, and skip reasons for the others. Reads in slices.
import type { CampaignContext } from '../context.js';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { blockingRow } from '../../suppressions/suppression.rules.js';
import type { Scope } from '../../database/scope.js';
import type { Organization } from '../../accounts/accounts.tables.js';
import type { Campaign } from '../campaigns.tables.js';
import type { Contact } from '../../contacts/contacts.tables.js';

/** Contacts per read. */
const SLICE = 1_000;
/** Contacts per check. */
const PART = 250;

export interface EligibilityTerms {
  scope: Pick<Scope, 'environmentId'>;
  campaign: Pick<Campaign, 'type' | 'environment_id' | 'sub_tenant_id' | 'list_number' | 'segment_tag'>;
  organization: Pick<Organization, 'unsubscribe_blocks'>;
}

interface AudienceCount {
  total: number;
  /** Number of contacts who would get a copy. */
  eligible: number;
  /** Number of contacts who would not get a copy, by reason. */
  skipped: Record<string, number>;
}

interface SkipReason {
  /** The suppression's reason, the contact's status, or `left_list`. */
  reason: string;
  /** True if the address is on the suppression list. */
  isSuppressed: boolean;
}

/** Returns skip reasons by contact number. */
export async function skipReasons(
  { store }: CampaignContext,
  { scope, campaign, organization }: EligibilityTerms,
  contacts: readonly Contact[],
): Promise<Map<number, SkipReason>> {
  const keys = contacts.map((contact) => contact.email_key);
  if (keys.length === 0) return new Map();
  const { environmentId } = scope;
  const [suppressions, unsubscribed] = await Promise.all([
    store.suppressions.suppressionsAmong(keys.map((emailKey) => ({ environmentId, emailKey }))),
    store.lists.unsubscribedAmong(campaign.list_number, keys),
  ]);
  const question = {
    type: campaign.type,
    subTenantId: campaign.sub_tenant_id,
    unsubscribeBlocks: organization.unsubscribe_blocks,
  };
  const suppressedFor = new Map<string, string>();
  for (const row of suppressions) {
    if (blockingRow([row], question)) suppressedFor.set(row.email_key, row.reason);
  }
  const reasons = new Map<number, SkipReason>();
  for (const { number, email_key: key, status } of contacts) {
    const suppressed = suppressedFor.get(key);
    if (suppressed !== undefined) reasons.set(number, { reason: suppressed, isSuppressed: true });
    else if (status !== 'active') reasons.set(number, { reason: status, isSuppressed: false });
    else if (unsubscribed.has(key)) reasons.set(number, { reason: 'left_list', isSuppressed: false });
  }
  return reasons;
}

/** Counts the current audience, and visits those who would get a copy, oldest first. Empty if the list was deleted. */
export async function walkAudience(
  context: CampaignContext,
  terms: EligibilityTerms,
  visit: (eligible: readonly Contact[]) => void | Promise<void> = () => undefined,
): Promise<AudienceCount> {
  const { campaign } = terms;
  const count: AudienceCount = { total: 0, eligible: 0, skipped: {} };
  const list = await context.store.lists.listFor(campaign);
  if (!list) return count;
  let afterNumber = 0;
  for (;;) {
    const contacts = await context.store.lists.audienceSlice({
      list,
      segmentTag: campaign.segment_tag,
      afterNumber,
      limit: SLICE,
    });
    count.total += contacts.length;
    for (let at = 0; at < contacts.length; at += PART) {
      const part = contacts.slice(at, at + PART);
      const reasons = await skipReasons(context, terms, part);
      for (const { reason } of reasons.values()) count.skipped[reason] = (count.skipped[reason] ?? 0) + 1;
      const eligible = part.filter(({ number }) => !reasons.has(number));
      count.eligible += eligible.length;
      if (eligible.length > 0) await visit(eligible);
      await nextTurn();
    }
    const last = contacts.at(-1);
    if (!last || contacts.length < SLICE) return count;
    afterNumber = last.number;
  }
}
