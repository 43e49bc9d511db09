// Workspaces: each has a live and a test environment, and shares nothing with the others but the organization.
import { Type } from 'typebox';
import { createdApiKey } from './api-keys/api-key.schema.js';
import { closed, nameEnums, nameSchemas, nullable, oneOf, timestamp } from '../contract/schema.js';

const RETENTION_MODES = ['redact', 'delete'] as const;
const MAX_RETENTION_DAYS = 36_500;

const name = Type.String({ minLength: 1, maxLength: 200 });
const retentionDays = nullable(
  Type.Integer({
    minimum: 0,
    maximum: MAX_RETENTION_DAYS,
    description: 'Days that messages are kept; 0: for ever; null: as the appliance is configured.',
  }),
);
const retentionMode = nullable(
  oneOf(RETENTION_MODES, {
    description:
      'What happens then. `redact`: content and persons go; `delete`: all but the digests of the events; ' +
      'null: as the appliance is configured.',
  }),
);

const fields = {
  id: Type.String(),
  object: Type.Literal('workspace'),
  name: Type.String(),
  retention_days: retentionDays,
  retention_mode: retentionMode,
  created_at: timestamp,
  updated_at: timestamp,
};

export const workspace = Type.Object(fields);

export const createdWorkspace = Type.Object({
  ...fields,
  api_keys: Type.Array(createdApiKey, {
    description:
      'Its first live and test key with `api_keys: true`, else none. Their secrets are shown here only.',
  }),
});

export const workspaceCreate = closed(
  {
    name,
    retention_days: Type.Optional(retentionDays),
    retention_mode: Type.Optional(retentionMode),
    api_keys: Type.Optional(
      Type.Boolean({ default: false, description: 'Make a first live and a first test key too.' }),
    ),
  },
  { examples: [{ name: 'Second shop', api_keys: true }] },
);

export const workspaceChange = closed(
  {
    name: Type.Optional(name),
    retention_days: Type.Optional(retentionDays),
    retention_mode: Type.Optional(retentionMode),
  },
  { examples: [{ retention_days: 90, retention_mode: 'redact' }] },
);

nameSchemas({
  Workspace: workspace,
  WorkspaceCreated: createdWorkspace,
  WorkspaceCreate: workspaceCreate,
  WorkspaceUpdate: workspaceChange,
});

nameEnums({ RetentionMode: RETENTION_MODES });
