// Decides which suppression rows block a recipient, and when repeated bounces add one.
import type { BounceCategory, ContactStatus, MessageType } from '../contract/names.js';

const DAY_MS = 86_400_000;
/** Categories in which the address does not accept mail. */
const OF_THE_ADDRESS: readonly BounceCategory[] = ['invalid_recipient', 'inactive_mailbox', 'bad_domain'];
const QUOTA_LIMIT = 5;
const QUOTA_WINDOW_MS = 14 * DAY_MS;

export interface SuppressionFact {
  /** Empty for the whole workspace, else a sub-tenant's id. */
  sub_tenant_key: string;
  reason: 'bounce' | 'complaint' | 'unsubscribe' | 'manual';
}

interface SuppressionQuestion {
  type: MessageType;
  subTenantId: string | null;
  /** The organization's choice: an opt-out ends all mail, or leaves transactional mail. */
  unsubscribeBlocks: 'all' | 'marketing';
  /** The recipient asked for this mail, so their own unsubscribing from its sender does not block it. */
  isAskedFor?: boolean;
}

/** The status of a contact whose owner suppresses its address for this reason. */
export const STATUS_OF_REASON = {
  bounce: 'bounced',
  complaint: 'complained',
  unsubscribe: 'unsubscribed',
  manual: 'unsubscribed',
} as const satisfies Record<SuppressionFact['reason'], ContactStatus>;

/** The reason of the suppression that goes with a contact's status. */
export const REASON_OF_STATUS = {
  unsubscribed: 'unsubscribe',
  bounced: 'bounce',
  complained: 'complaint',
} as const;

/**
 * True when the row keeps this kind of mail from the address. The row's address and environment are the
 * caller's to match.
 */
export function blocks(row: SuppressionFact, question: SuppressionQuestion): boolean {
  if (row.sub_tenant_key !== '' && row.sub_tenant_key !== question.subTenantId) return false;
  if (row.reason !== 'unsubscribe') return true;
  if (question.isAskedFor === true && row.sub_tenant_key === (question.subTenantId ?? '')) return false;
  return !(question.unsubscribeBlocks === 'marketing' && question.type === 'transactional');
}

/** The first of `rows` that blocks, or null. */
export function blockingRow<Row extends SuppressionFact>(
  rows: readonly Row[],
  question: SuppressionQuestion,
): Row | null {
  return rows.find((row) => blocks(row, question)) ?? null;
}

/**
 * Whether this bounce, insufficient by itself, suppresses the address together with `earlier` ones (epoch ms) of the same category:
 * a missing address without a confirming enhanced code on two UTC days, or a full mailbox five times in 14 days.
 */
export function repeatSuppresses(input: {
  category: BounceCategory;
  earlier: readonly number[];
  now: number;
}): boolean {
  const recent = input.earlier.filter((at) => at <= input.now && input.now - at <= QUOTA_WINDOW_MS);
  if (input.category === 'quota') return recent.length + 1 >= QUOTA_LIMIT;
  if (!OF_THE_ADDRESS.includes(input.category)) return false;
  const dayOf = (at: number): number => Math.floor(at / DAY_MS);
  return recent.some((at) => dayOf(at) !== dayOf(input.now));
}

/** The list of a message, as its audit trail names it. */
export interface TopicFact {
  id: string;
  name: string;
}

/** The metadata of a `suppressed` event; `topic`: the list of the message. */
export function suppressedMetadata(reason: string, topic: TopicFact | null): Record<string, string> {
  return reason === 'left_list' && topic !== null
    ? { reason, list_id: topic.id, list: topic.name }
    : { reason };
}

const SENTENCES = new Map<unknown, string>([
  [
    'unsubscribe',
    'The recipient unsubscribed. This blocks marketing and sales mail. It also blocks transactional mail, unless the organization limits unsubscribes to marketing.',
  ],
  [
    'bounce',
    'Earlier mail to this address bounced because it does not exist. Mailkeel no longer sends any mail to it.',
  ],
  [
    'complaint',
    'The recipient reported earlier mail as spam. Mailkeel no longer sends any mail to the address.',
  ],
  [
    'manual',
    'The address was added to the suppression list manually. Mailkeel no longer sends any mail to it.',
  ],
]);

/** Returns why a message was not sent, as a sentence from the metadata of its `suppressed` entry; null for any other entry. */
export function suppressedSentence(metadata: Readonly<Record<string, unknown>>): string | null {
  const { reason, list, added } = metadata;
  // The address was put onto the list because of this message, which had been sent.
  if (added === true) return null;
  if (reason !== 'left_list') return SENTENCES.get(reason) ?? null;
  const named = typeof list === 'string' ? `the list "${list}"` : 'the list of the message';
  return `The recipient unsubscribed from ${named}. This blocks mail from that list only.`;
}
