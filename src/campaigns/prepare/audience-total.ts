// Counts the contacts of an audience who would get a copy by subtracting the few who would not, so that a list of a million is as
// fast as one of a thousand.
import type { CampaignContext } from '../context.js';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { blockingRow } from '../../suppressions/suppression.rules.js';
import type { ContactList } from '../../contacts/lists/lists.tables.js';
import type { Page, Scope } from '../../database/scope.js';
import { walkAudience, type EligibilityTerms } from './eligibility.js';
import type { Contact } from '../../contacts/contacts.tables.js';

/** Rows per read. */
const PAGE = 500;
/** If more rows would have to be searched for recipients without a copy, the audience itself is searched. */
const MAX_SEARCHED = 50_000;
const INACTIVE = ['unsubscribed', 'bounced', 'complained'] as const;

export interface TotalTerms extends EligibilityTerms {
  scope: Scope;
}

/** Counts like `walkAudience`. Returns 0 if the list was deleted. */
export async function countEligible(context: CampaignContext, terms: TotalTerms): Promise<number> {
  const { store } = context;
  const { campaign } = terms;
  const list = await store.lists.listFor(campaign);
  if (!list) return 0;
  const audience = { list, segmentTag: campaign.segment_tag };
  const isWhole = list.filter === null && campaign.segment_tag === null;
  // Joining and leaving the list keep this counter current.
  const all = isWhole ? list.contacts : await store.lists.audienceCount(audience);
  const excluded = await excludedOf(context, terms, list, Math.min(MAX_SEARCHED, all));
  return excluded === null ? (await walkAudience(context, terms)).eligible : Math.max(0, all - excluded.size);
}

/** Returns the numbers of contacts in the audience who get no copy. Null if that takes more than `most` rows. */
async function excludedOf(
  { store }: CampaignContext,
  { scope, campaign, organization }: TotalTerms,
  list: ContactList,
  most: number,
): Promise<Set<number> | null> {
  const owned = { ...scope, subTenantId: campaign.sub_tenant_id };
  const excluded = new Set<number>();
  let looked = 0;

  async function exclude(contacts: readonly Contact[]): Promise<void> {
    const candidates = contacts.filter(({ number }) => !excluded.has(number));
    if (list.filter === null && campaign.segment_tag === null) {
      const members = await store.lists.memberships(
        list.number,
        candidates.map(({ number }) => number),
      );
      for (const [number, { state }] of members) if (state === 'subscribed') excluded.add(number);
      return;
    }
    for (const { number } of candidates) {
      if (await store.lists.isInAudience({ list, segmentTag: campaign.segment_tag }, number)) {
        excluded.add(number);
      }
    }
  }

  /** Returns false if there are too many. */
  async function lookAt<Row>(
    pageAfter: (after: string | null) => Promise<Page<Row>>,
    take: (rows: readonly Row[]) => Promise<void>,
  ): Promise<boolean> {
    let after: string | null = null;
    do {
      const page: Page<Row> = await pageAfter(after);
      looked += page.rows.length;
      if (looked > most) return false;
      if (page.rows.length > 0) await take(page.rows);
      after = page.next;
      await nextTurn();
    } while (after !== null);
    return true;
  }

  const question = {
    type: campaign.type,
    subTenantId: campaign.sub_tenant_id,
    unsubscribeBlocks: organization.unsubscribe_blocks,
  };
  const everywhere = { ...scope, subTenantId: null };
  const isDone = await lookAt(
    (after) => store.suppressions.suppressions(everywhere, { limit: PAGE, after }, {}),
    async (rows) => {
      const keys = rows.filter((row) => blockingRow([row], question)).map((row) => row.email_key);
      if (keys.length > 0) await exclude([...(await store.contacts.contactsByKeys(owned, keys)).values()]);
    },
  );
  if (!isDone) return null;
  for (const status of INACTIVE) {
    const isSeen = await lookAt(
      (after) => store.contacts.contacts(owned, { limit: PAGE, after }, { status: [status] }),
      exclude,
    );
    if (!isSeen) return null;
  }
  return excluded;
}
