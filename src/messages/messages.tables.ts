// Tables of messages, their content and files, and the attempts to deliver them.
import type { MessageStatus, MessageType, Priority, Provider } from '../contract/names.js';
import {
  blob,
  type ColumnsOf,
  flag,
  generated,
  instant,
  int,
  json,
  nullable,
  type RowOf,
  table,
  text,
} from '../database/columns.js';

export const messages = table('messages', {
  id: generated(int()),
  public_id: text(),
  environment_id: int(),
  sub_tenant_id: nullable(text()),
  content_id: int(),
  type: text<MessageType>(),
  status: text<MessageStatus>(),
  recipient_role: text<'to' | 'cc' | 'bcc'>(),
  to_email: text(),
  to_name: nullable(text()),
  to_key: text(),
  from_email: text(),
  from_name: nullable(text()),
  reply_to_email: nullable(text()),
  reply_to_name: nullable(text()),
  /** JSON [{email, name}]: the others, where there are several. */
  reply_to_more: nullable(json()),
  subject: text(),
  template_id: nullable(text()),
  template_version: nullable(int()),
  priority: text<Priority>(),
  tags: json(),
  metadata: json(),
  idempotency_key: nullable(text()),
  content_hash: text(),
  track_opens: flag(),
  track_clicks: flag(),
  /**
   * 1: verified TLS end to end is required; -1: the receiver's policies are ignored (RFC 8689); 0: the receiver's policies apply.
   */
  require_tls: int<-1 | 0 | 1>(),
  /** 1: it leaves with the null sender, as reports do: no report is sent when it fails. */
  null_sender: flag(),
  /** 1: the recipient asked for it; their unsubscribing from its sender does not block it. */
  asked_for: flag(),
  /** 1: a vendor API accepted it; any Reply-To is allowed, and the service adds none. */
  from_vendor_api: flag(),
  /** JSON {notify, ret, envid, orcpt, sender}: the DSN options of the submitter of a relayed message (RFC 3461). */
  dsn: nullable(json()),
  thread_id: nullable(text()),
  /** The campaign or the sequence that it is a copy of, and which copy: a variant's tag, a split's key, a step's id. */
  campaign_id: nullable(text()),
  sequence_id: nullable(text()),
  variant: nullable(text()),
  /** `lst_…`: the list that is the topic of a single message. `null` if there is none. */
  topic_id: nullable(text()),
  provider: nullable(text<Provider>()),
  /** JSON of `ForwardTrace`, for a received message that is forwarded unchanged. `null` for any other message. */
  forward: nullable(json()),
  /** The route whose share decided between direct delivery and a smarthost. `null` if there is none. */
  route: nullable(text()),
  provider_message_id: nullable(text()),
  /** Unix seconds of the signature of the last attempt: with the keys it reproduces the bytes that were sent. */
  signed_at: nullable(int()),
  /** The time in its Date field: that of its first attempt; null before it, and for the attempts of former releases. */
  dated_at: nullable(instant()),
  error: nullable(json()),
  scheduled_at: nullable(instant()),
  opened_at: nullable(instant()),
  clicked_at: nullable(instant()),
  created_at: instant(),
  updated_at: instant(),
  /** When its content and personal data were removed. `null` if they were not. */
  redacted_at: nullable(instant()),
  /** While the status is `sent`: since when the message is in doubt, without automatic retries. */
  in_doubt_at: nullable(instant()),
  /** W3C Trace Context of the request, or `null`. */
  traceparent: nullable(text()),
});
export type MessageTable = ColumnsOf<typeof messages>;
export type Message = RowOf<typeof messages>;

/** Content of a mail. Copies of one request (to, cc, bcc) share a row. */
export const contents = table('contents', {
  id: generated(int()),
  /** Message-ID without angle brackets; never changes. */
  rfc_message_id: text(),
  /** JSON: [{email, name}] */
  to_list: json(),
  cc_list: json(),
  /** JSON: [[name, value]] of the customer's own header fields. */
  headers: json(),
  html: nullable(text()),
  text: nullable(text()),
  /** The bytes as submitted by SMTP or received. Relayed mail is composed from these. */
  raw_id: nullable(int()),
  /** 1: more than one message has it. */
  is_shared: generated(flag()),
});
export type ContentTable = ColumnsOf<typeof contents>;

/** The original bytes of mail received by SMTP. */
export const raws = table('raws', {
  id: generated(int()),
  size_bytes: int(),
  content: blob(),
});

export const attachments = table('attachments', {
  content_id: int(),
  position: int(),
  blob_id: int(),
  filename: text(),
  content_type: text(),
  cid: nullable(text()),
});

export const blobs = table('blobs', {
  id: generated(int()),
  workspace_id: text(),
  /** Hex. */
  sha256: text(),
  size_bytes: int(),
  content: blob(),
});

export const messageTags = table('message_tags', {
  environment_id: int(),
  tag: text(),
  message_id: int(),
});

export const idempotencyKeys = table('idempotency_keys', {
  environment_id: int(),
  sub_tenant_key: text(),
  key: text(),
  /** SHA-256 of the request. */
  fingerprint: blob(),
  message_id: int(),
  /** The value in the first response. The message's own may change later. */
  scheduled_at: nullable(instant()),
  created_at: instant(),
});

/** One try to hand a message over. */
export const attempts = table('attempts', {
  message_id: int(),
  number: int(),
  at: instant(),
  session_id: nullable(text()),
  detail: json(),
  /** Lines of the transaction. */
  conversation: nullable(text()),
});

export const smtpSessions = table('smtp_sessions', {
  id: text(),
  at: instant(),
  /** JSON {host, address, source, opening: string[]} */
  detail: json(),
});
