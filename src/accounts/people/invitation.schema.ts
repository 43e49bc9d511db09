// Invitations into an organization.
import { Type } from 'typebox';
import { role } from './member.schema.js';
import {
  closed,
  emailText,
  nameEnums,
  nameSchemas,
  nullable,
  oneOf,
  timestamp,
} from '../../contract/schema.js';
import { emailAddress, password, personName, secondFactor } from './user.schema.js';

const STATUSES = ['pending', 'accepted', 'revoked', 'expired'] as const;

const fields = {
  id: Type.String(),
  object: Type.Literal('invitation'),
  email: emailText,
  role,
  status: oneOf(STATUSES),
  invited_by: Type.String({ description: 'The ID of a user or an API key.' }),
  expires_at: timestamp,
  accepted_at: nullable(timestamp),
  created_at: timestamp,
};

export const invitation = Type.Object(fields);

export const createdInvitation = Type.Object({
  ...fields,
  mailed: Type.Boolean({
    description:
      'Whether the invitation was sent by email. `false` if the server has no domain to send email from.',
  }),
  link: Type.String({
    format: 'uri',
    description: 'The link in the email, for sharing in another way. Only returned in this response.',
  }),
});

export const invitationCreate = closed(
  { email: emailAddress, role },
  { examples: [{ email: 'ann@example.com', role: 'member' }] },
);

const TOKEN_EXAMPLE = 'kJ3v…';
const token = Type.String({
  maxLength: 100,
  description: 'The invitation token: the part of the link after the `#`.',
});

export const invitationToken = closed({ token }, { examples: [{ token: TOKEN_EXAMPLE }] });

/** Content of the page behind the link. */
export const openInvitation = Type.Object({
  object: Type.Literal('invitation'),
  organization_name: Type.String(),
  email: emailText,
  role,
  has_account: Type.Boolean({
    description:
      'Whether there is an account with the address. If so, its existing password is required instead of a new one.',
  }),
  expires_at: timestamp,
});

export const invitationAccept = closed(
  {
    token,
    name: Type.Optional(nullable(personName)),
    password,
    ...secondFactor,
  },
  { examples: [{ token: TOKEN_EXAMPLE, name: 'Ann Smith', password: 'four words of your own' }] },
);

nameSchemas({
  Invitation: invitation,
  InvitationCreated: createdInvitation,
  InvitationCreate: invitationCreate,
  InvitationView: invitationToken,
  OpenInvitation: openInvitation,
  InvitationAccept: invitationAccept,
});

nameEnums({ InvitationStatus: STATUSES });
