// The tables of mail to many: campaigns with their recipients, sequences with their enrolments, and what was counted of both.
import type { Generated } from 'kysely';
import type {
  CampaignStatus,
  EnrollmentStatus,
  RecipientState,
  SequenceStatus,
} from '../../contract/names.js';
import type { Flag, Instant, Json } from './columns.js';

export interface CampaignTable {
  id: string;
  environment_id: number;
  sub_tenant_id: string | null;
  name: string;
  type: 'marketing' | 'sales';
  /** 0 while a draft has none. */
  list_number: number;
  /** '' while a draft has none. */
  template_id: string;
  /** Takes the place of the template's. */
  subject: string | null;
  /** Null: the default sender of the moment of sending. */
  from_email: string | null;
  from_name: string | null;
  reply_to_email: string | null;
  reply_to_name: string | null;
  segment_tag: string | null;
  /** JSON: [{tag, template_id, subject}], the first that matches wins. */
  variants: Json;
  /** JSON: the random split; null without one. */
  split: Json | null;
  /** Null: as the organization has it. */
  track_opens: Flag | null;
  track_clicks: Flag | null;
  status: CampaignStatus;
  /** JSON: {[template id]: version}, as they were when it was sent or scheduled; null before. */
  versions: Json | null;
  scheduled_at: Instant | null;
  started_at: Instant | null;
  sent_at: Instant | null;
  paused_at: Instant | null;
  /** Why it paused by itself, or waits for its plan: a code of the error catalogue and a sentence, as JSON {code, message}. */
  problem: Json | null;
  /** The audience is kept up to this contact number. */
  frozen_up_to: number;
  /** When the audience was complete. */
  frozen_at: Instant | null;
  /** When the last waiting recipient but those that wait for a winner had their message. */
  fanned_out_at: Instant | null;
  /** The key of the split that the rest gets. */
  winner: string | null;
  total: number;
  created: number;
  skipped: number;
  /** Of those skipped: who has a message that says so. */
  suppressed: number;
  failed: number;
  created_at: Instant;
  updated_at: Instant;
  deleted_at: Instant | null;
  /** When the addresses of its recipients were taken off. */
  redacted_at: Instant | null;
}

export interface CampaignOverrideTable {
  campaign_id: string;
  email_key: string;
  email: string;
  subject: string | null;
  html: string | null;
  created_at: Instant;
  updated_at: Instant;
}

/** The frozen audience: who gets a copy, and what became of that. */
export interface CampaignRecipientTable {
  campaign_id: string;
  contact_number: number;
  email: string;
  email_key: string;
  state: RecipientState;
  /** The variant's tag or the split's key of the copy that was made; null for the base. */
  variant: string | null;
  /** Why they were skipped, or why the copy failed. */
  reason: string | null;
  message_id: number | null;
}

export interface SequenceTable {
  number: Generated<number>;
  id: string;
  environment_id: number;
  sub_tenant_id: string | null;
  name: string;
  type: 'transactional' | 'marketing' | 'sales';
  trigger_kind: 'manual' | 'contact_created' | 'contact_tagged' | 'list_joined';
  /** The tag or the list's id; '' without one. */
  trigger_value: string;
  /** JSON: the steps, each with an id of its own that stays when others are added. */
  steps: Json;
  /** JSON: the events that end an enrolment. */
  exit_on: Json;
  /** JSON: {event, ...} that is the sequence's goal; null without one. */
  goal: Json | null;
  from_email: string | null;
  from_name: string | null;
  reply_to_email: string | null;
  reply_to_name: string | null;
  status: SequenceStatus;
  /** JSON {code, message}: why it paused by itself. */
  problem: Json | null;
  created_at: Instant;
  updated_at: Instant;
  deleted_at: Instant | null;
}

export interface EnrollmentTable {
  number: Generated<number>;
  id: string;
  sequence_number: number;
  contact_number: number;
  email_key: string;
  status: EnrollmentStatus;
  exit_reason: string | null;
  /** Id of the step that comes next, or that waits. */
  step: string;
  /** When it came to that step. */
  step_since: Instant;
  due_at: Instant;
  /** The event that its branch waits for; null otherwise. */
  waits_for: string | null;
  last_message_id: number | null;
  /** Bounds a circle of branches. */
  steps_taken: number;
  /** JSON. */
  variables: Json;
  created_at: Instant;
  updated_at: Instant;
}

export interface EnrollmentMessageTable {
  enrollment_number: number;
  message_id: number;
}

/** How far a reader of the event chains has come. */
export interface ConsumerTable {
  name: string;
  workspace_number: number;
  seq: number;
}

/** What recipients did with a message that was opened or clicked; tells a first time from a further one. */
export interface EngagementTable {
  message_id: number;
  opens: number;
  machine_opens: number;
  clicks: number;
  machine_clicks: number;
}

export interface StatDayTable {
  environment_id: number;
  /** '' for mail without a sub-tenant, `*` for all mail of the environment. */
  sub_tenant_key: string;
  type: 'transactional' | 'marketing' | 'sales';
  /** Days since the epoch, UTC. */
  day: number;
  measure: string;
  n: number;
}

/** All mail by hour, for a month. */
export interface StatHourTable {
  environment_id: number;
  sub_tenant_key: string;
  /** Hours since the epoch, UTC. */
  hour: number;
  type: 'transactional' | 'marketing' | 'sales';
  measure: string;
  n: number;
}

export interface StatGroupTable {
  environment_id: number;
  sub_tenant_key: string;
  dimension: 'tag' | 'provider';
  day: number;
  /** The tag; the name of the provider. */
  value: string;
  type: 'transactional' | 'marketing' | 'sales';
  measure: string;
  n: number;
}

export interface StatBounceTable {
  environment_id: number;
  sub_tenant_key: string;
  day: number;
  category: string;
  bounce_type: 'hard' | 'soft';
  provider: string;
  n: number;
}

/** Tags that are counted by themselves; there is a limit to them. */
export interface CountedTagTable {
  environment_id: number;
  tag: string;
}

/** Who ran the mail servers of a domain when mail last went there. */
export interface DomainProviderTable {
  domain: string;
  provider: string;
}

export interface SourceStatTable {
  /** A campaign's or a sequence's id. */
  source_id: string;
  /** '' for the base. */
  variant: string;
  measure: string;
  n: number;
}

export interface SourceHourTable {
  source_id: string;
  /** Hours since the epoch, UTC. */
  hour: number;
  measure: string;
  n: number;
}

export interface SourceLinkTable {
  source_id: string;
  url: string;
  clicks: number;
  /** Messages whose link was clicked at least once by a person. */
  people: number;
  machine_clicks: number;
}
