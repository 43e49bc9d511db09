// The spool of inbound mail.
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
} from '../database/columns.js';

/** Purposes of addresses whose mail is read as mail. */
export const CLASSIFIED_KINDS = ['return_path', 'reply', 'unsubscribe', 'feedback', 'mailbox'] as const;
export type ClassifiedKind = (typeof CLASSIFIED_KINDS)[number];
/**
 * Purpose of the recipient's address. `mailbox`: any local part of a domain that accepts all; `report`: DMARC and TLS reports about
 * this server.
 */
export type InboundKind = ClassifiedKind | 'report';

/** A received message for one recipient, processed after the 250. */
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
  /** `failed` messages are parked until the operator acts. */
  state: text<'waiting' | 'done' | 'failed'>(),
  /** Counts faults, and crashes of the process while the message was processed alone. */
  attempts: int(),
  due_at: instant(),
  /** Classification; null while it waits, `begun` or `begun_alone` while it is processed. */
  outcome: nullable(text()),
  /** JSON. */
  detail: nullable(json()),
});
export type InboundMailTable = ColumnsOf<typeof inboundMessages>;
export type InboundMail = RowOf<typeof inboundMessages>;
