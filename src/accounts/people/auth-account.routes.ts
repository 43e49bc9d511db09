// Changes of a person's own account, and password resets.
import {
  passwordChange,
  passwordResetConfirm,
  passwordResetDone,
  passwordResetRequest,
  passwordResetRequested,
  recoveryCodes,
  totpBegin,
  totpBegun,
  totpConfirm,
  totpDisable,
  user,
  userPatch,
} from './user.schema.js';
import type { AccountContext } from '../context.js';
import type { Account } from './account.js';
import type { PasswordResets } from './password-reset.js';
import type { Api } from '../../http/api.js';
import { PUBLIC_BODY_LIMIT, refuseTooMany } from '../../http/access/caller.js';
import { readVisitor } from '../access/session-auth.js';
import { presentUser } from './people.view.js';
import { createFailureLimit, type RateLimitSettings } from '../../http/access/rate-limit.js';
import { ownConfig, requireSession } from '../sign-in/auth.routes.js';

const tags = ['Auth'];
/** Operations that require the password count the attempt first, so `account.ts` writes the audit entry itself. */
const passwordConfig = { ...ownConfig, audit: false } as const;

export function authAccountRoutes(
  app: Api,
  { settings }: Pick<AccountContext, 'settings'>,
  { account, resets }: { account: Account; resets: PasswordResets },
): void {
  accountRoutes(app, account);
  totpRoutes(app, account);
  resetRoutes(app, settings, resets);
}

function accountRoutes(app: Api, account: Account): void {
  app.patch(
    '/v1/auth/user',
    {
      config: ownConfig,
      schema: {
        operationId: 'auth.updateUser',
        tags,
        summary: 'Update your name',
        description: 'Changes the name of the signed-in user.',
        body: userPatch,
        response: { 200: user },
      },
    },
    async (request) =>
      presentUser(await account.rename(requireSession(request).row.user_id, request.body.name)),
  );

  app.post(
    '/v1/auth/password',
    {
      config: passwordConfig,
      schema: {
        operationId: 'auth.changePassword',
        tags,
        summary: 'Change your password',
        description:
          "Changes the password of the signed-in user and ends all of the user's other sessions. Requires the current password.",
        body: passwordChange,
        response: { 200: user },
      },
    },
    async (request) => {
      const { row } = requireSession(request);
      const { current, new: next } = request.body;
      await account.changePassword(row, { current, next }, readVisitor(request));
      return presentUser(await account.read(row.user_id));
    },
  );
}

function totpRoutes(app: Api, account: Account): void {
  app.post(
    '/v1/auth/totp',
    {
      config: passwordConfig,
      schema: {
        operationId: 'auth.beginTotp',
        tags,
        summary: 'Set up an authenticator app',
        description:
          'Returns a secret for an authenticator app. Requires the password. Two-factor authentication is enabled once you confirm a code with `POST /v1/auth/totp/confirm`.',
        body: totpBegin,
        response: { 200: totpBegun },
      },
    },
    async (request) => {
      const { row } = requireSession(request);
      const { secret, uri } = await account.beginTotp(row, request.body.password, readVisitor(request));
      return { object: 'totp' as const, secret, uri };
    },
  );

  app.post(
    '/v1/auth/totp/confirm',
    {
      config: ownConfig,
      schema: {
        operationId: 'auth.confirmTotp',
        tags,
        summary: 'Enable two-factor authentication',
        description:
          "Enables two-factor authentication by confirming a code of the authenticator app. Ends all of the user's other sessions and returns the recovery codes, which are not shown again.",
        body: totpConfirm,
        response: { 200: recoveryCodes },
      },
    },
    async (request) => {
      const codes = await account.confirmTotp(requireSession(request).row, request.body.code);
      return { object: 'recovery_codes' as const, recovery_codes: codes };
    },
  );

  app.post(
    '/v1/auth/totp/disable',
    {
      config: passwordConfig,
      schema: {
        operationId: 'auth.disableTotp',
        tags,
        summary: 'Disable two-factor authentication',
        description:
          'Disables two-factor authentication. Requires the password and a code of the authenticator app or a recovery code.',
        body: totpDisable,
        response: { 200: user },
      },
    },
    async (request) => {
      const { row } = requireSession(request);
      const { password, code: totp, recovery_code: recoveryCode } = request.body;
      await account.disableTotp(row, { password, totp, recoveryCode }, readVisitor(request));
      return presentUser(await account.read(row.user_id));
    },
  );
}

function resetRoutes(app: Api, settings: RateLimitSettings, resets: PasswordResets): void {
  const limit = refuseTooMany(createFailureLimit(app, settings));

  app.post(
    '/v1/auth/password-reset',
    {
      config: { public: true },
      bodyLimit: PUBLIC_BODY_LIMIT,
      onRequest: limit,
      schema: {
        operationId: 'auth.requestPasswordReset',
        tags,
        summary: 'Request a password reset',
        description:
          'Emails a link for choosing a new password. The response does not reveal whether there is an account with the address. Fails with 409 if the server has no domain to send the link from.',
        body: passwordResetRequest,
        response: { 202: passwordResetRequested },
      },
    },
    async (request, reply) => {
      const { email } = request.body;
      await resets.request(email);
      return reply.status(202).send({ object: 'password_reset' as const, email });
    },
  );

  app.post(
    '/v1/auth/password-reset/confirm',
    {
      config: { public: true },
      bodyLimit: PUBLIC_BODY_LIMIT,
      onRequest: limit,
      schema: {
        operationId: 'auth.confirmPasswordReset',
        tags,
        summary: 'Reset a password',
        description:
          "Sets a new password with the token from the emailed link and ends all of the user's sessions.",
        body: passwordResetConfirm,
        response: { 200: passwordResetDone },
      },
    },
    async (request) => {
      await resets.confirm(request.body, readVisitor(request));
      return { object: 'password_reset' as const, done: true as const };
    },
  );
}
