// What happened with a contact: mail to and from it, and the lists it joined and left.
import { contactActivity, contactParams } from './contact.schema.js';
import { listOf } from '../contract/lists.js';
import type { Store } from '../store/store.js';
import type { Api } from '../api/api.js';
import { listAnswer, pageQuery, readPage } from '../api/pages.js';
import { presentActivity } from './contact.view.js';
import { findContact } from './find.routes.js';

export interface ContactActivityDeps {
  store: Pick<Store, 'audience'>;
}

export function contactActivityRoutes(app: Api, { store }: ContactActivityDeps): void {
  app.get(
    '/v1/contacts/:id/activity',
    {
      schema: {
        operationId: 'contacts.listActivity',
        tags: ['Contacts'],
        summary: 'List what happened with a contact, newest first',
        description:
          'The trail entries of mail to and from its address in the environment of the key, and its lists. Of more ' +
          'than 2,000 messages either way the newest count.',
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
        await store.audience.contactActivity(scope, { number, emailKey }, page),
        presentActivity,
      );
    },
  );
}
