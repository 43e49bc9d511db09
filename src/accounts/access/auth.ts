// Authenticates Bearer keys (RFC 6750), also as Basic (RFC 7617), and signatures by a key's SES credentials, and checks the key's
// permission, allowed addresses and sub-tenant. session-auth.ts authenticates signed-in people by their cookie.
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { KeyPermission } from '../../contract/names.js';
import { Refusal } from '../../contract/refusal.js';
import type { AccountContext } from '../context.js';
import type { CachedCaller } from '../api-keys/credential-cache.js';
import type { Caller } from '../../http/access/caller.js';
import { hasRole } from '../people/role.rules.js';
import { refuseForeignPlace } from '../../http/access/named-environment.js';
import { isAllowed } from '../../contract/key-permission.js';
import type { FailureLimit } from '../../http/access/rate-limit.js';
import type { RequestSignature, SignatureReader } from '../../http/access/signature.js';
import { ACCESS_TOKEN_PREFIX } from '../oauth/oauth-tokens.js';
import { openSesSecret } from '../api-keys/ses-credentials.js';
import { Sessions, type SessionSettings } from '../sign-in/sessions.js';
import { admitSession, readSessionToken } from './session-auth.js';

const BEARER = /^Bearer +([\x21-\x7e]{1,200}) *$/i;
/** RFC 7617, with room for the key and a user name or password. */
const BASIC = /^Basic +([A-Za-z0-9+/]{1,600}={0,2}) *$/i;
const KEY_PREFIX = 'svc_';
const SUB_TENANT_HEADER = 'x-sub-tenant-id';
const READING = ['GET', 'HEAD'];

interface Admission extends Pick<AccountContext, 'credentials' | 'clock' | 'masterKey'> {
  /** Counts failures of the request's client address. */
  limitFailures: FailureLimit;
}

type AuthContext = Pick<AccountContext, 'store' | 'credentials' | 'clock' | 'masterKey'> & {
  settings: SessionSettings;
};

/**
 * Returns the hook that sets `request.caller` before the body is read. Public and unknown routes pass. A cached key is
 * admitted in the same turn.
 */
export function createAuthHook(context: AuthContext, limitFailures: FailureLimit): onRequestHookHandler {
  const { store, credentials, clock, masterKey } = context;
  const sessionAccess = { sessions: new Sessions(context), tenants: store.tenants };
  const admission = { credentials, clock, masterKey, limitFailures };
  return (request, reply, done) => {
    if (request.is404 || request.routeOptions.config.public) {
      done();
      return;
    }
    const { authorization } = request.headers;
    const { keyOf, signatureOf, acceptsAccessTokens = false } = request.routeOptions.config;
    if (signatureOf !== undefined) {
      admitSigned(admission, request, reply, signatureOf).then((refusal) => done(refusal), done);
      return;
    }
    const isForPeople = keyOf === undefined && !acceptsAccessTokens && request.handedOver === null;
    const token = authorization === undefined && isForPeople ? readSessionToken(request) : null;
    if (token !== null) {
      admitSession(sessionAccess, request, token).then((refusal) => done(refusal), done);
      return;
    }
    const known = findKey(credentials, request);
    const step =
      known instanceof Promise
        ? known.then((found) => admit(admission, request, reply, found))
        : admit(admission, request, reply, known);
    if (step instanceof Promise) step.then((refusal) => done(refusal), done);
    else done(step);
  };
}

function findKey(
  credentials: AccountContext['credentials'],
  { handedOver, headers, routeOptions: { config } }: FastifyRequest,
): CachedCaller | Promise<CachedCaller | null> | null {
  if (handedOver !== null) return credentials.findById(handedOver.keyId);
  const secret = (config.keyOf ?? readBearerSecret)(headers);
  if (secret === null) return null;
  const isToken = config.acceptsAccessTokens === true && secret.startsWith(ACCESS_TOKEN_PREFIX);
  return isToken ? credentials.findByAccessToken(secret) : credentials.find(secret);
}

/** Admits a signed request as its key, and leaves the check of the signature to `verifyBody`, because it covers the body. */
async function admitSigned(
  admission: Admission,
  request: FastifyRequest,
  reply: FastifyReply,
  signatureOf: SignatureReader,
): Promise<Refusal | undefined> {
  const refuse = (refusal: unknown) => failed(admission, request, reply, refusal);
  let signature: RequestSignature;
  try {
    signature = signatureOf(request);
  } catch (refusal) {
    return refuse(refusal);
  }
  const { keyId, verify } = signature;
  const known = await admission.credentials.findById(keyId);
  const sealed = known?.sesSecretSealed ?? null;
  if (sealed === null) return admit(admission, request, reply, null);
  request.verifyBody = async (body) => {
    try {
      verify(openSesSecret(admission.masterKey, keyId, sealed), body);
    } catch (refusal) {
      await refuse(refusal);
    }
  };
  return admit(admission, request, reply, known);
}

