// Plans the rows of a received message: the message, its files, its thread and its audit trail entry.
import { createHash } from 'node:crypto';
import { addressKey, type Mailbox, type ParsedMail, shownLine, subjectKey } from '../../lib/mime/index.js';
import { isErasedAddress } from '../../contract/erased-address.js';
import type { MailAuthentication } from '../../lib/authentication/index.js';
import { newId } from '../../lib/runtime/index.js';
import { readClient } from '../inbound.store.js';
import { auditTrailEntry, auditTrailSubject } from '../../events/audit-trail-entry.store.js';
import { newDraft, toOne } from '../../messages/accept/draft.js';
import { filesOfMail } from '../../messages/accept/mail-files.js';
import { planReceivedMessage } from '../../messages/accept/plan-message.js';
import { type ForwardDecision, type ForwardTerms, planForwards } from './forward-plan.js';
import type { VisibleParts } from './mail-work.js';
import type { Place } from './place-reply.js';
import { type InboundMail } from '../inbound.tables.js';
import type { Change } from '../../database/change.js';
import { acceptMessage } from '../../messages/accept/accept.store.js';
import { update, insert } from '../../database/rows.js';
import { messages } from '../../messages/messages.tables.js';
import type { ExaminedRisk } from '../../messages/received.tables.js';
import { threads } from '../../messages/threads/threads.tables.js';

const MAX_SUBJECT = 998;
const MAX_NAME = 255;
const MAX_ADDRESS = 320;
const MAX_ID = 998;
const MAX_REFERENCES = 50;
/** The sender of mail that names none. */
const NOBODY = 'unknown@invalid';

interface ReceivedFacts {
  mail: InboundMail;
  raw: Uint8Array;
  parsed: ParsedMail;
  visible: VisibleParts;
  place: Place;
  /** The kind of automatic reply; `null` for a person's. */
  autoReply: string | null;
  authentication: MailAuthentication | null;
  /** `null` if it was not examined. */
  risk: ExaminedRisk | null;
  /** The addresses that the inbox forwards to. */
  forwards: readonly ForwardDecision[];
  forwarding: ForwardTerms;
}

export interface ReceivedPlan {
  publicId: string;
  threadId: string | null;
  /** Equal for messages with the same content. */
  contentHash: string;
  /** The Message-ID, or a hash if it has none. Equal if the same message arrives again. */
  arrivalId: string;
  changes: Change[];
}

export function planReceived(facts: ReceivedFacts): ReceivedPlan {
  const { mail, raw, parsed, place, autoReply } = facts;
  const { scope, parent } = place;
  const at = mail.received_at;
  const publicId = newId('msg', at);
  const from = senderOf(mail, parsed);
  const replyTo = parsed.replyTo[0] ? shownMailbox(parsed.replyTo[0]) : null;
  const subject = shownLine(parsed.subject, MAX_SUBJECT);
  // An automatic reply does not start a thread.
  const isAnswer = parent !== null || place.thread !== null;
  const isCounted = autoReply === null || !isAnswer;
  const thread = threadChanges(facts, { from, subject, isWanted: isCounted });
  const rfcMessageId = (parsed.messageId ?? '').slice(0, MAX_ID);
  // No Message-ID contains a space, so no message can refer to this ID.
  const arrivalId = rfcMessageId === '' ? `sha256 ${sha256(raw)}` : rfcMessageId;
  const metadata = {
    in_reply_to: parent?.public_id ?? null,
    thread_id: thread.id,
    rcpt_to: mail.rcpt_to,
    ...(autoReply === null ? {} : { auto_reply: autoReply }),
  };
  const draft = newDraft({
    ...toOne(publicId, { email: mail.rcpt_to, name: null }),
    to: parsed.to,
    cc: parsed.cc,
    from,
    replyTo: replyTo === null ? [] : [replyTo],
    subject,
    html: parsed.html,
    text: parsed.text,
    attachments: filesOfMail(parsed.parts),
    threadId: thread.id,
  });
  const { row, content } = planReceivedMessage(draft, { scope, now: at });
  const forwarded = planForwards(facts, draft);
  return {
    publicId,
    threadId: thread.id,
    contentHash: row.content_hash,
    arrivalId,
    changes: [
      ...thread.changes,
      acceptMessage({
        message: {
          row,
          workspaceId: scope.workspaceId,
          mode: scope.mode,
          content: {
            ...content,
            row: { ...content.row, rfc_message_id: rfcMessageId, raw_id: mail.raw_id },
            ...(forwarded.changes.length > 0 ? { copies: forwarded.changes.length } : {}),
          },
          tags: [],
          idempotency: null,
          queue: null,
          usageDay: null,
          foreignMessageId: arrivalId,
          received: { ...receivedRow(facts), forwards: forwarded.record },
          events: [
            {
              environmentId: scope.environmentId,
              workspaceNumber: scope.workspaceNumber,
              subjectId: publicId,
              event: isCounted ? 'received' : 'auto_replied',
              actor: 'recipient',
              occurredAt: at,
              detail: { metadata },
            },
          ],
        },
      }),
      ...forwarded.changes,
      ...(isCounted ? [] : autoReplied(facts, publicId)),
    ],
  };
}

