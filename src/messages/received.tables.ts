// Tables of received messages and of the ids that other systems gave to messages.
import { type ColumnsOf, int, json, nullable, type RowOf, table, text } from '../database/columns.js';

/** Further columns of a received message besides its row in `messages`. */
export const receivedMessages = table('received_messages', {
  message_id: int(),
  /** The sent message that it replies to. */
  in_reply_to_id: nullable(int()),
  /** Kind of automatic answer; null for a person's. */
  auto_reply: nullable(text()),
  visible_text: nullable(text()),
  visible_html: nullable(text()),
  quoted_text: nullable(text()),
  signature: nullable(text()),
  /** JSON: SPF, DKIM, DMARC, ARC; `null` if not checked. */
  authentication: nullable(json()),
  /** JSON {mail_from, rcpt_to, client_address, helo, tls}. */
  envelope: json(),
  /** JSON array of the message ids it refers to, oldest first. */
  references_list: json(),
  /** JSON array: what could not be read, and why. */
  problems: json(),
});
export type ReceivedMessageTable = ColumnsOf<typeof receivedMessages>;
export type ReceivedMessage = RowOf<typeof receivedMessages>;

/** The id of a message of an environment, made by somebody else. */
export const foreignMessageIds = table('foreign_message_ids', {
  environment_id: int(),
  rfc_message_id: text(),
  message_id: int(),
});
