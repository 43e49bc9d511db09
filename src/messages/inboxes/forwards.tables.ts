// Table of the forwarding addresses of inboxes, and the forwarding data that messages store.
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
  /** Hash of the token in the latest confirmation mail. The token also stops the forwarding, even after it has expired. */
  confirmation_hash: blob(),
  confirmation_expires_at: instant(),
  /** When the owner of the address confirmed. `null` if nothing is forwarded yet. */
  confirmed_at: nullable(instant()),
  /** When the owner of the address stopped the forwarding. */
  stopped_at: nullable(instant()),
  created_at: instant(),
  updated_at: instant(),
});
export type InboxForward = RowOf<typeof inboxForwards>;

/** Stored with a forwarded message, so that each attempt composes the same bytes. */
export interface ForwardTrace {
  /** `fwd_…` */
  forward_id: string;
  /** The received message, `msg_…`. */
  message_id: string;
  /** The inbox that received it. */
  address: string;
  /** Value of the Received field. */
  received: string;
  /** Authentication results, in the format of an ARC set. */
  results: string;
  /** The chain that an ARC set continues. `null` if no set can be added. */
  chain: 'none' | 'pass' | null;
}

/** Why a message was not forwarded to an address. */
export const NOT_FORWARDED = ['loop', 'dmarc', 'malformed', 'suppressed', 'quota'] as const;
export type NotForwarded = (typeof NOT_FORWARDED)[number];

/** Why forwarded messages are canceled: the owner of the address has stopped the forwarding, or it was removed. */
export type ForwardingEnd = 'forwarding_stopped' | 'forwarding_removed';

/** The result for one forwarding address of a received message. */
export interface ForwardRecord {
  forward_id: string;
  /** The forwarded copy. `null` if the message was not forwarded. */
  message_id: string | null;
  not_forwarded: NotForwarded | null;
}

export function readTrace(forward: string | null): ForwardTrace | null {
  return forward === null ? null : (JSON.parse(forward) as ForwardTrace); // written by `planReceived`
}
