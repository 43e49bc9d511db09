// The publishable key of a list, for forms of sites that cannot keep a secret: it signs up to this one list, and nothing else.
import { contactListObject, type ContactListWire } from './contact-list.schema.js';
import { Refusal } from '../contract/refusal.js';
import { idParams } from '../contract/schema.js';
import { newId } from '../lib/runtime/ids.js';
import type { Scope } from '../database/scope.js';
import type { Api } from '../http/api.js';
import { findList, presenter, type ListRouteDeps } from './lists.routes.js';
import { contactLists } from '../contacts/lists/lists.tables.js';
import { update } from '../database/rows.js';

const tags = ['Lists'];

export function listFormKeyRoutes(
  app: Api,
  { store, signUp, clock }: Pick<ListRouteDeps, 'store' | 'signUp' | 'clock'>,
): void {
  const present = presenter({ signUp });

  async function setKey(scope: Scope, id: string, form_key: string | null): Promise<ContactListWire> {
    const { number, filter } = await findList(store, scope, id);
    if (filter !== null) throw new Refusal('list_is_segment');
    const set = { form_key, updated_at: clock() };
    const where = { number, deleted_at: null };
    const otherwise = { code: 'not_found' } as const;
    await store.commit([update(contactLists, { set, where, otherwise })]);
    return present(await findList(store, scope, id), scope);
  }

  app.post(
    '/v1/lists/:id/publishable-key',
    {
      schema: {
        operationId: 'lists.rotatePublishableKey',
        tags,
        summary: "Create or replace a list's publishable key",
        description:
          'Returns a key with which a form on any website can sign up contacts: `POST /v1/subscribe` as `application/x-www-form-urlencoded` with `email`, `name`, `list_key`, `metadata[key]` and `redirect_url`. The previous key stops working.',
        params: idParams,
        response: { 200: contactListObject },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      const key = `pk_${scope.mode}_${newId('lst', clock()).slice('lst_'.length)}`;
      return setKey(scope, request.params.id, key);
    },
  );

  app.delete(
    '/v1/lists/:id/publishable-key',
    {
      schema: {
        operationId: 'lists.deletePublishableKey',
        tags,
        summary: "Revoke a list's publishable key",
        description: 'Revokes the publishable key of a list. Forms that use it stop working.',
        params: idParams,
        response: { 200: contactListObject },
      },
    },
    async (request) => setKey(request.caller.scope, request.params.id, null),
  );
}
