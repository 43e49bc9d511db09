// Resend's API keys: those of the environment.
import { Type } from 'typebox';
import { closed, oneOf } from '../../contract/schema.js';
import type { ApiKeyWire } from '../../accounts/api-keys/api-key.schema.js';
import { LINE } from '../bounds.js';
import { pageById } from '../pages.js';
import { compatRoute, notHere, type CompatRoute } from '../route.js';
import { DEFAULT_LIMIT, listQuery } from './emails.js';

const PERMISSIONS = { full_access: 'full', sending_access: 'send' } as const;

export const API_KEY_ROUTES: readonly CompatRoute[] = [
  compatRoute({
    method: 'POST',
    path: '/api-keys',
    permission: 'full',
    body: closed({
      name: LINE,
      permission: Type.Optional(oneOf(['full_access', 'sending_access'])),
      domain_id: notHere(
        Type.Optional(Type.Unknown()),
        'keys are limited to a sub-tenant, not to a domain. Use POST /v1/api-keys with sub_tenant_id',
      ),
    }),
    example: { name: 'Web shop', permission: 'sending_access' },
    async handle({ body: { name, permission = 'full_access' }, v1 }) {
      const { id, secret } = await v1.apiKeys.create({ name, permission: PERMISSIONS[permission] });
      return { status: 201, body: { id, token: secret } };
    },
  }),
  compatRoute({
    method: 'GET',
    path: '/api-keys',
    permission: 'read',
    query: listQuery,
    async handle({ query: { limit = DEFAULT_LIMIT, after, before }, v1, mode }) {
      const { items, hasMore } = await pageById(
        { list: v1.apiKeys.list, find: v1.apiKeys.get, isShown: (key) => key.mode === mode },
        { limit, after, before },
      );
      const data = items.map(keyOf);
      return { body: { object: 'list', has_more: hasMore, data } };
    },
  }),
  compatRoute({
    method: 'PATCH',
    path: '/api-keys/:id',
    permission: 'full',
    body: closed({ name: LINE }),
    example: { name: 'Shop' },
    async handle({ params: { id: wanted = '' }, body: { name }, v1 }) {
      const { id } = await v1.apiKeys.update(wanted, { name });
      return { body: { object: 'api_key', id } };
    },
  }),
  compatRoute({
    method: 'DELETE',
    path: '/api-keys/:id',
    permission: 'full',
    async handle({ params: { id = '' }, v1 }) {
      await v1.apiKeys.revoke(id);
      return { status: 200 };
    },
  }),
];

function keyOf({ id, name, created_at, last_used_at }: ApiKeyWire) {
  return { id, name, created_at, last_used_at };
}
