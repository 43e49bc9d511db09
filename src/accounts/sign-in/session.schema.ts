// API schemas of sign-in and sessions.
import { Type, type Static } from 'typebox';
import { ROLES } from '../../contract/names.js';
import { closed, nameSchemas, nullable, oneOf, timestamp } from '../../contract/schema.js';
import { emailAddress, password, secondFactor, user } from '../people/user.schema.js';

export const signIn = closed(
  { email: emailAddress, password, ...secondFactor },
  { examples: [{ email: 'ann@example.com', password: 'four words of your own', totp: '123456' }] },
);

export const session = Type.Object({
  id: Type.String(),
  object: Type.Literal('session'),
  is_current: Type.Boolean({ description: 'Whether this is the session of the request.' }),
  ip: nullable(Type.String()),
  user_agent: nullable(Type.String()),
  last_used_at: timestamp,
  expires_at: timestamp,
  created_at: timestamp,
});

export const sessionList = Type.Object({ object: Type.Literal('list'), data: Type.Array(session) });

/** The signed-in person, and the organizations and workspaces that they can access. */
export const signedIn = Type.Object({
  object: Type.Literal('sign_in'),
  session,
  user,
  organization: Type.Object({ id: Type.String(), name: Type.String() }),
  role: oneOf(ROLES, { description: 'The role in the organization.' }),
  workspaces: Type.Array(
    Type.Object({
      id: Type.String({ description: 'The workspace ID for `X-Workspace-Id`.' }),
      name: Type.String(),
      organization_id: Type.String(),
      role: oneOf(ROLES),
    }),
  ),
  csrf_token: Type.String({
    description:
      'The token for `X-CSRF-Token`, which is required for every request of the session other than GET.',
  }),
});
export type SignedInWire = Static<typeof signedIn>;

export const signedOut = Type.Object({ object: Type.Literal('sign_in'), signed_out: Type.Literal(true) });

export const sessionsEnded = Type.Object({
  object: Type.Literal('session'),
  sessions_revoked: Type.Literal(true),
});

nameSchemas({
  SignIn: signIn,
  Session: session,
  SignedIn: signedIn,
  SignedInOrganization: signedIn.properties.organization,
  SignedInWorkspace: signedIn.properties.workspaces.items,
  SessionList: sessionList,
  SignedOut: signedOut,
  SessionsRevoked: sessionsEnded,
});
