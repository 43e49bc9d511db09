// Routes for clients of other vendors, below /compat/<vendor>. Each request becomes one or more requests to /v1, whose answers
// are converted to the vendor's format. Every part of a request is honoured or refused with a sentence, never ignored.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { permissionRefusal } from '../accounts/access/auth.js';
import { isAllowed } from '../contract/key-permission.js';
import { invalidFields } from '../contract/refusal.js';
import { closed } from '../contract/schema.js';
import type { MessageRequest } from '../messages/message.schema.js';
import type { SignatureReader } from '../http/access/signature.js';
import type { Api } from '../http/api.js';
import { completeAtOnce } from '../http/complete-at-once.js';
import { RefusedByV1 } from '../http/server/v1-calls.js';
import { noteRefusal, STATUS_OF_TYPE } from '../http/errors.js';
import { BATCH_ITEM_MEMBERS, JSON_MEMBERS, MESSAGE_MEMBERS, readOctets } from '../http/body/json-body.js';
import type { CompatContext } from './context.js';
import { createExpand } from './expansion.js';
import { isForm, readForm, refuseFormFields } from './form-body.js';
import { MAILGUN } from './mailgun/mailgun.js';
import { POSTMARK } from './postmark/postmark.js';
import { RESEND } from './resend/resend.js';
import {
  notHereProblems,
  UnknownOperation,
  type CompatAnswer,
  type CompatRoute,
  type Vendor,
} from './route.js';
import { SES } from './ses/ses.js';
import { SENDGRID } from './sendgrid/sendgrid.js';
import { createV1, renamed } from './v1.js';

export const VENDORS: readonly Vendor[] = [RESEND, POSTMARK, SENDGRID, MAILGUN, SES];

export function compatRoutes(app: Api, context: CompatContext): void {
  const { compat } = context.config;
  const isOn = (name: string): boolean => compat.includes('on') || compat.includes(name);
  for (const vendor of VENDORS) if (isOn(vendor.name)) declareVendor(app, vendor, context);
}

function declareVendor(app: Api, vendor: Vendor, context: CompatContext): void {
  const prefix = `/compat/${vendor.name}`;
  void app.register(
    (scope, _options, done) => {
      scope.setErrorHandler((error, request, reply) => answerRefused(vendor, error, request, reply));
      nameRequests(scope, vendor);
      const { readQuery } = vendor;
      if (readQuery !== undefined) {
        scope.addHook('preValidation', (request, _reply, next) => {
          request.query = readQuery(request.query as Record<string, unknown>);
          next();
        });
      }
      if (vendor.takesForms) scope.addContentTypeParser(FORM_TYPES, readForm);
      if (vendor.signed) readSignedBodies(scope, vendor.signed);
      const declared = { vendor, prefix, signatureOf: vendor.signed?.createReader(context) };
      completeAtOnce(scope, () => {
        for (const route of vendor.routes) declareRoute(scope, { ...declared, route }, context);
        if (vendor.actions) declareActions(scope, { ...declared, actions: vendor.actions }, context);
        declareNotServed(scope, vendor);
      });
      done();
    },
    { prefix },
  );
}

const FORM_TYPES = ['multipart/form-data', 'application/x-www-form-urlencoded'];
const NO_FIELDS = closed({});

function nameRequests(scope: Api, { requestIdHeader, idempotencyKeyOf }: Vendor): void {
  if (requestIdHeader !== undefined) {
    scope.addHook('onSend', (request, reply, payload, done) => {
      reply.header(requestIdHeader, request.id);
      done(null, payload);
    });
  }
  scope.addHook('onRequest', (request, _reply, done) => {
    const key = idempotencyKeyOf?.(request.headers) ?? null;
    if (key !== null) request.headers['idempotency-key'] ??= key;
    done();
  });
}

/** Parses bodies only after their signature was verified. */
function readSignedBodies(scope: Api, { readBody }: NonNullable<Vendor['signed']>): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', readOctets);
  scope.addHook('preValidation', async (request) => {
    const octets = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    await request.verifyBody?.(octets);
    request.body = octets.length === 0 ? undefined : readBody(octets, request);
  });
}

