// Names of events in the API: in audit trails, the event feed and webhooks.
import {
  MESSAGE_TRAIL_EVENTS,
  RECORD_EVENTS,
  TENANT_TRAIL_EVENTS,
  type RecordEvent,
  type TenantTrailEvent,
  type TrailEvent,
  type WebhookEvent,
} from '../contract/names.js';
import { isWebhookEvent, type FeedEventName } from './event.schema.js';
import { isRecordEvent } from './record-events.rules.js';

/** Entries whose names in the API have their noun before them. */
const ENTRIES = [...MESSAGE_TRAIL_EVENTS, ...TENANT_TRAIL_EVENTS] as const;
type Entry = Exclude<TrailEvent, RecordEvent>;
type NameOf<E extends Entry> = E extends `tenant_${infer Name}`
  ? `tenant.${Name}`
  : E extends TenantTrailEvent
    ? `tenant.${E}`
    : `message.${E}`;

const OF_TENANTS: ReadonlySet<TrailEvent> = new Set(TENANT_TRAIL_EVENTS);

function nameOf(event: Entry): NameOf<Entry> {
  const noun = OF_TENANTS.has(event) ? 'tenant' : 'message';
  return `${noun}.${event.replace(/^tenant_/, '')}` as NameOf<Entry>; // the type says the same as the line
}

type NounOf<E extends string> = E extends `${infer Noun}.${string}` ? Noun : never;

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
  account_import: 'aim',
  draft: 'drf',
  thread: 'thr',
  approval: 'apr',
} as const satisfies Record<NounOf<WebhookEvent>, string>;

/** Event for an address added to the suppression list, whose trail entry is also `suppressed`. */
const LISTED = 'recipient.suppressed';

/** The fields of a trail entry that determine its public name. */
interface NamedEntry {
  event: TrailEvent;
  /** JSON; required only for `suppressed` entries. */
  detail: string | null;
}

/** Returns the event's name in webhooks; null if webhooks omit it. */
export function webhookEventName(entry: NamedEntry): WebhookEvent | null {
  const name = feedEventName(entry);
  return isWebhookEvent(name) ? name : null;
}

/** Returns the event's name in `GET /v1/events`. */
export function feedEventName(entry: NamedEntry): FeedEventName {
  if (isRecordEvent(entry.event)) return entry.event;
  return isListing(entry) ? LISTED : nameOf(entry.event);
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
  const isListed = wanted.has(LISTED);
  const isSkipped = wanted.has(nameOf('suppressed'));
  return {
    events: [
      ...ENTRIES.filter((event) => wanted.has(nameOf(event)) || (event === 'suppressed' && isListed)),
      ...RECORD_EVENTS.filter((event) => wanted.has(event)),
    ],
    suppressed: isListed ? (isSkipped ? 'both' : 'listed') : 'skipped',
  };
}
