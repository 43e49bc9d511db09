// What comes back and what it belongs to: octets of mail, spooled mail, received messages, threads, delivery reports.
import type { Generated } from 'kysely';
import type { DsnAction } from '../../lib/dsn/dsn-part.js';
import type { Instant, Json } from './columns.js';

/** Mail as it came by SMTP, octet by octet. */
export interface RawTable {
  id: Generated<number>;
  size_bytes: number;
  content: Uint8Array;
}

export const INBOUND_KINDS = ['return_path', 'reply', 'unsubscribe', 'feedback', 'mailbox'] as const;
/** What the recipient's address is for; `mailbox`: any local part of a domain that takes them all. */
export type InboundKind = (typeof INBOUND_KINDS)[number];

/** One recipient of a mail that the listener took; worked on after the 250. */
export interface InboundMailTable {
  id: Generated<number>;
  raw_id: number;
  received_at: Instant;
  /** JSON {address, helo, tls}; with `simulated` for the sandbox's own answers. */
  client: Json;
  /** '' for the null sender. */
  mail_from: string;
  rcpt_to: string;
  kind: InboundKind;
  /** The message (`msg_…`), sub-tenant (`tnt_…`) or sender (`snd_…`) that the address names; '' for feedback. */
  target: string;
  /** `failed`: parked for a person. */
  state: 'waiting' | 'done' | 'failed';
  /** Faults that were its own, and ends of the process while it was worked on by itself. */
  attempts: number;
  due_at: Instant;
  /** What it turned out to be; null while it waits, `begun` or `begun_alone` while it is worked on. */
  outcome: string | null;
  /** JSON. */
  detail: Json | null;
}

/** What is kept of a received message besides its row in `messages`. */
export interface ReceivedMessageTable {
  message_id: number;
  /** The message of ours that it answers. */
  in_reply_to_id: number | null;
  /** What kind of automatic answer it is; null for a person's. */
  auto_reply: string | null;
  visible_text: string | null;
  visible_html: string | null;
  quoted_text: string | null;
  signature: string | null;
  /** JSON: SPF, DKIM, DMARC, ARC; null when nobody looked. */
  authentication: Json | null;
  /** JSON {mail_from, rcpt_to, client_address, helo, tls}. */
  envelope: Json;
  /** JSON array of the message ids it refers to, oldest first. */
  references_list: Json;
  /** JSON array: what could not be read, and why. */
  problems: Json;
}

/** The id of a message of an environment, made by somebody else. */
export interface ForeignMessageIdTable {
  environment_id: number;
  rfc_message_id: string;
  message_id: number;
}

/** A conversation with one correspondent. */
export interface ThreadTable {
  id: string;
  environment_id: number;
  sub_tenant_id: string | null;
  subject: string;
  /** The subject without its prefixes, lower case. */
  subject_key: string;
  correspondent_email: string;
  correspondent_name: string | null;
  correspondent_key: string;
  status: 'open' | 'closed';
  last_message_at: Instant;
  created_at: Instant;
  updated_at: Instant;
}

/** A delivery report for the submitter of a relayed message; one of each action. */
export interface DeliveryReportTable {
  message_id: number;
  action: DsnAction;
  at: Instant;
  /** JSON: what it says about the recipient. */
  detail: Json;
  attempts: number;
  /** Null once it is queued or given up. */
  due_at: Instant | null;
}
