// Table of the addresses that the mail of inboxes is forwarded to, and what messages store of their forwarding.
import { blob, instant, int, nullable, type RowOf, table, text } from '../../database/columns.js';

export const inboxForwards = table('inbox_forwards', {
  /** `fwd_…` */
  id: text(),
  inbox_id: text(),
  environment_id: int(),
  /** The inbox's. */
  sub_tenant_id: nullable(text()),
  address: text(),
  address_key: text(),
  /** Hash of the token in the latest confirmation mail. The token also ends the forwarding, after it has expired too. */
  confirmation_hash: blob(),
  confirmation_expires_at: instant(),
  /** When the owner of the address agreed; null: nothing is forwarded. */
  confirmed_at: nullable(instant()),
  /** When the owner of the address ended it. */
  stopped_at: nullable(instant()),
  created_at: instant(),
  updated_at: instant(),
});
export type InboxForward = RowOf<typeof inboxForwards>;

/** Stored with a forwarded message, so that each attempt composes the same octets. */
export interface ForwardTrace {
  /** `fwd_…` */
  forward_id: string;
  /** The received message, `msg_…`. */
  message_id: string;
  /** The inbox that it arrived in. */
  address: string;
  /** Value of the Received field. */
  received: string;
  /** Results of its authentication, as an ARC set says them. */
  results: string;
  /** The chain that an ARC set continues; null: none can be made. */
  chain: 'none' | 'pass' | null;
}

/** Why a message was not forwarded to an address. */
export const NOT_FORWARDED = ['loop', 'dmarc', 'malformed', 'suppressed', 'quota'] as const;
export type NotForwarded = (typeof NOT_FORWARDED)[number];

/** Why forwarded messages are canceled: the owner of the address has stopped the forwarding, or it was removed. */
export type ForwardingEnd = 'forwarding_stopped' | 'forwarding_removed';

/** A forwarding address that a received message met. */
export interface ForwardRecord {
  forward_id: string;
  /** The message that forwards it; null: it was not forwarded. */
  message_id: string | null;
  not_forwarded: NotForwarded | null;
}

export function readTrace(forward: string | null): ForwardTrace | null {
  return forward === null ? null : (JSON.parse(forward) as ForwardTrace); // written by `planReceived`
}
