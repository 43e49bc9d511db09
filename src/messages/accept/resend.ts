// The draft of a stored message, for sending it again to the same recipient.
import { Refusal } from '../../contract/refusal.js';
import type { Mailbox } from '../../lib/mime/index.js';
import { readReplyTo } from '../rows.store.js';
import { readTlsTerms } from '../tls-terms.rules.js';
import { newDraft, type Draft } from './draft.js';
import type { Message } from '../messages.tables.js';
import type { MessageStores } from '../stores.js';

const NO_COPY =
  'The address was suppressed before its copy was created, so there is nothing to resend. Send a new message.';

/**
 * Sends the same content, headers, tags and metadata immediately under a new id. Schedule, expiry and source of the first message
 * are not copied. The caller adds the topic, because its list may have been deleted. Refused with `conflict` if a campaign or
 * sequence created no copy.
 */
export async function draftOfStored(
  store: Pick<MessageStores, 'messages'>,
  source: Message,
  publicId: string,
): Promise<Draft> {
  const stored = (await store.messages.deliverables([source.id])).get(source.id);
  if (!stored) throw new Error(`Message ${source.public_id} has lost its content.`);
  const { content, raw } = stored;
  if (content.html === null && content.text === null && raw === null) throw new Refusal('conflict', NO_COPY);
  const attachments = raw === null ? stored.attachments : await store.messages.filesOf(source);
  const recipient: Mailbox = { email: source.to_email, name: source.to_name };
  return newDraft({
    publicIds: [publicId],
    recipients: [{ ...recipient, role: source.recipient_role, key: source.to_key, path: 'to' }],
    to: JSON.parse(content.to_list) as Mailbox[],
    cc: JSON.parse(content.cc_list) as Mailbox[],
    type: source.type,
    priority: source.priority,
    from: { email: source.from_email, name: source.from_name },
    replyTo: readReplyTo(source),
    subject: source.subject,
    html: content.html,
    text: content.text,
    template:
      source.template_id === null || source.template_version === null
        ? null
        : { id: source.template_id, version: source.template_version },
    headers: JSON.parse(content.headers) as [string, string][],
    attachments: attachments.map((attachment) => ({
      filename: attachment.filename,
      contentType: attachment.contentType,
      cid: attachment.cid,
      sha256: attachment.sha256,
      content: attachment.content,
    })),
    tags: JSON.parse(source.tags) as string[],
    metadata: source.metadata,
    trackOpens: source.track_opens === 1,
    trackClicks: source.track_clicks === 1,
    tlsTerms: readTlsTerms(source.require_tls),
    threadId: source.thread_id,
    // The bytes of relayed mail keep their Message-ID. Other mail gets a new one, because receivers drop messages that they have
    // already received.
    rfcMessageId: raw === null ? null : content.rfc_message_id,
    // The first message's DSN options do not apply to this one.
    relayed: raw === null ? null : { raw, dsnOf: () => null },
    nullSender: source.null_sender === 1,
    askedFor: source.asked_for === 1,
    fromVendorApi: source.from_vendor_api === 1,
  });
}
