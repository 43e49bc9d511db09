// Reads the recipients of a campaign that has started, filtered by the state of their copy and by opens, clicks and replies.
import { type Selectable, sql } from 'kysely';
import type { MessageStatus, RecipientResult, RecipientState } from '../contract/names.js';
import type { Engine } from '../database/engine/engine.js';
import { IN_DOUBT } from '../messages/messages.store.js';
import { type Page, type PageRequest, cutPage } from '../database/scope.js';
import { pageInWindows, WINDOWS, type Windows } from '../database/paged.js';
import type { CampaignRecipientTable, campaignRecipients } from './campaigns.tables.js';
import type { messages } from '../messages/messages.tables.js';
import type { TablesOf } from '../database/columns.js';

type Known = TablesOf<typeof campaignRecipients | typeof messages>;

/** A recipient with their message, if they have one. */
export type ShownRecipient = Selectable<CampaignRecipientTable> & {
  messageId: string | null;
  messageStatus: MessageStatus | null;
};

interface RecipientFilter {
  state?: readonly RecipientState[];
  emailKey?: string;
  inDoubt?: boolean;
  /** Matches recipients with any of these. */
  did?: readonly RecipientResult[];
  /** Matches recipients with none of these. */
  didNot?: readonly RecipientResult[];
}

const hasEvent = (event: string): string =>
  `EXISTS (SELECT 1 FROM events d WHERE d.message_id = r.message_id AND d.event = '${event}')`;

/** The same conditions as the funnel's (analytics/event-measures.rules). */
const RESULTS: Readonly<Record<RecipientResult, string>> = {
  delivered: hasEvent('delivered'),
  opened:
    'EXISTS (SELECT 1 FROM engagement d WHERE d.message_id = r.message_id AND (d.opens > 0 OR d.clicks > 0))',
  clicked: 'EXISTS (SELECT 1 FROM engagement d WHERE d.message_id = r.message_id AND d.clicks > 0)',
  bounced: hasEvent('bounced'),
  complained: hasEvent('complained'),
  replied:
    'EXISTS (SELECT 1 FROM received_messages d WHERE d.in_reply_to_id = r.message_id AND d.auto_reply IS NULL)',
  unsubscribed: hasEvent('unsubscribed'),
  skipped: `(r.state = 'skipped' OR COALESCE(m.status, '') = 'suppressed')`,
};

function anyResult(results: readonly RecipientResult[]): string {
  return results.map((result) => RESULTS[result]).join(' OR ');
}

function keyOfRecipient({ contact_number }: Pick<CampaignRecipientTable, 'contact_number'>): string {
  return String(contact_number);
}

/**
 * Pages through recipients, newest contact first. Cursors are contact numbers. With a filter by result, a page may be short and
 * still have a next one.
 */
export function createRecipientList(engine: Engine, windows: Windows = WINDOWS) {
  const db = engine.read.$extendTables<Known>();

  /** Reads recipients of an audience snapshot, newest contact first, beyond `after` and up to `end`. */
  async function shown(
    campaignId: string,
    { state, emailKey, inDoubt, did, didNot }: RecipientFilter,
    { after, end, limit }: { after: string | null; end: string | null; limit: number },
  ): Promise<ShownRecipient[]> {
    let query = db
      .selectFrom('campaign_recipients as r')
      .leftJoin('messages as m', 'm.id', 'r.message_id')
      .selectAll('r')
      .select(['m.public_id as messageId', 'm.status as messageStatus'])
      .where('r.campaign_id', '=', campaignId)
      .orderBy('r.contact_number', 'desc')
      .limit(limit);
    if (inDoubt === true) query = query.where(sql<boolean>`${sql.raw(IN_DOUBT)}`);
    if (inDoubt === false) query = query.where(sql<boolean>`(${sql.raw(IN_DOUBT)}) IS NOT TRUE`);
    if (state) query = query.where('r.state', 'in', state);
    if (emailKey !== undefined) query = query.where('r.email_key', '=', emailKey);
    if (did) query = query.where(sql<boolean>`(${sql.raw(anyResult(did))})`);
    if (didNot) query = query.where(sql<boolean>`NOT (${sql.raw(anyResult(didNot))})`);
    if (after !== null) query = query.where('r.contact_number', '<', Number(after));
    if (end !== null) query = query.where('r.contact_number', '>=', Number(end));
    return query.execute();
  }

  /** Returns the position of the `count`th recipient beyond `after`, or `null` if there are fewer. */
  async function recipientAt(
    campaignId: string,
    after: string | null,
    count: number,
  ): Promise<string | null> {
    let query = db
      .selectFrom('campaign_recipients')
      .select('contact_number')
      .where('campaign_id', '=', campaignId)
      .orderBy('contact_number', 'desc')
      .offset(count - 1)
      .limit(1);
    if (after !== null) query = query.where('contact_number', '<', Number(after));
    const row = await query.executeTakeFirst();
    return row === undefined ? null : keyOfRecipient(row);
  }

  return async function recipients(
    campaignId: string,
    page: PageRequest,
    filter: RecipientFilter,
  ): Promise<Page<ShownRecipient>> {
    const { limit, after } = page;
    if (filter.did === undefined && filter.didNot === undefined) {
      const rows = await shown(campaignId, filter, { after, end: null, limit: limit + 1 });
      return cutPage(rows, limit, keyOfRecipient);
    }
    return pageInWindows(
      {
        limit,
        after,
        keyOf: keyOfRecipient,
        endOf: (from, count) => recipientAt(campaignId, from, count),
        rowsOf: (window) => shown(campaignId, filter, window),
      },
      windows,
    );
  };
}
