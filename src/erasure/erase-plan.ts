// The changes by which an erasure removes a person from rows that are kept.
import { changeTime } from '../contract/time.js';
import { addressKey } from '../lib/mime/index.js';
import { ERASED_ADDRESS } from '../contract/erased-address.js';
import { statusesThatMayBecome } from '../messages/state.rules.js';
import { NO_RECIPIENT, NO_WORDS, withoutWords } from './forget-plan.store.js';
import type { Content } from '../messages/rows.store.js';
import type { Scope } from '../database/scope.js';
import { auditTrailEntry, auditTrailSubject } from '../events/audit-trail-entry.store.js';
import { type Message, messageTags, idempotencyKeys } from '../messages/messages.tables.js';
import type { Change } from '../database/change.js';
import { type Approval, approvals } from '../messages/approvals/approvals.tables.js';
import { endIfNoneWaits, lockPending } from '../messages/approvals/approval-changes.store.js';
import { dequeueMessage, advanceMessage, amendMessage } from '../messages/message-changes.store.js';
import { remove, update } from '../database/rows.js';
import { campaignRecipients } from '../campaigns/campaigns.tables.js';
import { countRecipients } from '../campaigns/recipient-changes.store.js';
import { foreignMessageIds } from '../messages/received.tables.js';

/** Facts for the erasure of one message. */
interface ErasedMessage {
  emailKey: string;
  scope: Scope;
  /** True when it is in the queue and not leased. */
  isWaiting: boolean;
  /** The pending approval that it waits for; null without one. */
  approvalId: string | null;
  now: number;
  content: Content | undefined;
}

export function planMessage(message: Message, erased: ErasedMessage): Change[] {
  return [
    ...(erased.isWaiting ? cancelWaiting(message, erased) : []),
    ...(erased.approvalId === null ? [] : cancelHeld(message, erased.approvalId, erased)),
    withoutPerson(message, erased),
    ...withoutTraces(message, erased),
  ];
}

function cancelWaiting(message: Message, erased: ErasedMessage): Change[] {
  return [
    dequeueMessage({ messageId: message.id, unleased: { code: 'conflict' } }),
    ...cancelMessage(message, erased),
  ];
}

/** The erasure is repeated if the message was approved in the meantime. */
function cancelHeld(message: Message, id: string, erased: ErasedMessage): Change[] {
  return [
    lockPending({ id, otherwise: { code: 'conflict' } }),
    ...cancelMessage(message, erased),
    endIfNoneWaits({ id, at: erased.now }),
  ];
}

function cancelMessage(message: Message, { scope, now }: ErasedMessage): Change[] {
  return [
    advanceMessage({
      messageId: message.id,
      to: 'canceled', // Includes attempted messages: their outcome is reported to nobody any more.
      from: statusesThatMayBecome('canceled'),
    }),
    auditTrailEntry(auditTrailSubject(message, scope), { event: 'canceled', actor: 'api', at: now }),
  ];
}

function withoutPerson(message: Message, { emailKey, now }: ErasedMessage): Change {
  const isFrom = addressKey(message.from_email) === emailKey;
  return amendMessage({
    messageId: message.id,
    set: {
      ...NO_WORDS,
      ...(message.to_key === emailKey ? NO_RECIPIENT : {}),
      ...(isFrom ? { from_email: ERASED_ADDRESS, from_name: null } : {}),
      reply_to_email: isFrom ? null : message.reply_to_email,
      reply_to_name: isFrom ? null : message.reply_to_name,
      reply_to_more: isFrom ? null : message.reply_to_more,
      idempotency_key: retainedKey(message, emailKey),
      error: message.error === null ? null : withoutWords(message.error),
      updated_at: now,
    },
  });
}

/** A key that names the person goes with its row. */
function retainedKey({ idempotency_key: key }: Message, emailKey: string): string | null {
  return key?.toLowerCase().includes(emailKey) ? null : key;
}

/** Content of the message in other tables. */
function withoutTraces(message: Message, { emailKey, content }: ErasedMessage): Change[] {
  const { id: message_id, environment_id } = message;
  const changes: Change[] = [];
  const tag = JSON.parse(message.tags) as string[];
  if (tag.length > 0) {
    changes.push(remove(messageTags, { where: { environment_id, tag, message_id } }));
  }
  const key = message.idempotency_key;
  if (key !== null && retainedKey(message, emailKey) === null) {
    const where = { environment_id, sub_tenant_key: message.sub_tenant_id ?? '', key };
    changes.push(remove(idempotencyKeys, { where }));
  }
  if (content) {
    const { rfc_message_id } = content;
    const where = { environment_id, rfc_message_id, message_id };
    changes.push(remove(foreignMessageIds, { where }));
  }
  return changes;
}

/**
 * Removes the person from the approval of a message that has other recipients. An edit in progress, which has the old content,
 * fails.
 */
export function withoutPersonInApproval(
  approval: Approval,
  { emailKey, now }: Pick<ErasedMessage, 'emailKey' | 'now'>,
): Change {
  const { id, differences, note, updated_at } = approval;
  return update(approvals, {
    set: {
      differences: withoutAddress(differences, emailKey),
      note: note === null ? null : withoutAddress(note, emailKey),
      updated_at: changeTime(approval, now),
    },
    where: { id, updated_at },
    otherwise: { code: 'conflict' },
  });
}

/** Skips a waiting recipient; the rows of others stay, without the address. */
export function planRecipient({
  campaignId,
  contactNumber,
  isOpen,
}: {
  campaignId: string;
  contactNumber: number;
  isOpen: boolean;
}): Change[] {
  const where = { campaign_id: campaignId, contact_number: contactNumber };
  // Each recipient of a campaign has a unique address.
  const set = { email: ERASED_ADDRESS, email_key: `erased.${contactNumber}@erased.invalid` };
  if (!isOpen) return [update(campaignRecipients, { set, where })];
  return [
    update(campaignRecipients, {
      set: { ...set, state: 'skipped', reason: 'erased' },
      where: { ...where, state: ['waiting', 'held'] },
      otherwise: { code: 'conflict' },
    }),
    countRecipients({ campaignId, total: 0, created: 0, skipped: 1, suppressed: 0, failed: 0 }),
  ];
}

export function withoutRecipient(list: string, emailKey: string): string {
  const mailboxes = JSON.parse(list) as { email: string }[];
  return JSON.stringify(mailboxes.filter(({ email }) => addressKey(email) !== emailKey));
}

/** Finds every occurrence regardless of case. Lower-casing must not move positions, because they are used to cut the text. */
export function withoutAddress(text: string, emailKey: string): string {
  const folded = text.toLowerCase();
  if (folded.length !== text.length) {
    return folded.includes(emailKey) ? folded.replaceAll(emailKey, ERASED_ADDRESS) : text;
  }
  let cleaned = '';
  let from = 0;
  for (let at = folded.indexOf(emailKey); at >= 0; at = folded.indexOf(emailKey, from)) {
    cleaned += text.slice(from, at) + ERASED_ADDRESS;
    from = at + emailKey.length;
  }
  return cleaned + text.slice(from);
}
