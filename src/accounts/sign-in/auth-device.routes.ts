// Device sign-in: routes for the program, and for the person who approves it.
import { invalidFields } from '../../contract/refusal.js';
import type { AccountContext } from '../context.js';
import type { DeviceSignIns } from './device-sign-in.js';
import type { Api } from '../../http/api.js';
import { PUBLIC_BODY_LIMIT, refuseTooMany } from '../../http/access/caller.js';
import { readVisitor } from '../access/session-auth.js';
import { presentApiKey } from '../api-keys/api-key.view.js';
import { iso } from '../../contract/time.js';
import {
  createClientLimit,
  createFailureLimit,
  type RateLimitSettings,
} from '../../http/access/rate-limit.js';
import { requireSession } from './auth.routes.js';
import { Type } from 'typebox';
import { createdApiKey } from '../api-keys/api-key.schema.js';
import { DEVICE_SIGN_IN_STATUSES, KEY_PERMISSIONS, MODES } from '../../contract/names.js';
import { closed, nameSchemas, nullable, oneOf, timestamp } from '../../contract/schema.js';

// Device authorization (RFC 8628).
const object = Type.Literal('device_sign_in');

const deviceStart = closed(
  {
    client_name: Type.String({
      minLength: 1,
      maxLength: 60,
      description:
        'The name of the program. It is shown to the user and becomes the default name of the key.',
    }),
    mode: Type.Optional(
      oneOf(MODES, { default: 'test', description: 'The environment that the program requests.' }),
    ),
  },
  { examples: [{ client_name: 'mailkeel CLI', mode: 'test' }] },
);

const deviceStarted = Type.Object({
  object,
  device_code: Type.String({ description: 'The secret with which the program calls `auth.pollDevice`.' }),
  user_code: Type.String({ description: 'The code that the user compares.' }),
  verification_uri: Type.String({
    format: 'uri',
    description: 'The URL of the page on which the user enters the code.',
  }),
  verification_uri_complete: Type.String({
    format: 'uri',
    description: 'The URL of the same page with the code filled in.',
  }),
  expires_in: Type.Integer({ description: 'Lifetime of the codes in seconds.' }),
  interval: Type.Integer({ description: 'Minimum number of seconds between two polls.' }),
});

const devicePoll = closed(
  { device_code: Type.String({ maxLength: 100 }) },
  { examples: [{ device_code: 'kJ3v…' }] },
);

const devicePolled = Type.Object({
  object,
  status: oneOf(DEVICE_SIGN_IN_STATUSES),
  api_key: nullable(createdApiKey),
});

const deviceParams = Type.Object({ user_code: Type.String({ maxLength: 20 }) });

const waitingDevice = Type.Object({
  object,
  user_code: Type.String(),
  client_name: Type.String(),
  ip: nullable(Type.String({ description: 'The IP address of the program.' })),
  mode: oneOf(MODES, { description: 'The environment that the program requests.' }),
  expires_at: timestamp,
  created_at: timestamp,
});

const deviceApproval = closed(
  {
    mode: Type.Optional(
      oneOf(MODES, {
        description: 'The environment of the key. Defaults to the one that the program requests.',
      }),
    ),
    permission: Type.Optional(oneOf(KEY_PERMISSIONS, { default: 'full' })),
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'The name of the key. Defaults to the name of the program.',
      }),
    ),
  },
  { examples: [{ mode: 'test', permission: 'full' }] },
);

const deviceDecided = Type.Object({
  object,
  user_code: Type.String(),
  status: oneOf(['approved', 'denied']),
});

nameSchemas({
  DeviceSignInStart: deviceStart,
  DeviceSignInStarted: deviceStarted,
  DeviceSignInPoll: devicePoll,
  DeviceSignInPolled: devicePolled,
  DeviceSignIn: waitingDevice,
  DeviceSignInApprove: deviceApproval,
  DeviceSignInDecided: deviceDecided,
});

const tags = ['Auth'];
/** Approval of a device creates an API key, so the role is required. */
const config = { session: true, role: 'admin' } as const;
/** Limit per client, enough for five programs that poll every five seconds. */
const POLLS_PER_MINUTE = 60;

export function authDeviceRoutes(
  app: Api,
  { settings }: Pick<AccountContext, 'settings'>,
  devices: DeviceSignIns,
): void {
  programRoutes(app, settings, devices);
  personRoutes(app, devices);
}

