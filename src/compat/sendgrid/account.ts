// SendGrid's account: the scopes and user of a key, and the API keys of the workspace.
import { Type } from 'typebox';
import type { KeyPermission } from '../../contract/names.js';
import { invalidFields } from '../../contract/refusal.js';
import { closed } from '../../contract/schema.js';
import type { ApiKeyWire } from '../../accounts/api-keys/api-key.schema.js';
import { LINE } from '../bounds.js';
import { pageByOffset } from '../pages.js';
import { compatRoute, type CompatRoute } from '../route.js';

const SENDING = ['mail.send', 'mail.batch.create', 'user.scheduled_sends.create'];
const READING = [
  ...['marketing.read', 'stats.read', 'suppression.read', 'asm.suppressions.global.read'],
  ...['templates.read', 'whitelabel.read', 'api_keys.read', 'messages.read'],
];
const CHANGING = [
  ...['marketing.create', 'marketing.update', 'marketing.delete', 'suppression.delete'],
  ...['asm.suppressions.global.create', 'asm.suppressions.global.delete', 'templates.create'],
  ...['templates.update', 'templates.delete', 'whitelabel.create', 'whitelabel.delete'],
  ...['api_keys.create', 'api_keys.update', 'api_keys.delete'],
];
const FULL = [...SENDING, ...READING, ...CHANGING];
/** The vendor's names of operations that a key may call here. */
const SCOPES: Readonly<Record<KeyPermission, readonly string[]>> = {
  send: SENDING,
  read: READING,
  full: FULL,
  admin: FULL,
};

export const ACCOUNT_ROUTES: readonly CompatRoute[] = [
  compatRoute({
    method: 'GET',
    path: '/v3/scopes',
    permission: 'send',
    async handle({ v1 }) {
      return { body: { scopes: SCOPES[(await v1.me()).permission] } };
    },
  }),
  compatRoute({
    method: 'GET',
    path: '/v3/user/username',
    permission: 'send',
    async handle({ v1 }) {
      const { organization } = await v1.me();
      return { body: { username: organization.name ?? '' } };
    },
  }),
  compatRoute({
    method: 'GET',
    path: '/v3/api_keys',
    permission: 'read',
    query: closed({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })) }),
    async handle({ query: { limit = 100 }, v1, mode }) {
      const { items } = await pageByOffset(
        v1.apiKeys.list,
        { count: limit, offset: 0 },
        (key) => key.mode === mode,
      );
      return { body: { result: items.map(keyOf) } };
    },
  }),
  compatRoute({
    method: 'POST',
    path: '/v3/api_keys',
    permission: 'full',
    body: closed({ name: LINE, scopes: Type.Optional(Type.Array(LINE, { maxItems: 1000 })) }),
    example: { name: 'Web shop', scopes: ['mail.send'] },
    async handle({ body: { name, scopes = [] }, v1 }) {
      const permission = permissionOf(scopes);
      const made = await v1.apiKeys.create({ name, permission });
      return { status: 201, body: { api_key: made.secret, ...keyOf(made), scopes: SCOPES[permission] } };
    },
  }),
  compatRoute({
    method: 'GET',
    path: '/v3/api_keys/:id',
    permission: 'read',
    async handle({ params: { id = '' }, v1 }) {
      const key = await v1.apiKeys.get(id);
      return { body: { ...keyOf(key), scopes: SCOPES[key.permission] } };
    },
  }),
  compatRoute({
    method: 'PATCH',
    path: '/v3/api_keys/:id',
    permission: 'full',
    body: closed({ name: LINE }),
    example: { name: 'Shop' },
    async handle({ params: { id = '' }, body: { name }, v1 }) {
      return { body: keyOf(await v1.apiKeys.update(id, { name })) };
    },
  }),
  compatRoute({
    method: 'DELETE',
    path: '/v3/api_keys/:id',
    permission: 'full',
    async handle({ params: { id = '' }, v1 }) {
      await v1.apiKeys.revoke(id);
      return { status: 204 };
    },
  }),
];

/** Without scopes, a key has all of them. Other combinations than those of a permission are refused. */
function permissionOf(scopes: readonly string[]): 'full' | 'send' | 'read' {
  const isWithin = (all: readonly string[]): boolean => scopes.every((scope) => all.includes(scope));
  if (scopes.length > 0 && isWithin(SENDING)) return 'send';
  if (scopes.length > 0 && isWithin(READING)) return 'read';
  if (isWithin(FULL)) return 'full';
  const unknown = scopes.find((scope) => !FULL.includes(scope)) ?? '';
  const message = `has ${unknown.slice(0, 100)}, which no key has. Pass only mail.send, or no scopes for full access`;
  throw invalidFields([{ path: 'scopes', message }]);
}

function keyOf({ id, name }: Pick<ApiKeyWire, 'id' | 'name'>) {
  return { api_key_id: id, name };
}
