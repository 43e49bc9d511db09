// API schemas of API keys.
import { Type, type Static } from 'typebox';
import { KEY_PERMISSIONS, MODES } from '../../contract/names.js';
import { sendPolicy, sendPolicyInput } from '../../contract/send-policy.js';
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
        'The ID of the user who created the key, or whose key created it. `null` if the operator created it. The key cannot do more than this user and is revoked when the user leaves the organization.',
    }),
  ),
  made_by_email: nullable(Type.String()),
  allowed_ips: nullable(Type.Array(Type.String())),
  expires_at: nullable(timestamp),
  replaced_by: nullable(
    Type.String({ description: 'The key that replaces this one. This key works until `expires_at`.' }),
  ),
  last_used_at: nullable(
    timestampWith({
      description: 'Time of the last request, to the minute. `null` if the key has never been used.',
    }),
  ),
  ses_credentials_at: nullable(
    timestampWith({
      description: 'Time when the SES credentials of the key were created. `null` if it has none.',
    }),
  ),
  policy: nullable(sendPolicy),
  oauth_client_id: nullable(
    Type.String({
      description:
        'The connected application that the key belongs to: its OAuth client ID. Such a key has no secret; the application uses tokens. `null` for any other key.',
    }),
  ),
  created_at: timestamp,
};

export const apiKey = Type.Object(fields);
export type ApiKeyWire = Static<typeof apiKey>;

export const createdApiKey = Type.Object({
  ...fields,
  secret: Type.String({ description: 'The secret key. Only returned in this response.' }),
});
export type CreatedApiKeyWire = Static<typeof createdApiKey>;

const expiresAt = Type.Optional(nullable(Type.String({ description: 'An ISO 8601 time with an offset.' })));
const allowedIps = Type.Optional(
  nullable(
    Type.Array(Type.String(), {
      minItems: 1,
      maxItems: 50,
      description: 'IP addresses or CIDR ranges allowed to use the key.',
    }),
  ),
);

const policy = Type.Optional(nullable(sendPolicyInput));

export const apiKeyCreate = closed(
  {
    name: Type.String({ minLength: 1, maxLength: 100 }),
    permission: Type.Optional(
      oneOf(KEY_PERMISSIONS, {
        default: 'full',
        description:
          'The permission. `send`: send messages and read them. `read`: read everything. `full`: full access to the workspace. `admin`: also manage the organization; such a key can only be created by a signed-in user or with `mailkeel admin keys create`.',
      }),
    ),
    mode: Type.Optional(
      oneOf(MODES, { description: 'The environment. Defaults to that of the calling key.' }),
    ),
    sub_tenant_id: Type.Optional(
      nullable(
        Type.String({
          description:
            "Pins the key to a sub-tenant, so that it has access to this sub-tenant's objects only.",
        }),
      ),
    ),
    expires_at: expiresAt,
    allowed_ips: allowedIps,
    policy,
  },
  { examples: [{ name: 'Web shop', permission: 'send', allowed_ips: ['192.0.2.0/24'] }] },
);

export const apiKeyChange = closed(
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    expires_at: expiresAt,
    allowed_ips: allowedIps,
    policy,
  },
  { examples: [{ allowed_ips: ['192.0.2.0/24'] }] },
);

export const apiKeyRotate = closed(
  {
    overlap: Type.Optional(
      Type.String({
        maxLength: 20,
        description:
          'How long the old key keeps working, for example `24h` or `90m`, up to `30d`. `0` ends it immediately.',
      }),
    ),
  },
  { examples: [{ overlap: '24h' }] },
);

export const sesCredentials = Type.Object({
  object: Type.Literal('ses_credentials'),
  api_key_id: Type.String(),
  access_key_id: Type.String({ description: 'The ID of the API key.' }),
  secret_access_key: Type.String({ description: 'The secret. Only returned in this response.' }),
  created_at: timestamp,
});

nameSchemas({
  SendPolicy: sendPolicy,
  SendPolicyContent: sendPolicy.properties.content,
  SendPolicyInput: sendPolicyInput,
  SendPolicyContentInput: sendPolicyInput.properties.content,
  SesCredentials: sesCredentials,
  ApiKey: apiKey,
  ApiKeyCreated: createdApiKey,
  ApiKeyCreate: apiKeyCreate,
  ApiKeyUpdate: apiKeyChange,
  ApiKeyRotate: apiKeyRotate,
});
