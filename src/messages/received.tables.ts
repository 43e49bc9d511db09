// Tables of received messages and of the ids that other systems gave to messages.
import type { HiddenTextKind } from '../lib/html/index.js';
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
  /** JSON of `ExaminedRisk`; `null` if the message was not examined. */
  risk: nullable(json()),
  /** JSON array of `ForwardRecord`. `null` if its inbox forwards to no address. */
  forwards: nullable(json()),
});
export type ReceivedMessageTable = ColumnsOf<typeof receivedMessages>;
export type ReceivedMessage = RowOf<typeof receivedMessages>;

/** Signs that a file is a program: the extension of its name, or its first octets. */
export const EXECUTABLE_SIGNS = ['extension', 'content'] as const;

/** A part of a message that a computer may run. */
export interface ExecutableAttachment {
  filename: string | null;
  /** Name of the archive that contains it. */
  archive: string | null;
  sign: (typeof EXECUTABLE_SIGNS)[number];
}

/** A number of findings, of which the first are kept. */
export interface Findings<Finding> {
  count: number;
  findings: Finding[];
}

/** Facts about a received message that may show a fraud. */
export interface ExaminedRisk {
  hidden_text: Findings<{ kind: HiddenTextKind; text: string }>;
  link_mismatch: Findings<{ text: string; text_domain: string; target_domain: string }>;
  executable_attachments: Findings<ExecutableAttachment>;
  first_time_sender: boolean;
}

/** The id that another system gave to a message of an environment. */
export const foreignMessageIds = table('foreign_message_ids', {
  environment_id: int(),
  rfc_message_id: text(),
  message_id: int(),
});