/** Records the automatic reply in the audit trail of the original message. */
function autoReplied({ mail, place, autoReply }: ReceivedFacts, publicId: string): Change[] {
  const { scope, parent } = place;
  if (parent === null) return [];
  const detail = { metadata: { auto_reply: autoReply, message_id: publicId } };
  const at = mail.received_at;
  return [
    auditTrailEntry(auditTrailSubject(parent, scope), {
      event: 'auto_replied',
      actor: 'recipient',
      at,
      detail,
    }),
  ];
}

function sha256(raw: Uint8Array): string {
  return createHash('sha256').update(raw).digest('hex');
}

/** The author, or the envelope sender of mail that names none. */
export function senderOf(mail: Pick<InboundMail, 'mail_from'>, parsed: Pick<ParsedMail, 'from'>): Mailbox {
  const email = parsed.from?.email ?? mail.mail_from;
  return shownMailbox({ email: email === '' ? NOBODY : email, name: parsed.from?.name ?? null });
}

function shownMailbox({ email, name }: Mailbox): Mailbox {
  return {
    email: shownLine(email, MAX_ADDRESS),
    name: name === null || name === '' ? null : shownLine(name, MAX_NAME),
  };
}

function threadChanges(
  { mail, place }: ReceivedFacts,
  { from, subject, isWanted }: { from: Mailbox; subject: string; isWanted: boolean },
): { id: string | null; changes: Change[] } {
  const { scope, parent, thread, inboxId } = place;
  const at = mail.received_at;
  if (thread) {
    // A message that had to wait may be older than the last message of the thread.
    const set = {
      last_message_at: Math.max(at, thread.last_message_at),
      updated_at: Math.max(at, thread.updated_at),
      search_due: 1 as const,
      ...(isWanted ? { status: 'open' as const, unread: 1 as const } : {}),
      ...(inboxId === null ? {} : { inbox_id: inboxId }),
      // If retention has erased the thread, the new message fills it in again.
      ...(isErasedAddress(thread.correspondent_email) ? aboutThread(subject, from) : {}),
    };
    return { id: thread.id, changes: [update(threads, { set, where: { id: thread.id } })] };
  }
  if (!isWanted) return { id: null, changes: [] };
  const id = newId('thr', at);
  const about = parent?.subject ?? subject;
  const changes: Change[] = [
    insert(threads, {
      row: {
        id,
        environment_id: scope.environmentId,
        sub_tenant_id: scope.subTenantId,
        ...aboutThread(about, from),
        status: 'open',
        inbox_id: inboxId,
        unread: 1,
        labels: '[]',
        assigned_to: null,
        last_message_at: at,
        created_at: at,
        updated_at: at,
      },
    }),
  ];
  if (parent) {
    // If two replies arrive at the same time, the later one retries and joins the thread of the first.
    const where = { id: parent.id, thread_id: parent.thread_id };
    const otherwise = {
      code: 'unavailable',
      message: 'Another reply has already started the thread.',
    } as const;
    changes.push(update(messages, { set: { thread_id: id }, where, otherwise }));
  }
  return { id, changes };
}

function aboutThread(subject: string, correspondent: Mailbox) {
  return {
    subject,
    subject_key: subjectKey(subject),
    correspondent_email: correspondent.email,
    correspondent_name: correspondent.name,
    correspondent_key: addressKey(correspondent.email),
  };
}

function receivedRow({ mail, parsed, visible, place, autoReply, authentication, risk }: ReceivedFacts) {
  const client = readClient(mail);
  return {
    in_reply_to_id: place.parent?.id ?? null,
    auto_reply: autoReply,
    visible_text: visible.visibleText,
    visible_html: visible.visibleHtml,
    quoted_text: visible.quotedText,
    signature: visible.signature,
    authentication: authentication === null ? null : JSON.stringify(authentication),
    envelope: JSON.stringify({
      mail_from: mail.mail_from,
      rcpt_to: mail.rcpt_to,
      client_address: client.address,
      helo: client.helo,
      tls: client.tls,
    }),
    references_list: JSON.stringify(parsed.references.slice(-MAX_REFERENCES)),
    problems: JSON.stringify(parsed.problems),
    risk: risk === null ? null : JSON.stringify(risk),
  };
}
