// Invitations into the organization, for members who invite and for invitees with a link.
import {
  createdInvitation,
  invitation,
  invitationAccept,
  invitationCreate,
  invitationToken,
  openInvitation,
} from './invitation.schema.js';
import { orderedQuery } from '../../contract/lists.js';
import { member } from './member.schema.js';
import type { AccountContext } from '../context.js';
import type { Invitations } from './invitations.js';
import type { Api } from '../../http/api.js';
import { PUBLIC_BODY_LIMIT, refuseTooMany } from '../../http/access/caller.js';
import { readVisitor } from '../access/session-auth.js';
import { actingMember, visibleOrganization } from './role-check.routes.js';
import { resource } from '../../http/lists/resource.js';
import { presentInvitation, presentMember } from './people.view.js';
import { iso } from '../../contract/time.js';
import { createFailureLimit } from '../../http/access/rate-limit.js';

const tags = ['Invitations'];

export function invitationRoutes(app: Api, context: AccountContext, invitations: Invitations): void {
  inviterRoutes(app, context, invitations);
  inviteeRoutes(app, context, invitations);
}

function inviterRoutes(app: Api, { store, clock }: AccountContext, invitations: Invitations): void {
  const plain = resource(app, {
    path: '/v1/invitations',
    operations: 'invitations',
    tag: 'Invitations',
    object: 'invitation',
    schema: invitation,
  });
  plain.list({
    config: { permission: 'admin', role: 'admin' },
    summary: 'List invitations',
    description:
      'Returns the invitations to the organization, newest first. Requires permission `admin`; users need the role `admin`.',
    query: orderedQuery,
    read: ({ caller }, page) => store.people.invitations(visibleOrganization(caller), page),
    present: (row) => presentInvitation(row, { now: clock() }),
  });

  app.post(
    '/v1/invitations',
    {
      config: { permission: 'admin', role: 'admin', showsSecret: true },
      schema: {
        operationId: 'invitations.create',
        tags,
        summary: 'Create an invitation',
        description:
          'Invites a person to the organization by email and returns the link. Replaces an open invitation to the same address. Requires permission `admin`; users need the role `admin`.',
        body: invitationCreate,
        response: { 201: createdInvitation },
      },
    },
    async (request, reply) => {
      const made = await invitations.invite(actingMember(request.caller), request.body);
      return reply.status(201).send({
        ...presentInvitation(made.invitation, { now: clock() }),
        mailed: made.isMailed,
        link: made.link,
      });
    },
  );

  plain.remove({
    operation: 'revoke',
    config: { permission: 'admin', role: 'admin' },
    summary: 'Revoke an invitation',
    description:
      'Revokes an invitation, so that its link stops working. Requires permission `admin`; users need the role `admin`.',
    remove: ({ caller, params }) => invitations.revoke(actingMember(caller), params.id),
  });
}

function inviteeRoutes(app: Api, { settings }: AccountContext, invitations: Invitations): void {
  const limit = refuseTooMany(createFailureLimit(app, settings));

  app.post(
    '/v1/invitations/view',
    {
      config: { public: true },
      bodyLimit: PUBLIC_BODY_LIMIT,
      onRequest: limit,
      schema: {
        operationId: 'invitations.view',
        tags,
        summary: 'View an invitation',
        description:
          'Returns the organization, address and role of an invitation, given the token from its link. No API key is required.',
        body: invitationToken,
        response: { 200: openInvitation },
      },
    },
    async (request) => {
      const view = await invitations.view(request.body.token);
      return {
        object: 'invitation' as const,
        organization_name: view.organizationName,
        email: view.email,
        role: view.role,
        has_account: view.hasAccount,
        expires_at: iso(view.expiresAt),
      };
    },
  );

  app.post(
    '/v1/invitations/accept',
    {
      config: { public: true },
      bodyLimit: PUBLIC_BODY_LIMIT,
      onRequest: limit,
      schema: {
        operationId: 'invitations.accept',
        tags,
        summary: 'Accept an invitation',
        description:
          'Creates an account with the given password, or adds the existing account to the organization. If the address has an account (`has_account`), its password is required, and after `totp_required` its second factor, as for signing in. No API key is required.',
        body: invitationAccept,
        response: { 201: member },
      },
    },
    async (request, reply) => {
      const { token, name = null, password, totp, recovery_code: recoveryCode } = request.body;
      const factors = { password, totp, recoveryCode };
      const joined = await invitations.accept({ token, name, factors }, readVisitor(request));
      return reply.status(201).send(presentMember(joined));
    },
  );
}