/** Reads the secret in the Authorization header, of Bearer or of either part of Basic; null without one. */
export function readBearerSecret({ authorization = '' }: IncomingHttpHeaders): string | null {
  const bearer = BEARER.exec(authorization)?.[1];
  if (bearer !== undefined) return bearer;
  const basic = BASIC.exec(authorization)?.[1];
  if (basic === undefined) return null;
  const pair = Buffer.from(basic, 'base64').toString('latin1');
  const colon = pair.indexOf(':');
  if (colon === -1) return null;
  const [user, password] = [pair.slice(0, colon), pair.slice(colon + 1)];
  return user.startsWith(KEY_PREFIX) ? user : password;
}

/** Returns a refusal, or undefined if the caller is admitted. It is a promise if a look-up is necessary. */
function admit(
  admission: Admission,
  request: FastifyRequest,
  reply: FastifyReply,
  known: CachedCaller | null,
): Refusal | undefined | Promise<Refusal | undefined> {
  if (!known) {
    return failed(admission, request, reply, new Refusal('unauthorized', unauthorizedReason(request)));
  }
  if (known.expiresAt !== null && known.expiresAt <= admission.clock()) {
    return failed(admission, request, reply, new Refusal('unauthorized', 'The API key has expired.'));
  }
  if (known.allowsAddress && !known.allowsAddress(request.ip)) return new Refusal('address_not_allowed');
  const { caller } = known;
  const { method, routeOptions } = request;
  const { permission: needed, role: least, session, checksPermission = false } = routeOptions.config;
  if (session === true) return new Refusal('session_required');
  if (!checksPermission && !isAllowed(caller.permission, method, needed)) {
    return permissionRefusal(caller.permission, method, needed);
  }
  if (least !== undefined && caller.maker !== null && !hasRole(caller.maker.role, least)) {
    return new Refusal(
      'forbidden',
      `The API key was created by a user with the role ${caller.maker.role}. This operation requires ${least}.`,
    );
  }
  if (needed === 'admin' && caller.scope.mode === 'test' && !READING.includes(method)) {
    return new Refusal(
      'forbidden',
      'This operation applies to the whole organization. Use a live key, or sign in.',
    );
  }
  const foreign = refuseForeignPlace(request, caller.scope);
  if (foreign) return foreign;
  admission.credentials.noteUse(caller.actor.id);
  request.keyApiVersion = known.apiVersion;
  const wanted = request.headers[SUB_TENANT_HEADER];
  if (wanted === undefined || wanted === '') {
    request.caller = caller;
    return undefined;
  }
  const named = String(wanted);
  if (!named.startsWith('external:')) return narrowCaller(admission, request, caller, named);
  return admission.credentials
    .tenantIdOf(caller, named)
    .then((id) => (id === null ? new Refusal('not_found') : narrowCaller(admission, request, caller, id)));
}

function narrowCaller(
  admission: Admission,
  request: FastifyRequest,
  caller: Caller,
  subTenantId: string,
): Refusal | undefined | Promise<Refusal | undefined> {
  if (caller.pinnedTo !== null) {
    if (caller.pinnedTo !== subTenantId) return new Refusal('sub_tenant_mismatch');
    request.caller = caller;
    return undefined;
  }
  const settle = (narrowed: Caller | null): Refusal | undefined => {
    if (!narrowed) return new Refusal('not_found');
    request.caller = narrowed;
    return undefined;
  };
  const narrowed = admission.credentials.narrow(caller, subTenantId);
  return narrowed instanceof Promise ? narrowed.then(settle) : settle(narrowed);
}

/** Returns undefined, for the general message, if the key is not in the Authorization header. */
function unauthorizedReason(request: FastifyRequest): string | undefined {
  const { keyOf, signatureOf, acceptsAccessTokens = false } = request.routeOptions.config;
  if (signatureOf !== undefined) return 'The access key ID is unknown, revoked, or has no SES credentials.';
  if (keyOf !== undefined) return undefined;
  if (acceptsAccessTokens)
    return 'The request has no valid API key or access token. Connect the application again, or send an API key.';
  return request.headers.authorization === undefined
    ? 'The request has no API key. Send Authorization: Bearer <key>, or HTTP Basic with the key as username.'
    : 'The API key is unknown or revoked.';
}

/** Counts a failure, and throws the refusal, or `rate_limited`. Faults are thrown as they are. */
async function failed(
  admission: Admission,
  request: FastifyRequest,
  reply: FastifyReply,
  refusal: unknown,
): Promise<undefined> {
  if (!(refusal instanceof Refusal)) throw refusal;
  const retryAfterSeconds = await admission.limitFailures(request);
  if (retryAfterSeconds === null) throw refusal;
  reply.header('Retry-After', String(retryAfterSeconds));
  throw new Refusal(
    'rate_limited',
    'Too many failed authentication attempts from this IP address. Try again later.',
  );
}

/** Returns the refusal of a key that does not have the permission. */
export function permissionRefusal(
  permission: KeyPermission,
  method: string,
  needed: KeyPermission | undefined,
): Refusal {
  if (needed === 'admin') {
    return new Refusal(
      'forbidden',
      `The API key has ${permission} permission. This operation applies to the whole organization and requires admin. Sign in, or create a key with: mailkeel admin keys create --mode live --permission admin`,
    );
  }
  const enough = needed ?? (READING.includes(method) ? 'read' : 'full');
  const others = enough === 'full' ? '' : ' or full';
  return new Refusal(
    'forbidden',
    `The API key has ${permission} permission. This operation requires ${enough}${others}.`,
  );
}
