// The tables of messages: what each one is, what it says, and what it carries.
import type { Generated } from 'kysely';
import type { MessageStatus, MessageType, Priority, Provider } from '../../contract/names.js';
import type { Flag, Instant, Json } from './columns.js';

export interface MessageTable {
  id: Generated<number>;
  public_id: string;
  environment_id: number;
  sub_tenant_id: string | null;
  content_id: number;
  type: MessageType;
  status: MessageStatus;
  recipient_role: 'to' | 'cc' | 'bcc';
  to_email: string;
  to_name: string | null;
  to_key: string;
  from_email: string;
  from_name: string | null;
  reply_to_email: string | null;
  reply_to_name: string | null;
  /** JSON [{email, name}]: the others, where there are several. */
  reply_to_more: Json | null;
  subject: string;
  template_id: string | null;
  template_version: number | null;
  priority: Priority;
  tags: Json;
  metadata: Json;
  idempotency_key: string | null;
  content_hash: string;
  track_opens: Flag;
  track_clicks: Flag;
  /** 1: verified TLS all the way or not at all; -1: whatever the receiver's policies say (RFC 8689); 0: as they say. */
  require_tls: -1 | 0 | 1;
  /** 1: it leaves with the null sender, as reports do: no report is sent when it fails. */
  null_sender: Flag;
  /** JSON {notify, ret, envid, orcpt, sender}: what the submitter of a relayed message asked for (RFC 3461). */
  dsn: Json | null;
  thread_id: string | null;
  /** The campaign or the sequence that it is a copy of, and which copy: a variant's tag, a split's key, a step's id. */
  campaign_id: string | null;
  sequence_id: string | null;
  variant: string | null;
  /** `lst_…`: the list that a message on its own stands for; null: none. */
  topic_id: string | null;
  provider: Provider | null;
  provider_message_id: string | null;
  /** Unix seconds of the signature of the last attempt: with the keys it reproduces the bytes that were sent. */
  signed_at: number | null;
  error: Json | null;
  scheduled_at: Instant | null;
  opened_at: Instant | null;
  clicked_at: Instant | null;
  created_at: Instant;
  updated_at: Instant;
  /** When its content and its persons were taken off; null: they are there. */
  redacted_at: Instant | null;
  /** While its status is `sent`: since when nobody can know whether it arrived, and no other attempt comes by itself. */
  in_doubt_at: Instant | null;
}

/** What the mail says. Copies of one request (to, cc, bcc) share a row. */
export interface ContentTable {
  id: Generated<number>;
  /** Message-ID without angle brackets; never changes. */
  rfc_message_id: string;
  /** JSON: [{email, name}] */
  to_list: Json;
  cc_list: Json;
  /** JSON: [[name, value]] of the customer's own header fields. */
  headers: Json;
  html: string | null;
  text: string | null;
  /** Its octets as they were submitted by SMTP or received; what is relayed is composed from these. */
  raw_id: number | null;
  /** 1: more than one message has it. */
  is_shared: Generated<Flag>;
}

export interface AttachmentTable {
  content_id: number;
  position: number;
  blob_id: number;
  filename: string;
  content_type: string;
  cid: string | null;
}

export interface BlobTable {
  id: Generated<number>;
  workspace_id: string;
  /** Hex. */
  sha256: string;
  size_bytes: number;
  content: Uint8Array;
}

export interface MessageTagTable {
  environment_id: number;
  tag: string;
  message_id: number;
}

export interface IdempotencyKeyTable {
  environment_id: number;
  sub_tenant_key: string;
  key: string;
  /** SHA-256 of the request. */
  fingerprint: Uint8Array;
  message_id: number;
  /** As first answered; the message's own may be changed later. */
  scheduled_at: Instant | null;
  created_at: Instant;
}
