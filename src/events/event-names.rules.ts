// Names of events on the wire: of entries of the trail, in the feed and in webhooks, and the entries that a filter names.
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
  // An answer that no person wrote is no reply.
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

/** The event feed also tells what no webhook does. */
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

/** Event for an address that was put onto the suppression list; its trail entry is a `suppressed` one, too. */
const LISTED = 'recipient.suppressed';

/** An entry of the trail, as far as its name on the wire depends on it. */
export interface NamedEntry {
  event: TrailEvent;
  /** JSON; needed of `suppressed` entries alone. */
  detail: string | null;
}

/** The event's name on the wire; null when webhooks do not tell it. */
export function webhookEventOf(entry: NamedEntry): WebhookEvent | null {
  if (isRecordEvent(entry.event)) return entry.event;
  return isListing(entry) ? LISTED : WIRE_NAMES[entry.event];
}

/** The event's name in `GET /v1/events`. */
export function feedEventOf(entry: NamedEntry): FeedEventName {
  if (isRecordEvent(entry.event)) return entry.event;
  return isListing(entry) ? LISTED : FEED_NAMES[entry.event];
}

function isListing({ event, detail }: NamedEntry): boolean {
  if (event !== 'suppressed' || detail === null) return false;
  const { metadata } = JSON.parse(detail) as { metadata?: { added?: unknown } };
  return metadata?.added === true;
}

/** The prefix of the ids that an event's `data.id` has. A domain of a sub-tenant has the sub-tenant's, `tnt`. */
export function subjectPrefixOf(
  name: WebhookEvent,
): (typeof SUBJECT_PREFIXES)[keyof typeof SUBJECT_PREFIXES] {
  const noun = name.slice(0, name.indexOf('.')) as keyof typeof SUBJECT_PREFIXES; // names are noun and verb
  return SUBJECT_PREFIXES[noun];
}

/** Which entries of the trail a reader of the feed wants. */
export interface WantedEntries {
  events: readonly TrailEvent[];
  /** Of the `suppressed` ones: those of addresses that were put onto the list, the others, or both. */
  suppressed: 'listed' | 'skipped' | 'both';
}

/** The entries of the trail that the feed has by these names. */
export function auditTrailEntriesOf(names: readonly FeedEventName[]): WantedEntries {
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
