// The events of changes of campaigns, imports, exports and sending domains.
import { RECORD_EVENTS, type CampaignStatus, type RecordEvent, type TrailEvent } from '../contract/names.js';

const NAMES: ReadonlySet<TrailEvent> = new Set(RECORD_EVENTS);

export function isRecordEvent(event: TrailEvent): event is RecordEvent {
  return NAMES.has(event);
}

/** Null for a change that is no event. */
export function campaignEvent(from: CampaignStatus | null, to: CampaignStatus): RecordEvent | null {
  switch (to) {
    case 'draft':
      return null;
    case 'scheduled':
      return 'campaign.scheduled';
    case 'sending':
      return from === 'paused' ? 'campaign.resumed' : 'campaign.started';
    case 'paused':
      return 'campaign.paused';
    case 'sent':
      return 'campaign.sent';
    case 'canceled':
      return 'campaign.canceled';
  }
}

/** Null while it goes on. */
export function transferEvent(kind: 'import' | 'export' | 'bulk_action', status: string): RecordEvent | null {
  switch (status) {
    case 'completed':
    case 'failed':
    case 'canceled':
      return `${kind}.${status}`;
    default:
      return null;
  }
}

/** The columns by which a domain stands, as a change finds them or sets them; absent: not looked at, not set. */
export interface DomainColumns {
  status?: unknown;
  drifting_since?: unknown;
}

/** Event of a domain: by the row that the change expects, and the row that it makes. */
export function domainEvent(before: DomainColumns, set: DomainColumns): RecordEvent | null {
  switch (set.status) {
    case 'verified':
      return before.status === 'pending_verification' || before.status === 'failed'
        ? 'domain.verified'
        : 'domain.recovered';
    case 'failed':
      return 'domain.failed';
    case 'suspended':
      return 'domain.suspended';
    default:
      return typeof set.drifting_since === 'number' ? 'domain.drifted' : null;
  }
}

/** Contacts and suppressions change in masses: their events are written only while an endpoint asks for them. */
export function isConditional(event: RecordEvent): boolean {
  return event.startsWith('contact.') || event.startsWith('suppression.');
}

/** Of a sub-tenant's sending domain its own trail has the rest: `tenant.dns_…`. */
export function isEventOfTenants(event: RecordEvent): boolean {
  return event === 'domain.verified' || event === 'domain.failed';
}
