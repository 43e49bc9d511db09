// A contact's row as /v1 shows it, and what happened with it.
import { wireOf } from '../contract/codec.js';
import {
  contact,
  contactConsent,
  type ContactActivityWire,
  type ContactErasureWire,
  type ExportedContact,
} from './contact.schema.js';
import type { MessageTrailEvent } from '../contract/names.js';
import type { Contact } from './contacts.tables.js';
import type { Activity, ListConsent } from './activity.store.js';
import type { Consent } from './consents.store.js';
import { detailOf } from '../events/events.store.js';
import type { Erasure } from './erase.js';
import { iso } from '../contract/time.js';

export const presentContact = wireOf(contact).from<Contact>();

const presentListConsent = wireOf(contactConsent).from<Consent>();

/** A contact as exports have it. */
export function presentExported(row: Contact, consents: readonly Consent[]): ExportedContact {
  return { ...presentContact(row), consents: consents.map((one) => presentListConsent(one)) };
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
