// API schemas of an organization's members.
import { Type } from 'typebox';
import { ROLES } from '../../contract/names.js';
import { closed, emailText, nameSchemas, nullable, oneOf, timestamp } from '../../contract/schema.js';

export const role = oneOf(ROLES, {
  description:
    'The role. `owner`: everything. `admin`: everything except managing owners. `member`: messages, contacts, campaigns and sub-tenants. `viewer`: read-only access.',
});

export const member = Type.Object({
  id: Type.String({ description: 'The user ID.' }),
  object: Type.Literal('member'),
  email: emailText,
  name: nullable(Type.String()),
  role,
  can_approve: Type.Boolean({
    description:
      'Whether the user can approve messages. Owners and admins always can, members if it was granted, and viewers cannot.',
  }),
  totp: Type.Boolean({ description: 'Whether the user has enabled two-factor authentication.' }),
  created_at: timestamp,
  updated_at: timestamp,
});

export const memberPatch = closed(
  {
    role: Type.Optional(role),
    can_approve: Type.Optional(
      Type.Boolean({ description: 'Whether a user with the role `member` can approve messages.' }),
    ),
  },
  { minProperties: 1, examples: [{ role: 'admin' }] },
);

nameSchemas({
  Member: member,
  MemberUpdate: memberPatch,
});
