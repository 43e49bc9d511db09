// Signing in and out, and the sessions of a person.
import { Refusal } from '../../contract/refusal.js';
import { deleted, idParams } from '../../contract/schema.js';
import {
  sessionList,
  sessionsEnded,
  signedIn,
  signedOut,
  signIn,
  type SignedInWire,
} from './session.schema.js';
import type { AccountContext } from '../context.js';
import type { Account } from '../people/account.js';
import type { EnvironmentAccess } from '../people/people.store.js';
import { csrfToken, type Sessions } from './sessions.js';
import { signIn as signInWith } from './sign-in.js';
import type { Api } from '../../http/api.js';
import type { RequestSession } from '../access/session-auth.js';
import { PUBLIC_BODY_LIMIT, refuseTooMany } from '../../http/access/caller.js';
import { presentSession, presentUser } from '../people/people.view.js';
import { createFailureLimit } from '../../http/access/rate-limit.js';
import {
  clearSessionCookie,
  setBrowserCookie,
  setSessionCookie,
  readVisitor,
} from '../access/session-auth.js';
import type { User } from '../people/people.tables.js';

interface AuthParts {
  sessions: Sessions;
  account: Account;
}

const tags = ['Auth'];
/** Requires a session with any role. */
export const ownConfig = { session: true, role: 'viewer' } as const;

export function authRoutes(app: Api, context: AccountContext, parts: AuthParts): void {
  signInRoute(app, context);
  sessionRoutes(app, context, parts);
  sessionListRoutes(app, parts.sessions);
}

/** Returns the session of a route with `session: true`. */
export function requireSession({ session: current }: { session: RequestSession | null }): RequestSession {
  if (!current) throw new Error('A route for people was reached without a session.');
  return current;
}

function signInRoute(app: Api, context: AccountContext): void {
  const { store, settings } = context;
  const limit = refuseTooMany(createFailureLimit(app, settings));

  app.post(
    '/v1/auth/sign-in',
    {
      config: { public: true },
      bodyLimit: PUBLIC_BODY_LIMIT,
      onRequest: limit,
      schema: {
        operationId: 'auth.signIn',
        tags,
        summary: 'Sign in with a password',
        description:
          'Signs in a user and sets the session cookie. The error is the same for an unknown address, a wrong password or code, and a locked account. `totp_required` is returned only after the correct password.',
        body: signIn,
        response: { 200: signedIn },
      },
    },
    async (request, reply) => {
      const { email, password, totp, recovery_code: recoveryCode } = request.body;
      const factors = { password, totp, recoveryCode };
      const made = await signInWith(context, { email, factors }, readVisitor(request));
      const reach = await store.people.reach(made.user.id, { workspaceId: null, mode: 'live' });
      if (!reach) throw new Refusal('sign_in_failed');
      const { publicUrl, sessionLifetimeMs: lifetimeMs } = settings;
      setSessionCookie(reply, made.token, { publicUrl, lifetimeMs });
      setBrowserCookie(reply, made.browserToken, publicUrl);
      const current = { row: made.session, csrfToken: csrfToken(made.token) };
      return presentSignedIn(context, current, made.user, reach);
    },
  );
}

function sessionRoutes(app: Api, context: AccountContext, { sessions, account }: AuthParts): void {
  app.post(
    '/v1/auth/sign-out',
    {
      config: { ...ownConfig, audit: false },
      schema: {
        operationId: 'auth.signOut',
        tags,
        summary: 'Sign out of the session',
        description: 'Ends the current session and clears its cookie.',
        response: { 200: signedOut },
      },
    },
    async (request, reply) => {
      const { row } = requireSession(request);
      await sessions.end(row.user_id, row.id);
      clearSessionCookie(reply, context.settings.publicUrl);
      return { object: 'sign_in' as const, signed_out: true as const };
    },
  );

  app.get(
    '/v1/auth/session',
    {
      config: ownConfig,
      schema: {
        operationId: 'auth.getSession',
        tags,
        summary: 'Retrieve the session',
        description:
          'Returns the signed-in user with organization, role and workspaces, and the CSRF token of the session.',
        response: { 200: signedIn },
      },
    },
    async (request) => {
      const current = requireSession(request);
      const { scope, role } = request.caller;
      if (role === null) throw new Error('A person has a role.');
      const user = await account.read(current.row.user_id);
      return presentSignedIn(context, current, user, { organizationId: scope.organizationId, role });
    },
  );
}

async function presentSignedIn(
  { store }: AccountContext,
  current: RequestSession,
  user: User,
  { organizationId, role }: Pick<EnvironmentAccess, 'organizationId' | 'role'>,
): Promise<SignedInWire> {
  const { id, name } = await store.accounts.organization({ organizationId });
  return {
    object: 'sign_in',
    session: presentSession(current.row, { currentId: current.row.id }),
    user: presentUser(user),
    organization: { id, name },
    role,
    workspaces: await store.people.workspacesOf(user.id),
    csrf_token: current.csrfToken,
  };
}

function sessionListRoutes(app: Api, sessions: Sessions): void {
  app.get(
    '/v1/auth/sessions',
    {
      config: ownConfig,
      schema: {
        operationId: 'auth.listSessions',
        tags,
        summary: 'List your sessions',
        description: 'Returns the sessions of the signed-in user, newest first.',
        response: { 200: sessionList },
      },
    },
    async (request) => {
      const { row } = requireSession(request);
      const rows = await sessions.list(row.user_id);
      return { object: 'list' as const, data: rows.map((one) => presentSession(one, { currentId: row.id })) };
    },
  );

  app.delete(
    '/v1/auth/sessions',
    {
      config: ownConfig,
      schema: {
        operationId: 'auth.endOtherSessions',
        tags,
        summary: 'End your other sessions',
        description: 'Ends all sessions of the signed-in user except the current one.',
        response: { 200: sessionsEnded },
      },
    },
    async (request) => {
      await sessions.endOthers(requireSession(request).row);
      return { object: 'session' as const, sessions_revoked: true as const };
    },
  );

  app.delete(
    '/v1/auth/sessions/:id',
    {
      config: ownConfig,
      schema: {
        operationId: 'auth.endSession',
        tags,
        summary: 'End one of your sessions',
        description: 'Ends a session of the signed-in user.',
        params: idParams,
        response: { 200: deleted('session') },
      },
    },
    async (request) => {
      const { id } = request.params;
      await sessions.end(requireSession(request).row.user_id, id);
      return { id, object: 'session' as const, deleted: true as const };
    },
  );
}
