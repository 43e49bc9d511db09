// Derives events from changes of campaigns, imports, exports and sending domains.
import { RECORD_EVENTS, type CampaignStatus, type RecordEvent, type TrailEvent } from '../contract/names.js';

const NAMES: ReadonlySet<TrailEvent> = new Set(RECORD_EVENTS);

export function isRecordEvent(event: TrailEvent): event is RecordEvent {
  return NAMES.has(event);
}

/** Returns null if the change is not an event. */
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

/** Returns null while the transfer is running. */
export function transferEvent(
  kind: 'import' | 'export' | 'bulk_action' | 'account_import',
  status: string,
): RecordEvent | null {
  switch (status) {
    case 'completed':
    case 'failed':
    case 'canceled':
      return `${kind}.${status}`;
    default:
      return null;
  }
}

/** Columns that determine a domain's status. A column is absent if the change does not read or set it. */
interface DomainColumns {
  status?: unknown;
  drifting_since?: unknown;
}

/** Returns the event of a domain from the row before the change and the values it sets. */
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

/** Whether the event is written only while an endpoint subscribes to it, because contacts and suppressions change in large numbers. */
export function isConditional(event: RecordEvent): boolean {
  return event.startsWith('contact.') || event.startsWith('suppression.');
}

/**
 * Whether the event applies to sub-tenants' domains. Other changes of such a domain are in the sub-tenant's trail as
 * `tenant.dns_…`.
 */
export function isEventOfTenants(event: RecordEvent): boolean {
  return event === 'domain.verified' || event === 'domain.failed';
}
