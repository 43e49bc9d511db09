// A contact's row as /v1 shows it, and what happened with it.
import type {
  ContactActivityWire,
  ContactErasureWire,
  ContactWire,
  ExportedContact,
} from './contact.schema.js';
import type { MessageTrailEvent } from '../contract/names.js';
import type { Contact } from './audience.store.js';
import type { Activity, ListConsent } from './activity.store.js';
import type { Consent } from './consents.store.js';
import { detailOf } from '../events/events.store.js';
import type { Erasure } from './erase.js';
import { iso } from '../contract/time.js';

export function presentContact(row: Contact): ContactWire {
  return {
    id: row.id,
    object: 'contact',
    email: row.email,
    name: row.name,
    phone: row.phone,
    tags: JSON.parse(row.tags) as string[],
    metadata: JSON.parse(row.metadata) as Record<string, unknown>,
    status: row.status,
    sub_tenant_id: row.sub_tenant_id,
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  };
}

/** As an export has it. */
export function presentExported(row: Contact, consents: readonly Consent[]): ExportedContact {
  return {
    ...presentContact(row),
    consents: consents.map((one) => ({
      list_id: one.list_id,
      event: one.event,
      occurred_at: iso(one.occurred_at),
      actor: one.actor,
      actor_id: one.actor_id,
      source: one.source,
      ip: one.ip,
      user_agent: one.user_agent,
    })),
  };
}

export function presentActivity(row: Activity): ContactActivityWire {
  const occurred_at = iso(row.occurred_at);
  if ('list_id' in row) {
    return {
      object: 'contact_activity',
      event: row.kind,
      occurred_at,
      message: null,
      list: { id: row.list_id, name: row.list_name },
      ...presentConsent(row.consent),
    };
  }
  const { metadata = {}, ...rest } = detailOf(row);
  return {
    object: 'contact_activity',
    // Only entries of messages are read.
    event: row.event as MessageTrailEvent,
    occurred_at,
    message: {
      id: row.public_id,
      subject: row.subject,
      type: row.type,
      direction: row.status === 'received' ? 'inbound' : 'outbound',
      campaign_id: row.campaign_id,
      sequence_id: row.sequence_id,
    },
    list: null,
    actor: row.actor,
    metadata,
    ...rest,
  };
}

/** None was kept of those who joined before it was asked for, and of whoever leaves. */
function presentConsent(
  consent: ListConsent | null,
): Pick<ContactActivityWire, 'actor' | 'metadata' | 'ip' | 'user_agent'> {
  if (consent === null) return { actor: null, metadata: {} };
  const { actor, actor_id, source, ip, user_agent } = consent;
  return {
    actor,
    metadata: {
      source,
      ...(actor_id === null ? {} : { actor_id }),
      confirmed: consent.event === 'confirmed',
    },
    ...(ip === null ? {} : { ip }),
    ...(user_agent === null ? {} : { user_agent }),
  };
}

export function presentErasure(erasure: Erasure): ContactErasureWire {
  return {
    object: 'contact_erasure',
    complete: erasure.isComplete,
    erased: {
      contacts: erasure.contacts,
      messages_sent: erasure.sent,
      messages_received: erasure.received,
      messages_canceled: erasure.canceled,
      attachments: erasure.attachments,
      threads: erasure.threads,
      events: erasure.events,
      campaign_recipients: erasure.campaignRecipients,
      list_unsubscribes: erasure.listUnsubscribes,
      inbound_messages: erasure.inboundMessages,
    },
    kept: { suppressions: erasure.retainedSuppressions },
  };
}
