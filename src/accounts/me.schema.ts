// GET /v1/me: who is asking, what they may do, and within which limits.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { apiKey } from './api-keys/api-key.schema.js';
import { KEY_PERMISSIONS, MODES, ROLES } from '../contract/names.js';
import { nameSchemas, nullable, oneOf } from '../contract/schema.js';
import { user } from './people/user.schema.js';

const place = Type.Object({
  id: Type.String(),
  name: nullable(Type.String({ description: 'Null for a request that is narrowed to a sub-tenant.' })),
});

const person = Type.Object({
  user,
  role: oneOf(ROLES, { description: 'In the organization.' }),
  workspaces: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      organization_id: Type.String(),
      role: oneOf(ROLES),
    }),
    { description: 'All that can be named by the header X-Workspace-Id.' },
  ),
});

const limits = Type.Object({
  requests_per_minute: nullable(
    Type.Integer({
      description: 'Of all keys of the environment together; of a person alone. Null: no limit.',
    }),
  ),
  recipients_per_message: Type.Integer(),
  attachments_per_message: Type.Integer(),
  message_size_bytes: Type.Integer(),
  messages_per_batch: Type.Integer(),
});

export const me = Type.Object({
  object: Type.Literal('me'),
  mode: oneOf(MODES, { description: 'The environment of this request.' }),
  permission: oneOf(KEY_PERMISSIONS, { description: 'What it may do, as permissions of keys are named.' }),
  sub_tenant_id: nullable(Type.String({ description: 'What this request is narrowed to.' })),
  pinned: Type.Boolean({ description: 'True: the key reaches nothing but that sub-tenant.' }),
  api_key: nullable(apiKey),
  person: nullable(person),
  organization: place,
  workspace: place,
  limits,
});
export type MeWire = Static<typeof me>;

nameSchemas({
  Me: me,
  MePlace: place,
  MePerson: person,
  MeWorkspace: person.properties.workspaces.items,
  MeLimits: limits,
});
