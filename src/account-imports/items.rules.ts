// Objects of other vendors, in one form for all of them.
import type { SuppressionFact } from '../suppressions/suppression.rules.js';
import type { ContactStatus, WebhookEvent, WebhookFormat } from '../contract/names.js';
import type { ImportKind } from './kinds.rules.js';

interface Item {
  /** The vendor's ID. */
  externalId: string;
  /** Address or name for the report. */
  name: string;
}

export interface SuppressionItem extends Item {
  reason: SuppressionFact['reason'];
}

export interface ListItem extends Item {
  description: string | null;
  doubleOptIn: boolean;
}

/** A contact with its memberships. `name` is the address. */
export interface ContactItem extends Item {
  fullName: string;
  phone?: string | undefined;
  tags: readonly string[];
  metadata: Readonly<Record<string, unknown>>;
  status: ContactStatus;
  memberships: readonly Membership[];
  /** True if only the memberships are known. Then no contact is created, and none is counted. */
  isMembership?: boolean;
}

export interface Membership {
  /** The vendor's ID of the list. */
  listId: string;
  state: 'subscribed' | 'pending' | 'unsubscribed';
}

export interface TemplateItem extends Item {
  slug: string | null;
  subject: string | null;
  html: string | null;
  text: string | null;
}

/** `name` is the domain. */
type DomainItem = Item;

/** `name` is the URL. */
export interface WebhookItem extends Item {
  /** Null for all events that the format has. */
  events: readonly WebhookEvent[] | null;
  format: WebhookFormat;
}

/** An object that is not imported. */
export interface LeftOut extends Item {
  problems: readonly ItemProblem[];
}

export interface ItemProblem {
  /** Line of a template; null for the whole object. */
  line: number | null;
  /** A sentence. */
  problem: string;
}

export interface ItemOfKind {
  suppressions: SuppressionItem;
  lists: ListItem;
  contacts: ContactItem;
  templates: TemplateItem;
  domains: DomainItem;
  webhooks: WebhookItem;
}

/** A page of objects. `next` continues after it; null at the end. */
export interface VendorPage<K extends ImportKind> {
  items: readonly ItemOfKind[K][];
  leftOut: readonly LeftOut[];
  next: string | null;
  /** Time (ms) to wait before the next page. */
  waitMs?: number;
}

export function leftOut({ externalId, name }: Item, problem: string, line: number | null = null): LeftOut {
  return { externalId, name, problems: [{ line, problem }] };
}
