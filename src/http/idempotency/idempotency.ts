// Idempotency-Key for requests that create, start or change something: repeating a request with its key returns the first
// answer, and the change happens once. Messages store their own keys for their whole lifetime.
import { createHash, randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { invalidFields, Refusal } from '../../contract/refusal.js';
import type { Clock } from '../../lib/runtime/index.js';
import { openSecret, sealSecret } from '../../lib/secrets/index.js';
import type { RequestClaim } from './idempotency.store.js';
import type { HttpStores } from '../stores.js';
import type { Api } from '../api.js';
import { isOfOrganization } from '../operation.js';
import type { IdempotentRequest } from './idempotency.tables.js';

export const REPLAYED = 'Idempotent-Replayed';
const HEADER = 'idempotency-key';
const MAX_KEY = 255;
/** A longer answer is not stored; such answers are rare. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
/** Limit for a request that changed nothing: it can be repeated safely, and large answers to small requests must not fill the disk. */
const MAX_UNCHANGED_BYTES = 16 * 1024;
const READING: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

interface IdempotencyOptions {
  store: { idempotency: HttpStores['idempotency'] };
  /** Encrypts the stored answers, which may contain secrets. */
  masterKey: Buffer;
  clock: Clock;
}

/** A request in progress. */
interface Running {
  claim: RequestClaim;
  end: () => void;
}

type Known =
  | { kind: 'new'; id: string }
  | { kind: 'replay'; status: number; body: string }
  | { kind: 'no'; refusal: Refusal };

/** Must be called before `registerAudit`: a replayed request changes nothing, and leaves no entry. */
export function registerIdempotency(app: Api, { store, masterKey, clock }: IdempotencyOptions): void {
  const running = new WeakMap<FastifyRequest, Running>();
  const inProgress = new Set<string>();

  app.addHook('preHandler', (request, reply, done) => {
    const header = request.headers[HEADER];
    if (header === undefined || !isOfApi(request)) {
      done();
      return;
    }
    const refusal = keyProblem(request, String(header));
    if (refusal !== null || request.routeOptions.config.idempotency === 'own') {
      done(refusal ?? undefined);
      return;
    }
    const claim = claimHook(request, String(header), clock());
    const name = claimName(claim);
    if (inProgress.has(name)) {
      reply.header('Retry-After', '1');
      done(new Refusal('idempotency_key_in_use', undefined, { param: 'Idempotency-Key' }));
      return;
    }
    inProgress.add(name);
    const start = (known: Known): void => {
      if (known.kind !== 'new') inProgress.delete(name);
      if (known.kind === 'no') done(known.refusal);
      else if (known.kind === 'replay') replay(reply, known);
      else {
        const own = { ...claim, id: known.id };
        store.idempotency.hooks.attach(own, (end) => {
          // The caller has disconnected: Fastify stops here, so nothing else would release the key.
          if (reply.raw.destroyed) {
            end();
            inProgress.delete(name);
            done();
            return;
          }
          running.set(request, { claim: own, end });
          done();
        });
      }
    };
    look({ store, masterKey }, request, claim).then(start, (error: unknown) => {
      inProgress.delete(name);
      done(error as Error);
    });
  });

  app.addHook('onSend', (request, reply, payload, done) => {
    const one = running.get(request);
    if (one === undefined) {
      done(null, payload);
      return;
    }
    running.delete(request);
    one.end();
    // A request that was refused before it changed anything may be repeated with the same key. A fault is not stored.
    const { statusCode } = reply;
    const isKept = statusCode < 500 && (one.claim.isKept || statusCode < 400);
    const body = typeof payload === 'string' ? payload : '';
    const limit = one.claim.isKept ? MAX_ANSWER_BYTES : MAX_UNCHANGED_BYTES;
    const kept =
      isKept && Buffer.byteLength(body) <= limit
        ? store.idempotency.keepAnswer(one.claim, {
            status: statusCode,
            answer: sealSecret(masterKey, Buffer.from(body), sealContext(one.claim)),
          })
        : Promise.resolve(false);
    kept
      .finally(() => inProgress.delete(claimName(one.claim)))
      .then(
        () => done(null, payload),
        (error: unknown) => done(error as Error),
      );
  });
}

/** State of the key: unused, with a first answer, or refused with a reason. */
async function look(
  { store, masterKey }: Pick<IdempotencyOptions, 'store' | 'masterKey'>,
  request: FastifyRequest,
  claim: RequestClaim,
): Promise<Known> {
  const { place, key, fingerprint, at, id } = claim;
  const known = await store.idempotency.find(place, key, at - store.idempotency.lifetimeMs);
  if (known === null) return { kind: 'new', id };
  const no = (
    code: 'idempotency_key_reused' | 'idempotency_answer_lost',
    details?: { id: string },
  ): Known => ({
    kind: 'no',
    refusal: new Refusal(code, undefined, { param: 'Idempotency-Key', ...(details ? { details } : {}) }),
  });
  if (!fingerprint.equals(known.fingerprint)) return no('idempotency_key_reused');
  if (known.status !== null && known.answer !== null) {
    await store.idempotency.secured();
    return storedAnswer(masterKey, known);
  }
  // An interrupted operation resumes if each of its parts is done only once.
  if (request.routeOptions.config.idempotency === 'resumable') return { kind: 'new', id: known.id };
  return no('idempotency_answer_lost', known.made_id === null ? undefined : { id: known.made_id });
}

function storedAnswer(masterKey: Buffer, row: IdempotentRequest): Known {
  const body = openSecret(masterKey, row.answer ?? '', sealContext(row)).toString('utf8');
  return { kind: 'replay', status: Number(row.status), body };
}

function replay(reply: FastifyReply, { status, body }: Known & { kind: 'replay' }): void {
  void reply.status(status).header(REPLAYED, 'true');
  if (body !== '') void reply.type('application/json; charset=utf-8');
  void reply.send(body === '' ? undefined : body);
}

function isOfApi(request: FastifyRequest): boolean {
  return request.routeOptions.url?.startsWith('/v1/') === true;
}

function keyProblem(request: FastifyRequest, key: string): Refusal | null {
  const { config } = request.routeOptions;
  const no = (sentence: string): Refusal =>
    new Refusal('bad_request', sentence, { param: 'Idempotency-Key' });
  if (READING.includes(request.method)) {
    return no(
      'Idempotency-Key applies only to requests that create or change data. Omit it from this request.',
    );
  }
  if (config.public === true || config.session === true) {
    return no(
      'This operation does not support Idempotency-Key because responses to sign-in requests and to requests without an API key are not stored. Omit the header.',
    );
  }
  if (config.idempotency === 'none') {
    return no(
      'This operation does not support Idempotency-Key because uploads are not compared. Omit the header.',
    );
  }
  if (key.length > MAX_KEY || !/^[\x20-\x7e]+$/.test(key)) {
    const message = `must be 1 to ${MAX_KEY} printable ASCII characters`;
    return invalidFields([{ path: 'Idempotency-Key', message }]);
  }
  return null;
}

function claimHook(request: FastifyRequest, key: string, at: number): RequestClaim {
  const { scope, actor } = request.caller;
  const { method, routeOptions, url } = request;
  const where = isOfOrganization(request)
    ? scope.organizationId
    : `${scope.environmentId} ${scope.subTenantId ?? ''}`;
  const [path = ''] = url.split('?', 1);
  const fingerprint = createHash('sha256').update(
    orderedJson([path, request.query ?? null, request.body ?? null]),
  );
  // A secret is replayed only to its first caller, not to others who know the key.
  if (routeOptions.config.showsSecret === true) fingerprint.update(actor.id);
  return {
    place: `${where} ${method} ${routeOptions.url ?? ''}`,
    key,
    id: randomUUID(),
    fingerprint: fingerprint.digest(),
    at,
    isKept: false,
  };
}

function claimName({ place, key }: Pick<RequestClaim, 'place' | 'key'>): string {
  return `${place}\n${key}`;
}

function sealContext(one: Pick<RequestClaim, 'place' | 'key'>): string {
  return `idempotent-answer:${claimName(one)}`;
}

/** Returns JSON with sorted object keys. The value is JSON, nested at most as deeply as a body may be. */
function orderedJson(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    const entries = Object.entries(part).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    return Object.fromEntries(entries);
  });
}
