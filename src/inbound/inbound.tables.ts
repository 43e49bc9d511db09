// Tables of mail that comes in: spooled mail, received messages, threads.
import {
  type ColumnsOf,
  generated,
  instant,
  int,
  json,
  nullable,
  type RowOf,
  table,
  text,
} from '../store/columns.js';

/** Purposes of addresses whose mail is read as mail. */
export const CLASSIFIED_KINDS = ['return_path', 'reply', 'unsubscribe', 'feedback', 'mailbox'] as const;
export type ClassifiedKind = (typeof CLASSIFIED_KINDS)[number];
/**
 * Purpose of the recipient's address; `mailbox`: any local part of a domain that takes them all; `report`: DMARC and TLS
 * reports about us.
 */
export type InboundKind = ClassifiedKind | 'report';

/** One recipient of a mail that the listener took; worked on after the 250. */
export const inboundMessages = table('inbound_messages', {
  id: generated(int()),
  raw_id: int(),
  received_at: instant(),
  /** JSON {address, helo, tls}; with `simulated` for the sandbox's own answers. */
  client: json(),
  /** '' for the null sender. */
  mail_from: text(),
  rcpt_to: text(),
  kind: text<InboundKind>(),
  /** The message (`msg_…`), sub-tenant (`tnt_…`) or sender (`snd_…`) that the address names; '' for feedback and reports. */
  target: text(),
  /** `failed`: parked for a person. */
  state: text<'waiting' | 'done' | 'failed'>(),
  /** Faults that were its own, and ends of the process while it was worked on by itself. */
  attempts: int(),
  due_at: instant(),
  /** Classification; null while it waits, `begun` or `begun_alone` while it is processed. */
  outcome: nullable(text()),
  /** JSON. */
  detail: nullable(json()),
});
export type InboundMailTable = ColumnsOf<typeof inboundMessages>;
export type InboundMail = RowOf<typeof inboundMessages>;

/** Further columns of a received message besides its row in `messages`. */
export const receivedMessages = table('received_messages', {
  message_id: int(),
  /** The message of ours that it answers. */
  in_reply_to_id: nullable(int()),
  /** Kind of automatic answer; null for a person's. */
  auto_reply: nullable(text()),
  visible_text: nullable(text()),
  visible_html: nullable(text()),
  quoted_text: nullable(text()),
  signature: nullable(text()),
  /** JSON: SPF, DKIM, DMARC, ARC; null when nobody looked. */
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

/** A conversation with one correspondent. */
export const threads = table('threads', {
  id: text(),
  environment_id: int(),
  sub_tenant_id: nullable(text()),
  subject: text(),
  /** The subject without its prefixes, lower case. */
  subject_key: text(),
  correspondent_email: text(),
  correspondent_name: nullable(text()),
  correspondent_key: text(),
  status: text<'open' | 'closed'>(),
  last_message_at: instant(),
  created_at: instant(),
  updated_at: instant(),
});
export type Thread = RowOf<typeof threads>;