function programRoutes(app: Api, settings: RateLimitSettings, devices: DeviceSignIns): void {
  app.post(
    '/v1/auth/device',
    {
      config: { public: true },
      bodyLimit: PUBLIC_BODY_LIMIT,
      onRequest: refuseTooMany(createFailureLimit(app, settings)),
      schema: {
        operationId: 'auth.startDevice',
        tags,
        summary: 'Start a device sign-in',
        description:
          'Starts a sign-in for a program without a browser (RFC 8628). Show `user_code` and `verification_uri` to the user, then call `POST /v1/auth/device/token` every `interval` seconds. No API key is required.',
        body: deviceStart,
        response: { 201: deviceStarted },
      },
    },
    async (request, reply) => {
      const { client_name: clientName, mode = 'test' } = request.body;
      if (/\p{Cc}|\p{Cf}/u.test(clientName)) {
        throw invalidFields([{ path: 'client_name', message: 'must be a single line of plain text' }]);
      }
      const started = await devices.start(clientName, mode, readVisitor(request).ip);
      return reply.status(201).send({
        object: 'device_sign_in' as const,
        device_code: started.deviceCode,
        user_code: started.userCode,
        verification_uri: started.verificationUri,
        verification_uri_complete: started.verificationUriComplete,
        expires_in: started.expiresInSeconds,
        interval: started.intervalSeconds,
      });
    },
  );

  app.post(
    '/v1/auth/device/token',
    {
      config: { public: true, showsSecret: true },
      bodyLimit: PUBLIC_BODY_LIMIT,
      onRequest: refuseTooMany(createClientLimit(app, POLLS_PER_MINUTE)),
      schema: {
        operationId: 'auth.pollDevice',
        tags,
        summary: 'Poll a device sign-in',
        description:
          'Returns whether the user has approved the program. After approval, the API key is returned once. No API key is required.',
        body: devicePoll,
        response: { 200: devicePolled },
      },
    },
    async (request) => {
      const polled = await devices.poll(request.body.device_code, readVisitor(request));
      const apiKey =
        polled.status === 'approved'
          ? { ...presentApiKey(polled.made.row), secret: polled.made.secret }
          : null;
      return { object: 'device_sign_in' as const, status: polled.status, api_key: apiKey };
    },
  );
}

function personRoutes(app: Api, devices: DeviceSignIns): void {
  app.get(
    '/v1/auth/device/:user_code',
    {
      config,
      schema: {
        operationId: 'auth.getDevice',
        tags,
        summary: 'Retrieve a device sign-in',
        description:
          'Returns the program that is waiting for approval with a user code. Requires the role `admin` and a signed-in session.',
        params: deviceParams,
        response: { 200: waitingDevice },
      },
    },
    async (request) => {
      const device = await devices.read(request.params.user_code);
      return {
        object: 'device_sign_in' as const,
        user_code: device.userCode,
        client_name: device.clientName,
        ip: device.ip,
        mode: device.mode,
        expires_at: iso(device.expiresAt),
        created_at: iso(device.createdAt),
      };
    },
  );

  app.post(
    '/v1/auth/device/:user_code/approve',
    {
      config: { ...config, optionalBody: true, audit: { shows: ['mode', 'permission', 'name'] } },
      schema: {
        operationId: 'auth.approveDevice',
        tags,
        summary: 'Approve a device sign-in',
        description:
          'Approves a program, which then receives an API key of the current workspace. Requires the role `admin` and a signed-in session.',
        params: deviceParams,
        body: deviceApproval,
        response: { 200: deviceDecided },
      },
    },
    async (request) => {
      const { user_code: code } = request.params;
      const { userCode, mode } = await devices.read(code);
      await devices.approve(code, {
        userId: requireSession(request).row.user_id,
        workspaceId: request.caller.scope.workspaceId,
        mode: request.body.mode ?? mode,
        permission: request.body.permission ?? 'full',
        name: request.body.name ?? null,
      });
      return { object: 'device_sign_in' as const, user_code: userCode, status: 'approved' as const };
    },
  );

  app.post(
    '/v1/auth/device/:user_code/deny',
    {
      config,
      schema: {
        operationId: 'auth.denyDevice',
        tags,
        summary: 'Deny a device sign-in',
        description:
          'Denies a program that is waiting for approval. Requires the role `admin` and a signed-in session.',
        params: deviceParams,
        response: { 200: deviceDecided },
      },
    },
    async (request) => {
      const { user_code: code } = request.params;
      const { userCode } = await devices.read(code);
      await devices.deny(code, requireSession(request).row.user_id);
      return { object: 'device_sign_in' as const, user_code: userCode, status: 'denied' as const };
    },
  );
}
