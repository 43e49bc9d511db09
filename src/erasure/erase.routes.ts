// Erasure of a person, by the ID of the contact or by an address.
import { contactParams } from '../contacts/contact.schema.js';
import { Refusal } from '../contract/refusal.js';
import type { ErasureContext } from './context.js';
import { PersonErasure, type Erasure } from './erase.js';
import { readAddress } from '../http/body/fields.js';
import type { Api } from '../http/api.js';
import { contactErasure, type ContactErasureWire } from './erasure.schema.js';

export function contactEraseRoutes(app: Api, context: ErasureContext): void {
  const { store } = context;
  const erasure = new PersonErasure(context);
  app.post(
    '/v1/contacts/:id/erase',
    {
      schema: {
        operationId: 'contacts.erase',
        tags: ['Contacts'],
        summary: 'Erase a contact',
        description:
          "Erases a person's data. Deletes all contacts with the address, including their list memberships, enrollments and overrides; cancels queued messages; and removes content, files, names, tags, metadata and audit trail details from all messages to and from the address. A live key or session covers both environments, a test key only test. Requests limited to a sub-tenant only affect that sub-tenant. Messages shared with other recipients remain for them without the address. Audit trails and previously issued proofs remain verifiable, and suppressions of the address remain. Messages that merely mention the person are not found. You can repeat the request, using the address once the contact is gone.",
        params: contactParams,
        response: { 200: contactErasure },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      const { id } = request.params;
      if (id.includes('@')) return presentErasure(await erasure.erase(scope, readAddress('id', id).key));
      const contact = await store.contacts.contact(scope, id);
      if (!contact) throw new Refusal('not_found');
      return presentErasure(await erasure.erase(scope, contact.email_key));
    },
  );
}

function presentErasure(erasure: Erasure): ContactErasureWire {
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
      drafts: erasure.drafts,
      events: erasure.events,
      campaign_recipients: erasure.campaignRecipients,
      list_unsubscribes: erasure.listUnsubscribes,
      inbound_messages: erasure.inboundMessages,
    },
    kept: { suppressions: erasure.retainedSuppressions },
  };
}
