// Signing somebody up for a list: what the form of one's own site does.
import { subscribeRequest, subscription } from '../contact-list.schema.js';
import { Refusal } from '../../contract/refusal.js';
import type { ListStores } from '../stores.js';
import type { SignUp } from './sign-up.js';
import type { Api } from '../../http/api.js';
import { consentOf } from '../../contacts/fields.routes.js';
import { personFields } from '../members.routes.js';

export interface SubscribeRouteDeps {
  store: Pick<ListStores, 'lists'>;
  signUp: Pick<SignUp, 'subscribe'>;
}

export function subscribeRoutes(app: Api, { store, signUp }: SubscribeRouteDeps): void {
  app.post(
    '/v1/subscribe',
    {
      config: { permission: 'send' },
      schema: {
        operationId: 'lists.subscribe',
        tags: ['Lists'],
        summary: 'Subscribe a contact to a list',
        description:
          'Signs up someone at their own request, creating the contact if necessary. If the list uses double opt-in, they are sent a confirmation email first. Requires permission `send`.',
        body: subscribeRequest,
        response: { 200: subscription },
      },
    },
    async (request) => {
      const { list_id: listId, email, name, metadata, tags: tagList } = request.body;
      const { scope } = request.caller;
      const list = await store.lists.list(scope, listId);
      if (!list) throw new Refusal('list_not_found', undefined, { param: 'list_id' });
      const person = personFields({ email, name, metadata, tags: tagList });
      const target = { list, scope: { ...scope, subTenantId: list.sub_tenant_id } };
      const { contact, status } = await signUp.subscribe(target, person, consentOf(request));
      return {
        object: 'subscription' as const,
        list_id: list.id,
        contact_id: contact.id,
        email: contact.email,
        status,
      };
    },
  );
}
