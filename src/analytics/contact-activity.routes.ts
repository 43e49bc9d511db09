// Activity of a contact: mail to and from it, and the lists it joined and left.
import type { Api } from '../http/api.js';
import { listAnswer, pageQuery, readPage } from '../http/lists/pages.js';
import { contactParams } from '../contacts/contact.schema.js';
import { findContact } from '../contacts/find.routes.js';
import { listOf } from '../contract/lists.js';
import type { MessageTrailEvent } from '../contract/names.js';
import { iso } from '../contract/time.js';
import { readDetail } from '../events/events.store.js';
import type { AnalyticStores } from './stores.js';
import { contactActivity, type ContactActivityWire } from './contact-activity.schema.js';
import type { Activity, ListConsent } from './contact-activity.store.js';

export function contactActivityRoutes(
  app: Api,
  { store }: { store: Pick<AnalyticStores, 'contacts' | 'contactActivity'> },
): void {
  app.get(
    '/v1/contacts/:id/activity',
    {
      schema: {
        operationId: 'contacts.listActivity',
        tags: ['Contacts'],
        summary: "List a contact's activity",
        description:
          "Returns the audit trail events of messages to and from the contact's address in the key's environment, and its list membership changes, newest first. If there are more than 2,000 messages in either direction, only the newest are included.",
        params: contactParams,
        querystring: pageQuery,
        response: { 200: listOf(contactActivity) },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      const { number, email_key: emailKey } = await findContact(store, scope, request.params.id);
      const page = readPage(request);
      return listAnswer(
        request,
        await store.contactActivity.contactActivity(scope, { number, emailKey }, page),
        presentActivity,
      );
    },
  );
}

function presentActivity(row: Activity): ContactActivityWire {
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
  const { metadata = {}, ...rest } = readDetail(row);
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

/** Memberships from before consent was recorded have no record, and neither do people who left. */
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
