// Signs a contact up for a list, from the customer's own server.
import { subscribeRequest, subscription } from '../contact-list.schema.js';
import { Refusal } from '../../contract/refusal.js';
import type { ListContext } from '../context.js';
import type { SignUps } from './sign-up.js';
import type { Caller } from '../../http/access/caller.js';
import type { Api } from '../../http/api.js';
import { callConsent } from '../../contacts/fields.routes.js';
import { personFields } from '../members.routes.js';

/** Such a key could add addresses to the lists and contacts that its policy lets it write to, and cause confirmation mail. */
function refusePolicy({ policy }: Caller): void {
  if (policy === null) return;
  throw new Refusal('forbidden', 'API keys with a send policy cannot subscribe contacts. Use another key.');
}

export function subscribeRoutes(app: Api, { store }: ListContext, signUps: SignUps): void {
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
      refusePolicy(request.caller);
      const { list_id: listId, email, name, metadata, tags: tagList } = request.body;
      const { scope } = request.caller;
      const list = await store.lists.list(scope, listId);
      if (!list) throw new Refusal('list_not_found', undefined, { param: 'list_id' });
      const person = personFields({ email, name, metadata, tags: tagList });
      const target = { list, scope: { ...scope, subTenantId: list.sub_tenant_id } };
      const { contact, status } = await signUps.subscribe(target, person, callConsent(request));
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
