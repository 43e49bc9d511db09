// Signing in and out, who is signed in, and the sessions of a person.
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
import type { Config } from '../../settings/settings.js';
import type { Reach } from '../people/people.store.js';
import type { AccountStores } from '../stores.js';
import type { People } from '../people/people.js';
import { csrfToken } from './sessions.js';
import type { Api } from '../../http/api.js';
import type { RequestSession } from '../access/session-auth.js';
import { PUBLIC_BODY_LIMIT, refuseTooMany } from '../../http/access/caller.js';
import { presentSession, presentUser } from '../people/people.view.js';
import { createFailureLimit } from '../../http/access/rate-limit.js';
import { clearSessionCookie, setBrowserCookie, setSessionCookie, visitorOf } from '../access/session-auth.js';
import type { User } from '../people/people.tables.js';

export interface AuthRouteDeps {
  store: Pick<AccountStores, 'people' | 'accounts'>;
  people: Pick<People, 'signIn' | 'sessions' | 'account'>;
  settings: Pick<
    Config,
    | 'publicUrl'
    | 'sessionLifetimeMs'
    | 'rateLimitLivePerMinute'
    | 'rateLimitTestPerMinute'
    | 'rateLimitAuthFailuresPerMinute'
  >;
}

const tags = ['Auth'];
/** For everybody who has signed in, whatever their role. */
export const ownConfig = { session: true, role: 'viewer' } as const;

export function authRoutes(app: Api, deps: AuthRouteDeps): void {
  signInRoutes(app, deps);
  sessionRoutes(app, deps);
}

/** The session of a route that is marked `session`. */
export function sessionOf({ session: current }: { session: RequestSession | null }): RequestSession {
  if (!current) throw new Error('A route for people was reached without a session.');
  return current;
}

function signInRoutes(app: Api, deps: AuthRouteDeps): void {
  const { store, people, settings } = deps;
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
      const made = await people.signIn(email, { password, totp, recoveryCode }, visitorOf(request));
      const reach = await store.people.reach(made.user.id, { workspaceId: null, mode: 'live' });
      if (!reach) throw new Refusal('sign_in_failed');
      const { publicUrl, sessionLifetimeMs: lifetimeMs } = settings;
      setSessionCookie(reply, made.token, { publicUrl, lifetimeMs });
      setBrowserCookie(reply, made.browserToken, publicUrl);
      const current = { row: made.session, csrfToken: csrfToken(made.token) };
      return presentSignedIn(deps, current, made.user, reach);
    },
  );

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
      const { row } = sessionOf(request);
      await people.sessions.end(row.user_id, row.id);
      clearSessionCookie(reply, settings.publicUrl);
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
      const current = sessionOf(request);
      const { scope, role } = request.caller;
      if (role === null) throw new Error('A person has a role.');
      const user = await people.account.read(current.row.user_id);
      return presentSignedIn(deps, current, user, { organizationId: scope.organizationId, role });
    },
  );
}

async function presentSignedIn(
  { store }: AuthRouteDeps,
  current: RequestSession,
  user: User,
  { organizationId, role }: Pick<Reach, 'organizationId' | 'role'>,
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

function sessionRoutes(app: Api, { people }: AuthRouteDeps): void {
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
      const { row } = sessionOf(request);
      const rows = await people.sessions.list(row.user_id);
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
      await people.sessions.endOthers(sessionOf(request).row);
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
      await people.sessions.end(sessionOf(request).row.user_id, id);
      return { id, object: 'session' as const, deleted: true as const };
    },
  );
}