interface Declared {
  vendor: Vendor;
  prefix: string;
  signatureOf: SignatureReader | undefined;
}

function declareRoute(
  scope: Api,
  { route, ...declared }: Declared & { route: CompatRoute },
  context: CompatContext,
): void {
  const querystring = route.query ?? NO_FIELDS;
  scope.route({
    method: route.method,
    url: route.path,
    ...optionsOf(declared, route, context.config),
    schema: { querystring, ...(route.body === undefined ? {} : { body: route.body }) },
    handler: async (request, reply) => {
      refuseNotHere(querystring, request.query);
      return answerCall({ ...declared, scope, route, context }, request, reply);
    },
  });
}

/** Declares the one path of all actions. Each has its own permission, which is known after the body was read. */
function declareActions(
  scope: Api,
  { actions, ...declared }: Declared & { actions: NonNullable<Vendor['actions']> },
  context: CompatContext,
): void {
  scope.route({
    method: 'POST',
    url: '',
    ...optionsOf(declared, { isLarge: true }, context.config),
    schema: { querystring: NO_FIELDS },
    handler: async (request, reply) => {
      const { route, body } = actions.read(request.body);
      const { permission } = request.caller;
      if (!isAllowed(permission, 'POST', route.permission)) {
        throw permissionRefusal(permission, 'POST', route.permission);
      }
      request.body = body;
      return answerCall({ ...declared, scope, route, context }, request, reply);
    },
  });
}

function optionsOf(
  { vendor: { keyOf }, signatureOf }: Declared,
  { permission, isLarge = false }: Partial<Pick<CompatRoute, 'permission' | 'isLarge'>>,
  config: CompatContext['config'],
) {
  return {
    config: {
      ...(keyOf === undefined ? {} : { keyOf }),
      ...(signatureOf === undefined ? {} : { signatureOf }),
      ...(permission === undefined ? { checksPermission: true } : { permission }),
      jsonMembers: membersOf(isLarge, config),
      // The /v1 operations that it calls manage their own reads.
      reading: 'stream',
    },
    ...(isLarge ? { bodyLimit: config.messageBodyLimitBytes } : {}),
  } as const;
}

function membersOf(isLarge: boolean, { batchLimit }: CompatContext['config']): number {
  return isLarge ? Math.max(MESSAGE_MEMBERS, batchLimit * BATCH_ITEM_MEMBERS) : JSON_MEMBERS;
}

interface Called {
  vendor: Vendor;
  prefix: string;
  scope: Api;
  route: CompatRoute;
  context: CompatContext;
}

async function answerCall(
  { vendor, prefix, scope, route, context: { config, renderer } }: Called,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  refuseNotHere(route.body, request.body);
  if (route.form !== undefined) refuseFormFields(request.body, route.form);
  if (route.body === undefined) refuseBody(request.body);
  const { scope: own } = request.caller;
  const v1 = createV1({
    request,
    reply,
    tracked: (message) => trackedBy(vendor, message),
    handOver: scope.handOver,
  });
  const answer = await route.handle({
    body: request.body,
    query: request.query,
    params: request.params as Record<string, string>,
    headers: request.headers,
    v1,
    baseUrl: `${config.publicUrl.replace(/\/$/, '')}${prefix}`,
    mode: own.mode,
    requestId: request.id,
    jsonMembers: membersOf(route.isLarge ?? false, config),
    expand: createExpand({
      renderer,
      limitBytes: config.messageBodyLimitBytes,
      owner: own.subTenantId ?? own.workspaceId,
    }),
  });
  return sendAnswer(reply, answer);
}

function sendAnswer(
  reply: FastifyReply,
  { status = 200, headers = {}, body, type }: CompatAnswer,
): FastifyReply {
  void reply.status(status).headers(headers);
  return body === undefined ? reply.send() : reply.type(type ?? JSON_ANSWER).send(body);
}

