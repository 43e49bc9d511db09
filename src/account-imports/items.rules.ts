// Objects of other vendors, in one form for all sources.
import type { CampaignCreate } from '../campaigns/campaign.schema.js';
import type { SequenceCreate } from '../sequences/sequence.schema.js';
import type { SuppressionFact } from '../suppressions/suppression.rules.js';
import type { SegmentGroup } from '../contacts/lists/segment.rules.js';
import type { Actor, ContactStatus, WebhookEvent, WebhookFormat, WebhookPayload } from '../contract/names.js';
import type { Template } from '../templates/templates.tables.js';
import type { ImportKind } from './kinds.rules.js';

interface Item {
  /** The vendor's ID. */
  externalId: string;
  /** Address or name for the report. */
  name: string;
  /** The source's ID of the sub-tenant that has the object; absent for objects of the importing scope. */
  subTenantId?: string | undefined;
}

/** `name` is the name. */
export interface SubTenantItem extends Item {
  sendingDomain: string;
  /** The customer's own ID, by which an existing sub-tenant is found. */
  customerId: string | null;
}

export interface SuppressionItem extends Item {
  reason: SuppressionFact['reason'];
}

export interface ListItem extends Item {
  description: string | null;
  doubleOptIn: boolean;
  /** The filter of a segment with the source's IDs of lists. */
  filter?: SegmentGroup | null;
  /** The source's ID of the template of the confirmation mail. */
  confirmationTemplateId?: string | null;
  formOrigins?: readonly string[];
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

/** The request of a contact to join a list, as the source recorded it. */
export interface RecordedConsent {
  event: 'joined' | 'confirmed';
  actor: Actor;
  actorId: string | null;
  source: string;
  ip: string | null;
  userAgent: string | null;
  /** Epoch ms. */
  givenAt: number;
}

export interface Membership {
  /** The vendor's ID of the list. */
  listId: string;
  state: 'subscribed' | 'pending' | 'unsubscribed';
  /** The recorded consent, if the source has it. */
  consent?: RecordedConsent | undefined;
}

export interface TemplateItem extends Item {
  slug: string | null;
  subject: string | null;
  html: string | null;
  text: string | null;
  type?: Template['type'];
  inlineCss?: boolean;
  design?: Record<string, unknown> | null;
}

/** `name` is the domain or the address. */
export interface DomainItem extends Item {
  /** Set for an address. */
  address?: { displayName: string | null } | undefined;
}

/** `name` is the URL. */
export interface WebhookItem extends Item {
  /** Null for all events that the format has. */
  events: readonly WebhookEvent[] | null;
  format: WebhookFormat;
  description?: string | null;
  payload?: WebhookPayload;
  isDisabled?: boolean;
  /** The source's endpoint received the mail of some inboxes only, which are not imported. */
  hadInboxes?: boolean;
}

/** A block of a template design. */
export interface SavedBlockItem extends Item {
  block: Record<string, unknown>;
}

export interface SequenceItem extends Item {
  /** With the source's IDs of lists and templates. */
  body: SequenceCreate;
  /** The source's IDs of the templates that steps name by slug. */
  templateIds: Readonly<Record<string, string>>;
}

export interface CampaignItem extends Item {
  /** With the source's IDs of lists and templates. */
  body: CampaignCreate;
  /** Inline content, which becomes a template. */
  content?: Pick<TemplateItem, 'subject' | 'html' | 'text'>;
  /** Sentences for the report. */
  notes: readonly string[];
}

/** Note about a campaign that was scheduled at the source. */
export const WAS_SCHEDULED =
  'The campaign was scheduled and was imported as a draft. Check it, and schedule it again.';

/** An object that is not imported, or about which the report has notes. */
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
  sub_tenants: SubTenantItem;
  suppressions: SuppressionItem;
  lists: ListItem;
  contacts: ContactItem;
  templates: TemplateItem;
  domains: DomainItem;
  webhooks: WebhookItem;
  saved_blocks: SavedBlockItem;
  sequences: SequenceItem;
  campaigns: CampaignItem;
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
