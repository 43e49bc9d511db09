// The spool of mail that comes in.
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
