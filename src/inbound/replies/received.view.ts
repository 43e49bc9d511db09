// A received message in full: its row, what it says, how it came.
import type { MessageObject } from '../../messages/message.schema.js';
import type { Mode } from '../../contract/names.js';
import type { AuthenticationWire, ReceivedPart } from './received.schema.js';
import type { Message } from '../../messages/messages.store.js';
import type { ReceivedInFull } from '../threads/threads.store.js';
import type { AttachmentSummary } from '../../messages/accept/accept.js';
import { presentMessage } from '../../messages/message.view.js';
import { iso } from '../../contract/time.js';

interface Envelope {
  mail_from: string;
  client_address: string | null;
  tls: string | null;
}

export interface ReceivedRows {
  message: Message;
  received: ReceivedInFull;
  attachments: readonly AttachmentSummary[];
}

export function presentReceivedMessage(rows: ReceivedRows, mode: Mode): MessageObject {
  return { ...presentMessage(rows.message, rows.attachments, mode), received: partOf(rows) };
}

function partOf({ message, received }: ReceivedRows): ReceivedPart {
  const envelope = JSON.parse(received.envelope) as Envelope;
  return {
    in_reply_to: received.in_reply_to,
    auto_reply: received.auto_reply,
    visible_text: received.visible_text,
    visible_html: received.visible_html,
    quoted_text: received.quoted_text,
    signature: received.signature,
    text: received.text,
    html: received.html,
    message_id: received.rfc_message_id === '' ? null : received.rfc_message_id,
    mail_from: envelope.mail_from,
    client_address: envelope.client_address,
    tls: envelope.tls,
    authentication: received.authentication === null ? null : authenticationOf(received.authentication),
    problems: JSON.parse(received.problems) as string[],
    received_at: iso(message.created_at),
  };
}

/** The row keeps more, in our own words: what the verdict was made with is no part of the API. */
function authenticationOf(json: string): AuthenticationWire {
  const { spf, dkim, dmarc, arc } = JSON.parse(json) as AuthenticationWire;
  return {
    spf: { result: spf.result, domain: spf.domain },
    dkim: dkim.map(({ result, domain, selector, aligned }) => ({ result, domain, selector, aligned })),
    dmarc: { result: dmarc.result, policy: dmarc.policy, domain: dmarc.domain },
    arc: { result: arc.result },
  };
}
