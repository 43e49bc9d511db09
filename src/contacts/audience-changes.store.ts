// The changes of a plan that concern contacts and lists: each keeps tags, search, counts and the triggers of sequences
// in step with the row itself. All of it happens in the environment of the contact.
import type { Insertable } from 'kysely';
import type { Actor } from '../contract/names.js';
import type { Otherwise } from '../store/refuse.js';
import type { ContactTable } from './contacts.tables.js';
import type { ListMemberTable } from './lists/lists.tables.js';

/**
 * Adds a contact. With `ignore`, a contact with the same address stays as it is. If its owner suppresses the address, the
 * suppression decides the status.
 */
export interface PutContact {
  kind: 'put-contact';
  row: Omit<Insertable<ContactTable>, 'number'>;
  ifKnown: Otherwise | 'ignore';
  /** One of an import's or a bulk action's many: no event tells of it by itself. */
  isBulk?: true;
}

/**
 * Columns of a contact change; tags and metadata are given whole, so that whoever merges into them names the version that
 * they read: `ifUpdatedAt` refuses the plan with `conflict` when it is another. The status `active` is refused with
 * `recipient_suppressed` while the contact's owner suppresses the address.
 */
export interface ChangeContact {
  kind: 'change-contact';
  /** `cnt_…` */
  id: string;
  set: Partial<Pick<ContactTable, 'name' | 'phone' | 'tags' | 'metadata' | 'status'>> & {
    updated_at: number;
  };
  ifUpdatedAt?: number;
  otherwise?: Otherwise;
  /** As of `PutContact`. */
  isBulk?: true;
}

/** The contact goes, with its tags, its places on lists and its enrolments. */
export interface RemoveContact {
  kind: 'remove-contact';
  id: string;
  /** With everything that is kept of the person. */
  isErasure?: true;
  /** As of `PutContact`. */
  isBulk?: true;
  at: number;
  otherwise?: Otherwise;
}

/** The request to join a list, as evidence of consent. */
export interface Consent {
  /** `requested` where the change makes them pending; `confirmed`: they followed the link of the mail that asked them. */
  event: 'joined' | 'confirmed';
  actor: Actor;
  /** Of the key, the person or the import; null where somebody filled in a page. */
  actorId: string | null;
  /** The page's address, or the call. */
  source: string;
  ip: string | null;
  userAgent: string | null;
}

/**
 * A contact joins a list. Who left it on their own stays away, unless they `returned`. A subscribed member never becomes
 * pending again. Whoever `returned` and is subscribed gets mail again: a suppression of their owner's with the reason
 * `unsubscribe` is lifted, one with another reason stays.
 */
export interface JoinList {
  kind: 'join-list';
  listNumber: number;
  contactId: string;
  state: ListMemberTable['state'];
  returned: boolean;
  /** Kept when it changes anything. */
  consent: Consent;
  at: number;
}

/** A contact goes off a list; `unsubscribed` when it was their own doing, and is to be remembered. */
export interface LeaveList {
  kind: 'leave-list';
  listNumber: number;
  emailKey: string;
  /** Null when there is no such contact any more. */
  contactId: string | null;
  unsubscribed: boolean;
  at: number;
}

/** Deletes the record that the owner of an address left these lists. */
export interface ForgetUnsubscribe {
  kind: 'forget-unsubscribe';
  environmentId: number;
  listNumbers: readonly number[];
  emailKey: string;
}

export type AudienceChange =
  | PutContact
  | ChangeContact
  | RemoveContact
  | JoinList
  | LeaveList
  | ForgetUnsubscribe;
