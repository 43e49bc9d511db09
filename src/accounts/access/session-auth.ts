// Authenticates signed-in people by their session cookie (RFC 6265), and checks the CSRF token of changes, their role, and the
// workspace, environment and sub-tenant that the request names.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Role } from '../../contract/names.js';
import { Refusal } from '../../contract/refusal.js';
import { hasRole } from '../people/role.rules.js';
import type { Visitor } from '../audit/audit-entry.js';
import type { EnvironmentAccess } from '../people/people.store.js';
import type { Scope } from '../../database/scope.js';
import { csrfToken, isCsrfToken, type Sessions } from '../sign-in/sessions.js';
import { PLACE_LIFETIME_MS } from '../sign-in/known-places.js';
import { takeNamedPlace } from '../../http/access/named-environment.js';
import { isAllowed } from '../../contract/key-permission.js';
import type { Session } from '../sign-in/sign-in.tables.js';
import type { AccountStores } from '../stores.js';

export const SESSION_COOKIE = 'mailkeel_session';
const BROWSER_COOKIE = 'mailkeel_browser';
const CSRF_HEADER = 'x-csrf-token';
const SUB_TENANT_HEADER = 'x-sub-tenant-id';
const MAX_REQUEST_ID = 128;
const SAFE_METHODS = ['GET', 'HEAD'];

/** The session of the person who makes the request. */
export interface RequestSession {
  row: Session;
  csrfToken: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Session of a person. `null` for API keys and public routes. */
    session: RequestSession | null;
  }
}

interface SessionAccess {
  sessions: Sessions;
  tenants: Pick<AccountStores['tenants'], 'subTenant' | 'subTenantIdOf'>;
}

/** Returns the token in the session cookie, or `null`. */
export function readSessionToken(request: FastifyRequest): string | null {
  return readCookie(request, SESSION_COOKIE);
}

/** Returns the token of a browser that has signed in before, or `null`. */
function readBrowserToken(request: FastifyRequest): string | null {
  return readCookie(request, BROWSER_COOKIE);
}

export function readVisitor(request: FastifyRequest): Visitor {
  return {
    ip: request.ip,
    userAgent: request.headers['user-agent'] ?? null,
    requestId: request.id.slice(0, MAX_REQUEST_ID),
    browserToken: readBrowserToken(request),
  };
}

function readCookie(request: FastifyRequest, name: string): string | null {
  const { cookie } = request.headers;
  if (cookie === undefined || !cookie.includes(name)) return null;
  return request.server.parseCookie(cookie)[name] ?? null;
}

/**
 * Sets the cookie of a known browser. It outlives the session, grants no access, and only lets the browser's failures be counted
 * separately.
 */
export function setBrowserCookie(reply: FastifyReply, token: string, publicUrl: string): void {
  const maxAge = Math.floor(PLACE_LIFETIME_MS / 1000);
  void reply.setCookie(BROWSER_COOKIE, token, { ...cookieTerms(reply, publicUrl), maxAge });
}

/** Sets the session cookie, which scripts and requests from other sites cannot use. */
export function setSessionCookie(
  reply: FastifyReply,
  token: string,
  options: { publicUrl: string; lifetimeMs: number },
): void {
  const maxAge = Math.floor(options.lifetimeMs / 1000);
  void reply.setCookie(SESSION_COOKIE, token, { ...cookieTerms(reply, options.publicUrl), maxAge });
}

export function clearSessionCookie(reply: FastifyReply, publicUrl: string): void {
  void reply.clearCookie(SESSION_COOKIE, cookieTerms(reply, publicUrl));
}

/** Secure if the public URL uses TLS, or this request does, to Mailkeel or a trusted proxy. */
function cookieTerms({ request }: FastifyReply, publicUrl: string) {
  const secure = publicUrl.startsWith('https:') || request.protocol === 'https';
  return { path: '/', httpOnly: true, sameSite: 'lax', secure } as const;
}

/** Sets `request.caller` and `request.session`. Returns a refusal, or undefined if the person is admitted. */
export async function admitSession(
  { sessions, tenants }: SessionAccess,
  request: FastifyRequest,
  token: string,
): Promise<Refusal | undefined> {
  const session = await sessions.find(token);
  if (!session) return new Refusal('unauthorized', 'Your session has ended. Sign in again.');
  const given = readHeader(request, CSRF_HEADER) ?? '';
  if (!SAFE_METHODS.includes(request.method) && !isCsrfToken(token, given)) {
    return new Refusal('csrf_token_invalid');
  }
  const named = takeNamedPlace(request);
  if (named instanceof Refusal) return named;
  const { workspaceId, mode } = named;
  const reach = await sessions.reach(session, { workspaceId, mode: mode ?? 'live' });
  if (!reach) return new Refusal('not_found', 'The workspace does not exist.');
  const refusal = roleRefusal(reach.role, request);
  if (refusal) return refusal;
  const tenant = readHeader(request, SUB_TENANT_HEADER);
  const subTenantId = tenant === null ? null : await tenants.subTenantIdOf(reach, tenant);
  const scope = reachScope(reach, subTenantId);
  const isKnown =
    tenant === null ||
    (subTenantId !== null &&
      (await tenants.subTenant({ ...scope, subTenantId: null }, subTenantId)) !== null);
  if (!isKnown) return new Refusal('not_found');
  request.session = { row: session, csrfToken: csrfToken(token) };
  request.caller = {
    actor: { kind: 'user', id: session.user_id },
    maker: null,
    role: reach.role,
    permission: rolePermission(reach.role),
    scope,
    pinnedTo: null,
    isBounded: false,
    policy: null,
  };
  return undefined;
}

function rolePermission(role: Role): 'read' | 'full' {
  return role === 'viewer' ? 'read' : 'full';
}

function roleRefusal(role: Role, request: FastifyRequest): Refusal | null {
  const { role: least, permission: needed } = request.routeOptions.config;
  const isEnough =
    least === undefined ? isAllowed(rolePermission(role), request.method, needed) : hasRole(role, least);
  if (isEnough) return null;
  return new Refusal('forbidden', `Your role is ${role}. This operation requires ${least ?? 'member'}.`);
}

function reachScope(reach: EnvironmentAccess, subTenantId: string | null): Scope {
  const { organizationId, workspaceId, workspaceNumber, environmentId, mode } = reach;
  return { organizationId, workspaceId, workspaceNumber, environmentId, mode, subTenantId };
}

/** Returns `null` if the header is empty or missing. */
function readHeader(request: FastifyRequest, name: string): string | null {
  const value = request.headers[name];
  return typeof value === 'string' && value !== '' ? value : null;
}
