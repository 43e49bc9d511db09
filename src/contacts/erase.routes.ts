// Erasure of a person, by the id of the contact or by an address that only mail knows.
import { contactErasure, contactParams } from './contact.schema.js';
import { Refusal } from '../contract/refusal.js';
import type { Store } from '../store/store.js';
import type { Erase } from './erase.js';
import { readAddress } from '../api/body/fields.js';
import type { Api } from '../api/api.js';
import { presentErasure } from './contact.view.js';

export interface ContactEraseDeps {
  store: { audience: Pick<Store['audience'], 'contact'> };
  erase: Erase;
}

export function contactEraseRoutes(app: Api, { store, erase }: ContactEraseDeps): void {
  app.post(
    '/v1/contacts/:id/erase',
    {
      schema: {
        operationId: 'contacts.erase',
        tags: ['Contacts'],
        summary: 'Erase a person: the contact, and all mail to and from them',
        description:
          'Removes every contact of the address with its lists, sequences and overrides, cancels what still waits, and ' +
          'takes contents, files, names, labels and trail details off all mail to and from it; with a live key or a session in both environments, with a test key in test alone; ' +
          'within the sub-tenant where the key or the request is narrowed to one. What was said to others too stays ' +
          'theirs without the address. The trail still holds and proofs issued before still verify. Suppressions of ' +
          'the address stay. Mail that only mentions the person is not looked for. Can be asked ' +
          'again, also by the address once the contact is gone.',
        params: contactParams,
        response: { 200: contactErasure },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      const { id } = request.params;
      if (id.includes('@')) return presentErasure(await erase.erase(scope, readAddress('id', id).key));
      const contact = await store.audience.contact(scope, id);
      if (!contact) throw new Refusal('not_found');
      return presentErasure(await erase.erase(scope, contact.email_key));
    },
  );
}
