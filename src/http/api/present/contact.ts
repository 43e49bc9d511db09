// A contact's row as /v1 shows it, and what happened with it.
import type { ContactActivityWire, ContactErasureWire, ContactWire } from '../../../contract/contact.js';
import type { MessageTrailEvent } from '../../../contract/names.js';
import type { Contact } from '../../../store/audience.js';
import type { Activity } from '../../../store/contact-activity.js';
import { detailOf } from '../../../store/events.js';
import type { Erasure } from '../../../work/audience/erase.js';
import { iso } from './time.js';

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

export function presentActivity(row: Activity): ContactActivityWire {
  const occurred_at = iso(row.occurred_at);
  if ('list_id' in row) {
    return {
      object: 'contact_activity',
      event: row.kind,
      occurred_at,
      message: null,
      list: { id: row.list_id, name: row.list_name },
      actor: null,
      metadata: {},
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
      list_departures: erasure.listDepartures,
      incoming_mails: erasure.incomingMails,
    },
    kept: { suppressions: erasure.suppressionsKept },
  };
}