function trackedBy({ isTracked }: Vendor, message: MessageRequest): MessageRequest {
  return isTracked === undefined ? message : { track_opens: isTracked, track_clicks: isTracked, ...message };
}

const JSON_ANSWER = 'application/json; charset=utf-8';

function refuseNotHere(schema: TSchema | undefined, value: unknown): void {
  const problems = schema === undefined ? [] : notHereProblems(schema, value);
  if (problems.length > 0) throw invalidFields(problems);
}

/** Refuses a body with content; many clients send an empty object or form with every request. */
function refuseBody(body: unknown): void {
  if (body === undefined || body === null) return;
  const isEmpty = isForm(body)
    ? body.fields.size + body.files.length === 0
    : typeof body === 'object' && Object.keys(body).length === 0;
  if (!isEmpty) throw invalidFields([{ path: '', message: 'this operation does not accept a body' }]);
}

const ANYTHING_ELSE =
  'The guide compat in /docs lists the supported operations. For everything else, use the Mailkeel API (/v1).';

/** Declares unsupported paths, with the sentence of the closest path. */
function declareNotServed(scope: Api, { name, routes, notServed }: Vendor): void {
  const areas = Object.entries(notServed).map(([path, instead]) => ({ path, parts: partsOf(path), instead }));
  const insteadOf = (path: string): string => {
    const parts = partsOf(path);
    const around = areas.filter((area) => area.parts.every((part, at) => fits(part, parts[at])));
    const closest = around.toSorted((a, b) => (kindsOf(a.parts) < kindsOf(b.parts) ? -1 : 1))[0];
    return closest?.instead ?? ANYTHING_ELSE;
  };
  const onRequest = (
    { method, url }: FastifyRequest,
    _reply: FastifyReply,
    done: (error: Error) => void,
  ): void => {
    const [path = ''] = url.split('?', 1);
    const instead = insteadOf(path.slice(`/compat/${name}`.length));
    done(
      new UnknownOperation(
        `Mailkeel does not support ${method} ${path.slice(0, 200)} of this vendor. ${instead}`,
      ),
    );
  };
  const refuse = (url: string): void => {
    const served = routes.filter(({ path }) => path === url).map(({ method }): string => method);
    const method = METHODS.filter((one) => !served.includes(one));
    scope.route({ method, url, config: { public: true }, onRequest, handler: () => undefined });
  };
  refuse('/*');
  for (const { path, parts } of areas) {
    if (!routes.some((route) => takesNames(partsOf(route.path), parts))) continue;
    refuse(path);
    refuse(`${path}/*`);
  }
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

function partsOf(path: string): string[] {
  return path.split('/').slice(1);
}

function isParameter(part: string): boolean {
  return part.startsWith(':');
}

/** Orders paths that fit the same request: at the first difference a name comes before a parameter, and both before the end. */
function kindsOf(parts: readonly string[]): string {
  return `${parts.map((part) => (isParameter(part) ? 'b' : 'a')).join('')}c`;
}

function fits(pattern: string, part: string | undefined): boolean {
  return isParameter(pattern) ? part !== undefined && part !== '' : pattern === part;
}

/** Whether a served path would take a name in the path of an area, or below it, for the id of an object. */
function takesNames(served: readonly string[], area: readonly string[]): boolean {
  return (
    area.every((part, at) => isParameter(served[at] ?? '') || served[at] === part) &&
    area.some((part, at) => isParameter(served[at] ?? '') && !isParameter(part))
  );
}

function answerRefused(
  vendor: Vendor,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const refusal =
    error instanceof RefusedByV1 ? renamed(error, vendor.fields) : noteRefusal(error, request, reply);
  if (error instanceof RefusedByV1 && error.retryAfter !== undefined) {
    reply.header('Retry-After', error.retryAfter);
  }
  const path = request.url.slice(`/compat/${vendor.name}`.length);
  const asked = { status: STATUS_OF_TYPE[refusal.type], path, requestId: request.id };
  return sendAnswer(reply, vendor.errorAnswer(refusal, asked));
}
