// The people of an organization.
import { Type } from 'typebox';
import { ROLES } from '../../contract/names.js';
import { closed, emailText, nameSchemas, nullable, oneOf, timestamp } from '../../contract/schema.js';

export const role = oneOf(ROLES, {
  description:
    '`owner`: everything. `admin`: everything but what concerns owners. `member`: mail, contacts, ' +
    'campaigns, sub-tenants. `viewer`: reads.',
});

export const member = Type.Object({
  id: Type.String({ description: 'The id of the user.' }),
  object: Type.Literal('member'),
  email: emailText,
  name: nullable(Type.String()),
  role,
  totp: Type.Boolean({ description: 'Whether the person signs in with a second factor.' }),
  created_at: timestamp,
  updated_at: timestamp,
});

export const memberPatch = closed({ role }, { examples: [{ role: 'admin' }] });

nameSchemas({
  Member: member,
  MemberUpdate: memberPatch,
});
