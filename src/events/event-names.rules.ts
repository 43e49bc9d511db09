// Names of events in the API: in audit trails, the event feed and webhooks.
import { RECORD_EVENTS, type RecordEvent, type TrailEvent, type WebhookEvent } from '../contract/names.js';
import type { FeedEventName } from './event.schema.js';
import { isRecordEvent } from './record-events.rules.js';

const WIRE_NAMES = {
  queued: null,
  sending: null,
  sent: 'message.sent',
  deferred: 'message.deferred',
  delivered: 'message.delivered',
  opened: 'message.opened',
  clicked: 'message.clicked',
  bounced: 'message.bounced',
  complained: 'message.complained',
  failed: 'message.failed',
  suppressed: 'message.suppressed',
  canceled: null,
  unsubscribed: 'message.unsubscribed',
  received: 'message.received',
  // An automatic reply is not a reply.
  auto_replied: null,
  rescheduled: null,
  tenant_warned: 'tenant.warned',
  tenant_throttled: 'tenant.throttled',
  tenant_paused: 'tenant.paused',
  tenant_recovered: 'tenant.recovered',
  tenant_dns_drifted: 'tenant.dns_drifted',
  tenant_dns_suspended: 'tenant.dns_suspended',
  tenant_dns_recovered: 'tenant.dns_recovered',
  dkim_rotation_started: 'tenant.dkim_rotation_started',
  dkim_rotation_completed: 'tenant.dkim_rotation_completed',
} as const satisfies Record<Exclude<TrailEvent, RecordEvent>, WebhookEvent | null>;

/** The feed also includes events that webhooks omit. */
const FEED_NAMES = {
  ...WIRE_NAMES,
  queued: 'message.queued',
  sending: 'message.sending',
  canceled: 'message.canceled',
  auto_replied: 'message.auto_replied',
  rescheduled: 'message.rescheduled',
} as const satisfies Record<Exclude<TrailEvent, RecordEvent>, FeedEventName>;

const SUBJECT_PREFIXES = {
  message: 'msg',
  recipient: 'msg',
  tenant: 'tnt',
  suppression: 'sup',
  contact: 'cnt',
  domain: 'snd',
  campaign: 'cmp',
  import: 'imp',
  export: 'exp',
  bulk_action: 'blk',
} as const;

/** Event for an address added to the suppression list, whose trail entry is also `suppressed`. */
const LISTED = 'recipient.suppressed';

/** The fields of a trail entry that determine its public name. */
export interface NamedEntry {
  event: TrailEvent;
  /** JSON; required only for `suppressed` entries. */
  detail: string | null;
}

/** Returns the event's name in webhooks; null if webhooks omit it. */
export function webhookEventName(entry: NamedEntry): WebhookEvent | null {
  if (isRecordEvent(entry.event)) return entry.event;
  return isListing(entry) ? LISTED : WIRE_NAMES[entry.event];
}

/** Returns the event's name in `GET /v1/events`. */
export function feedEventName(entry: NamedEntry): FeedEventName {
  if (isRecordEvent(entry.event)) return entry.event;
  return isListing(entry) ? LISTED : FEED_NAMES[entry.event];
}

function isListing({ event, detail }: NamedEntry): boolean {
  if (event !== 'suppressed' || detail === null) return false;
  const { metadata } = JSON.parse(detail) as { metadata?: { added?: unknown } };
  return metadata?.added === true;
}

/** Returns the prefix of the event's `data.id`. The event of a sub-tenant's domain has the sub-tenant's prefix, `tnt`. */
export function subjectPrefix(name: WebhookEvent): (typeof SUBJECT_PREFIXES)[keyof typeof SUBJECT_PREFIXES] {
  const noun = name.slice(0, name.indexOf('.')) as keyof typeof SUBJECT_PREFIXES; // names are noun and verb
  return SUBJECT_PREFIXES[noun];
}

/** Trail entries that a reader of the feed selects. */
export interface WantedEntries {
  events: readonly TrailEvent[];
  /** Which `suppressed` entries: addresses added to the list, skipped messages, or both. */
  suppressed: 'listed' | 'skipped' | 'both';
}

/** Returns the trail entries that have these names in the feed. */
export function selectTrailEntries(names: readonly FeedEventName[]): WantedEntries {
  const wanted = new Set(names);
  const all = Object.keys(FEED_NAMES) as (keyof typeof FEED_NAMES)[]; // the keys of a record over exactly these
  const isListed = wanted.has(LISTED);
  const isSkipped = wanted.has(FEED_NAMES.suppressed);
  return {
    events: [
      ...all.filter((event) => wanted.has(FEED_NAMES[event]) || (event === 'suppressed' && isListed)),
      ...RECORD_EVENTS.filter((event) => wanted.has(event)),
    ],
    suppressed: isListed ? (isSkipped ? 'both' : 'listed') : 'skipped',
  };
}
