// Sessions of signed-in people: the token in their cookie, its lifetime, and the CSRF token of their changes.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { isUnavailable } from '../../contract/refusal.js';
import type { Mode } from '../../contract/names.js';
import { type Clock, newId } from '../../lib/runtime/index.js';
import type { EnvironmentAccess } from '../people/people.store.js';
import type { AccountContext } from '../context.js';
import type { AccountStores } from '../stores.js';
import type { Visitor } from '../audit/audit-entry.js';
import { newToken, hashToken } from './tokens.js';
import { type Session, sessions } from './sign-in.tables.js';
import type { Change, Plan } from '../../database/change.js';
import { update, remove, insert } from '../../database/rows.js';

/** `last_used_at` is written at most this often (ms), so that reads rarely cause writes. */
const TOUCH_AFTER_MS = 60_000;
const MAX_USER_AGENT = 300;
/** Limits the sessions of one person. A further one ends the oldest. */
const MAX_SESSIONS = 50;
const CSRF_CONTEXT = 'service csrf';

export interface SessionSettings {
  sessionLifetimeMs: number;
  sessionIdleMs: number;
}

type SessionContext = Pick<AccountContext, 'store' | 'clock'> & { settings: SessionSettings };

export class Sessions {
  readonly #store: AccountStores;
  readonly #clock: Clock;
  readonly #settings: SessionSettings;
  readonly #touchAfterMs: number;

  constructor({ store, clock, settings }: SessionContext) {
    this.#store = store;
    this.#clock = clock;
    this.#settings = settings;
    this.#touchAfterMs = Math.min(TOUCH_AFTER_MS, settings.sessionIdleMs / 4);
  }

  /** Finds the session of a cookie's token and records its use. Returns null if there is none or if it has ended. */
  async find(token: string): Promise<Session | null> {
    const tokenHash = hashToken(token);
    const session = tokenHash === null ? null : await this.#store.people.session(tokenHash);
    const now = this.#clock();
    return session && isActive(session, this.#settings, now) ? this.#noteUse(session, now) : null;
  }

  /** Reads the named or first workspace that the person can access, with the role there. Null if there is none. */
  reach(
    session: Session,
    wanted: { workspaceId: string | null; mode: Mode },
  ): Promise<EnvironmentAccess | null> {
    return this.#store.people.reach(session.user_id, wanted);
  }

  /** Reads active sessions, newest first. */
  list(userId: string): Promise<Session[]> {
    return readSessions({ store: this.#store, clock: this.#clock, settings: this.#settings }, userId);
  }

  /** Refuses with `not_found` if the person has no such session. */
  async end(userId: string, sessionId: string): Promise<void> {
    const where = { id: sessionId, user_id: userId };
    await this.#store.commit([remove(sessions, { where, otherwise: { code: 'not_found' } })]);
  }

  /** Ends all sessions of the person except this one. */
  async endOthers(session: Session): Promise<void> {
    await this.#store.commit(endOtherSessions(session));
  }

  async #noteUse(session: Session, now: number): Promise<Session> {
    if (now - session.last_used_at < this.#touchAfterMs) return session;
    const set = { last_used_at: now };
    try {
      await this.#store.commit([update(sessions, { set, where: { id: session.id } })]);
      return { ...session, ...set };
    } catch (error) {
      // A database that cannot write can still be read, so the person can see what is wrong.
      if (isUnavailable(error)) return session;
      throw error;
    }
  }
}

/** Reads the active sessions of a person, newest first. */
export async function readSessions(
  { store, clock, settings }: SessionContext,
  userId: string,
): Promise<Session[]> {
  const now = clock();
  return (await store.people.sessionsOf(userId)).filter((session) => isActive(session, settings, now));
}

/** Returns whether a session has neither expired nor been idle for too long. */
export function isActive(
  { expires_at, last_used_at }: Pick<Session, 'expires_at' | 'last_used_at'>,
  { sessionIdleMs }: Pick<SessionSettings, 'sessionIdleMs'>,
  now: number,
): boolean {
  return expires_at > now && last_used_at + sessionIdleMs > now;
}

interface NewSession {
  session: Session;
  /** For the cookie. It is not stored. */
  token: string;
  plan: Plan;
}

/** Plans a new session, and the end of the oldest of the person's `known` ones (newest first) if there are too many. */
export function planSession(
  userId: string,
  known: readonly Session[],
  { visitor, settings, now }: { visitor: Visitor; settings: SessionSettings; now: number },
): NewSession {
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

/** Ends all sessions of the person except this one. Refuses with `unauthorized` if this one has ended. */
export function endOtherSessions(session: Session): Change[] {
  const { id, user_id } = session;
  return [
    // A session that was just signed out must not come back.
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
 * Returns the token that every change by a session must send in X-CSRF-Token. Other sites cannot read it, although their
 * forms send the cookie.
 */
export function csrfToken(sessionToken: string): string {
  return createHmac('sha256', sessionToken).update(CSRF_CONTEXT).digest('base64url');
}

export function isCsrfToken(sessionToken: string, given: string): boolean {
  const expected = Buffer.from(csrfToken(sessionToken));
  const bytes = Buffer.from(given);
  return bytes.length === expected.length && timingSafeEqual(bytes, expected);
}
