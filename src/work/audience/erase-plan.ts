// The changes by which an erasure takes a person off rows that stay.
import { addressKey } from '../../mail/address.js';
import { ERASED_ADDRESS } from '../../mail/erased-address.js';
import { statusesThatMayBecome } from '../../rules/message-state.js';
import type { Content, Message } from '../../store/message-rows.js';
import type { Change } from '../../store/plan.js';
import type { Scope } from '../../store/scope.js';
import { trailEntry, trailSubject } from '../../store/trail-entry.js';

const NO_ENVELOPE = JSON.stringify({
  mail_from: '',
  rcpt_to: '',
  client_address: '',
  helo: '',
  tls: null,
});

/** What an erasure knows of one message. */
export interface ErasedMessage {
  emailKey: string;
  scope: Scope;
  /** It stands in the queue, and nobody has it in hand. */
  isWaiting: boolean;
  now: number;
  content: Content | undefined;
}

export function planMessage(message: Message, erased: ErasedMessage): Change[] {
  return [
    ...(erased.isWaiting ? cancelWaiting(message, erased) : []),
    withoutPerson(message, erased),
    ...withoutTraces(message, erased),
  ];
}

function cancelWaiting(message: Message, { scope, now }: ErasedMessage): Change[] {
  return [
    { kind: 'dequeue', messageId: message.id, unleased: { code: 'conflict' } },
    {
      kind: 'advance',
      messageId: message.id,
      to: 'canceled',
      // Also one that was tried: nobody will be told any more what became of it.
      from: statusesThatMayBecome('canceled'),
    },
    trailEntry(trailSubject(message, scope), { event: 'canceled', actor: 'api', at: now }),
  ];
}

function withoutPerson(message: Message, { emailKey, now }: ErasedMessage): Change {
  const isFrom = addressKey(message.from_email) === emailKey;
  return {
    kind: 'amend',
    messageId: message.id,
    set: {
      ...(message.to_key === emailKey
        ? { to_email: ERASED_ADDRESS, to_name: null, to_key: ERASED_ADDRESS }
        : {}),
      ...(isFrom ? { from_email: ERASED_ADDRESS, from_name: null } : {}),
      reply_to_email: isFrom ? null : message.reply_to_email,
      reply_to_name: isFrom ? null : message.reply_to_name,
      subject: '',
      tags: '[]',
      metadata: '{}',
      idempotency_key: null,
      dsn: null,
      error: message.error === null ? null : withoutWords(message.error),
      updated_at: now,
    },
  };
}

/** What other tables keep of the message's own words. */
function withoutTraces(message: Message, { emailKey, content }: ErasedMessage): Change[] {
  const { id: message_id, environment_id } = message;
  const changes: Change[] = [];
  const tag = JSON.parse(message.tags) as string[];
  if (tag.length > 0) {
    changes.push({ kind: 'delete', from: 'message_tags', where: { environment_id, tag, message_id } });
  }
  const key = message.idempotency_key;
  if (key?.toLowerCase().includes(emailKey)) {
    const where = { environment_id, sub_tenant_key: message.sub_tenant_id ?? '', key };
    changes.push({ kind: 'delete', from: 'idempotency_keys', where });
  }
  if (content) {
    const { rfc_message_id } = content;
    const where = { environment_id, rfc_message_id, message_id };
    changes.push({ kind: 'delete', from: 'foreign_message_ids', where });
  }
  return changes;
}

/** Trails without detail, and nothing of what was said by SMTP or came in. */
export function planTrails(messageIds: readonly number[]): Change[] {
  const where = { message_id: messageIds };
  return [
    { kind: 'update', table: 'events', set: { detail: null, salt: null }, where },
    { kind: 'delete', from: 'attempts', where },
    { kind: 'delete', from: 'delivery_reports', where },
    { kind: 'delete', from: 'address_rechecks', where },
    {
      kind: 'update',
      table: 'received_messages',
      set: {
        visible_text: null,
        visible_html: null,
        quoted_text: null,
        signature: null,
        authentication: null,
        envelope: NO_ENVELOPE,
        references_list: '[]',
        problems: '[]',
      },
      where,
    },
  ];
}

export function planContent(content: Content): Change {
  return {
    kind: 'update',
    table: 'contents',
    set: {
      rfc_message_id: `erased.${content.id}@erased.invalid`,
      to_list: '[]',
      cc_list: '[]',
      headers: '[]',
      html: null,
      text: null,
      raw_id: null,
    },
    where: { id: content.id },
  };
}

/** Who waits is skipped; where they were stays, without their address. */
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
  const set = { email: ERASED_ADDRESS, email_key: `erased.${contactNumber}@erased.invalid` };
  if (!isOpen) return [{ kind: 'update', table: 'campaign_recipients', set, where }];
  return [
    {
      kind: 'update',
      table: 'campaign_recipients',
      set: { ...set, state: 'skipped', reason: 'erased' },
      where: { ...where, state: ['waiting', 'held'] },
      otherwise: { code: 'conflict' },
    },
    { kind: 'count-recipients', campaignId, total: 0, made: 0, skipped: 1, failed: 0 },
  ];
}

/** The class of an error stays, what the peer said goes. */
function withoutWords(error: string): string {
  return JSON.stringify({
    ...(JSON.parse(error) as Record<string, unknown>),
    message: '',
    remote_host: null,
  });
}

export function withoutRecipient(list: string, emailKey: string): string {
  const mailboxes = JSON.parse(list) as { email: string }[];
  return JSON.stringify(mailboxes.filter(({ email }) => addressKey(email) !== emailKey));
}

/** Every occurrence, in whatever case. Lower case must not move the places: then nothing could be cut out by them. */
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
