// Signed-in people: the token in their cookie, how long it works, and the token that their changes must carry besides.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { isUnavailable } from '../../contract/refusal.js';
import type { Mode } from '../../contract/names.js';
import type { Clock } from '../../lib/runtime/clock.js';
import { newId } from '../../lib/runtime/ids.js';
import type { Reach } from '../people/people.store.js';
import type { AccountStores } from '../stores.js';
import type { Visitor } from '../audit/audit-entry.js';
import { newToken, tokenHashOf } from './tokens.js';
import { type Session, sessions } from './sign-in.tables.js';
import type { Change, Plan } from '../../database/change.js';
import { update, remove, insert } from '../../database/rows.js';

/** `last_used_at` is written when it is older: reading must not become writing. */
const TOUCH_AFTER_MS = 60_000;
const MAX_USER_AGENT = 300;
/** Of one person; the oldest end when there are more. */
const MAX_SESSIONS = 50;
const CSRF_CONTEXT = 'service csrf';

export interface SessionSettings {
  sessionLifetimeMs: number;
  sessionIdleMs: number;
}

export interface SessionsDeps {
  store: Pick<AccountStores, 'people' | 'commit'>;
  clock: Clock;
  settings: SessionSettings;
}

export interface Sessions {
  /** The session that a cookie's token opens, noted as used; null when there is none or it has ended. */
  find(token: string): Promise<Session | null>;
  /** Where the person may work, by the workspace that the request names, or the first; null: nowhere there. */
  reach(session: Session, wanted: { workspaceId: string | null; mode: Mode }): Promise<Reach | null>;
  /** Working sessions, the newest first. */
  list(userId: string): Promise<Session[]>;
  /** Refuses with `not_found` when the person has no such session. */
  end(userId: string, sessionId: string): Promise<void>;
  /** All of the person's but this one. */
  endOthers(session: Session): Promise<void>;
}

export function createSessions({ store, clock, settings }: SessionsDeps): Sessions {
  const { people } = store;
  const touchAfterMs = Math.min(TOUCH_AFTER_MS, settings.sessionIdleMs / 4);

  async function noteUse(session: Session, now: number): Promise<Session> {
    if (now - session.last_used_at < touchAfterMs) return session;
    const set = { last_used_at: now };
    try {
      await store.commit([update(sessions, { set, where: { id: session.id } })]);
      return { ...session, ...set };
    } catch (error) {
      // A store that cannot write can still be read, and the person should see that.
      if (isUnavailable(error)) return session;
      throw error;
    }
  }

  return {
    async find(token) {
      const tokenHash = tokenHashOf(token);
      const session = tokenHash === null ? null : await people.session(tokenHash);
      const now = clock();
      return session && isAlive(session, settings, now) ? noteUse(session, now) : null;
    },

    reach: (session, wanted) => people.reach(session.user_id, wanted),

    async list(userId) {
      const now = clock();
      return (await people.sessionsOf(userId)).filter((session) => isAlive(session, settings, now));
    },

    async end(userId, sessionId) {
      const where = { id: sessionId, user_id: userId };
      await store.commit([remove(sessions, { where, otherwise: { code: 'not_found' } })]);
    },

    async endOthers(session) {
      await store.commit(endOtherSessions(session));
    },
  };
}

/** Whether a session still works: it has its end, and ends before that where it is not used. */
export function isAlive(
  { expires_at, last_used_at }: Pick<Session, 'expires_at' | 'last_used_at'>,
  { sessionIdleMs }: Pick<SessionSettings, 'sessionIdleMs'>,
  now: number,
): boolean {
  return expires_at > now && last_used_at + sessionIdleMs > now;
}

export interface NewSession {
  session: Session;
  /** For the cookie; it is nowhere else. */
  token: string;
  plan: Plan;
}

/** A new session, and the end of those of the person's (`known`, newest first) that are too many. */
export function planSession(
  userId: string,
  known: readonly Session[],
  context: { visitor: Visitor; settings: SessionSettings; now: number },
): NewSession {
  const { visitor, settings, now } = context;
  const { token, tokenHash } = newToken();
  const session: Session = {
    id: newId('ses', now),
    user_id: userId,
    token_hash: tokenHash,
    ip: visitor.ip,
    user_agent: visitor.userAgent?.slice(0, MAX_USER_AGENT) ?? null,
    last_used_at: now,
    expires_at: now + settings.sessionLifetimeMs,
    created_at: now,
  };
  const tooMany = known.slice(MAX_SESSIONS - 1).map(({ id }) => id);
  const ends: Change[] = tooMany.length > 0 ? [remove(sessions, { where: { id: tooMany } })] : [];
  return { session, token, plan: [...ends, insert(sessions, { row: session })] };
}

/** Ends all sessions of the person but this one. Refuses with `unauthorized` when it has ended itself. */
export function endOtherSessions(session: Session): Change[] {
  const { id, user_id } = session;
  return [
    // One that was signed out a moment ago must not come back.
    update(sessions, {
      set: { user_id },
      where: { id },
      otherwise: { code: 'unauthorized', message: 'Your session has ended. Sign in again.' },
    }),
    remove(sessions, { where: { user_id } }),
    insert(sessions, { row: session }),
  ];
}

/**
 * Token that every change by a session must send in X-CSRF-Token: other sites cannot read it, though their forms send
 * the cookie.
 */
export function csrfToken(sessionToken: string): string {
  return createHmac('sha256', sessionToken).update(CSRF_CONTEXT).digest('base64url');
}

export function isCsrfToken(sessionToken: string, given: string): boolean {
  const expected = Buffer.from(csrfToken(sessionToken));
  const bytes = Buffer.from(given);
  return bytes.length === expected.length && timingSafeEqual(bytes, expected);
}
