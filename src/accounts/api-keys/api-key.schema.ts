// API keys, as listed, as made, and as changed.
import { Type } from 'typebox';
import { KEY_PERMISSIONS, MODES } from '../../contract/names.js';
import { closed, nameSchemas, nullable, oneOf, timestamp, timestampWith } from '../../contract/schema.js';

const fields = {
  id: Type.String(),
  object: Type.Literal('api_key'),
  name: Type.String(),
  permission: oneOf(KEY_PERMISSIONS),
  mode: oneOf(MODES),
  sub_tenant_id: nullable(Type.String()),
  key_prefix: Type.String({ description: 'The first characters of the secret.' }),
  made_by: nullable(
    Type.String({
      description:
        'Id of the person who made the key, or whose key made it; null if the operator did. The key can do no more than this person may, and is revoked when this person leaves the organization.',
    }),
  ),
  made_by_email: nullable(Type.String()),
  allowed_ips: nullable(Type.Array(Type.String())),
  expires_at: nullable(timestamp),
  replaced_by: nullable(
    Type.String({ description: 'The key that took its place; this one works until `expires_at`.' }),
  ),
  last_used_at: nullable(timestampWith({ description: 'To the minute; null when it was never used.' })),
  created_at: timestamp,
};

export const apiKey = Type.Object(fields);

export const createdApiKey = Type.Object({
  ...fields,
  secret: Type.String({ description: 'The key itself. It is shown here and never again.' }),
});

const expiresAt = Type.Optional(nullable(Type.String({ description: 'ISO 8601 with offset.' })));
const allowedIps = Type.Optional(
  nullable(
    Type.Array(Type.String(), {
      minItems: 1,
      maxItems: 50,
      description: 'Client addresses or CIDR ranges that may use the key.',
    }),
  ),
);

export const apiKeyCreate = closed(
  {
    name: Type.String({ minLength: 1, maxLength: 100 }),
    permission: Type.Optional(
      oneOf(KEY_PERMISSIONS, {
        default: 'full',
        description:
          '`send`: send messages and read them. `read`: read everything. `full`: all of the workspace. `admin`: besides, ' +
          'what concerns the whole organization; made by a person who has signed in, or by `mailkeel admin keys create`.',
      }),
    ),
    mode: Type.Optional(
      oneOf(MODES, { description: 'The environment; that of the calling key unless given.' }),
    ),
    sub_tenant_id: Type.Optional(
      nullable(Type.String({ description: 'Pins the key to a sub-tenant: it reaches no other objects.' })),
    ),
    expires_at: expiresAt,
    allowed_ips: allowedIps,
  },
  { examples: [{ name: 'Web shop', permission: 'send', allowed_ips: ['192.0.2.0/24'] }] },
);

export const apiKeyChange = closed(
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    expires_at: expiresAt,
    allowed_ips: allowedIps,
  },
  { examples: [{ allowed_ips: ['192.0.2.0/24'] }] },
);

export const apiKeyRotate = closed(
  {
    overlap: Type.Optional(
      Type.String({
        maxLength: 20,
        description:
          'How long the old key works beside the new one: `24h`, `90m`, at most `30d`; `0` ends it at once.',
      }),
    ),
  },
  { examples: [{ overlap: '24h' }] },
);

nameSchemas({
  ApiKey: apiKey,
  ApiKeyCreated: createdApiKey,
  ApiKeyCreate: apiKeyCreate,
  ApiKeyUpdate: apiKeyChange,
  ApiKeyRotate: apiKeyRotate,
});
