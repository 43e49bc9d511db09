// Signing in for a program without a browser: the program's side, and the side of the person who lets it in.
import {
  deviceApproval,
  deviceDecided,
  deviceParams,
  devicePoll,
  devicePolled,
  deviceStart,
  deviceStarted,
  waitingDevice,
} from './device-sign-in.schema.js';
import { invalidFields } from '../../contract/refusal.js';
import type { MadeKey } from '../api-keys/api-key-plan.js';
import type { DeviceSignIns } from './device-sign-in.js';
import type { Api } from '../../api/api.js';
import { PUBLIC_BODY_LIMIT, refuseTooMany, visitorOf } from '../../api/caller-address.js';
import { presentApiKey } from '../api-keys/api-key.view.js';
import { iso } from '../../contract/time.js';
import { createClientLimit, createFailureLimit, type RateLimitSettings } from '../../api/rate-limit.js';
import { sessionOf } from './auth.routes.js';

export interface DeviceRouteDeps {
  devices: DeviceSignIns<MadeKey>;
  settings: RateLimitSettings;
}

const tags = ['Auth'];
/** Whoever lets a program in hands out an API key. */
const config = { session: true, role: 'admin' } as const;
/** Of one client: five programs that ask every five seconds. */
const POLLS_PER_MINUTE = 60;

export function authDeviceRoutes(app: Api, deps: DeviceRouteDeps): void {
  programRoutes(app, deps);
  personRoutes(app, deps);
}

function programRoutes(app: Api, { devices, settings }: DeviceRouteDeps): void {
  app.post(
    '/v1/auth/device',
    {
      config: { public: true },
      bodyLimit: PUBLIC_BODY_LIMIT,
      onRequest: refuseTooMany(createFailureLimit(app, settings)),
      schema: {
        operationId: 'auth.startDevice',
        tags,
        summary: 'Ask a person to let a program in, which has no browser (RFC 8628)',
        description:
          'Show the person `user_code` and `verification_uri`, then ask `auth.pollDevice` every `interval` seconds.',
        body: deviceStart,
        response: { 201: deviceStarted },
      },
    },
    async (request, reply) => {
      const { client_name: clientName, mode = 'test' } = request.body;
      if (/\p{Cc}|\p{Cf}/u.test(clientName)) {
        throw invalidFields([{ path: 'client_name', message: 'must be plain text of one line' }]);
      }
      const started = await devices.start(clientName, mode, visitorOf(request).ip);
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
        summary: 'Ask whether the person has let the program in; the API key is answered once',
        body: devicePoll,
        response: { 200: devicePolled },
      },
    },
    async (request) => {
      const polled = await devices.poll(request.body.device_code, visitorOf(request));
      const apiKey =
        polled.status === 'approved'
          ? { ...presentApiKey(polled.made.row), secret: polled.made.secret }
          : null;
      return { object: 'device_sign_in' as const, status: polled.status, api_key: apiKey };
    },
  );
}

function personRoutes(app: Api, { devices }: DeviceRouteDeps): void {
  app.get(
    '/v1/auth/device/:user_code',
    {
      config,
      schema: {
        operationId: 'auth.getDevice',
        tags,
        summary: 'Read which program waits with a code',
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
        summary: 'Let a program in: it gets an API key of the workspace',
        params: deviceParams,
        body: deviceApproval,
        response: { 200: deviceDecided },
      },
    },
    async (request) => {
      const { user_code: code } = request.params;
      const { userCode, mode } = await devices.read(code);
      await devices.approve(code, {
        userId: sessionOf(request).row.user_id,
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
        summary: 'Refuse a program that waits',
        params: deviceParams,
        response: { 200: deviceDecided },
      },
    },
    async (request) => {
      const { user_code: code } = request.params;
      const { userCode } = await devices.read(code);
      await devices.deny(code, sessionOf(request).row.user_id);
      return { object: 'device_sign_in' as const, user_code: userCode, status: 'denied' as const };
    },
  );
}
