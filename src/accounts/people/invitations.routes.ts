// Invitations into the organization, and what the holder of a link does with it.
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
import type { Clock } from '../../lib/runtime/clock.js';
import type { Store } from '../../store/store.js';
import type { Invitations } from './invitations.js';
import type { Api } from '../../api/api.js';
import { PUBLIC_BODY_LIMIT, refuseTooMany, visitorOf } from '../../api/access/caller.js';
import { actingMemberOf, organizationSeenBy } from './role-check.routes.js';
import { resource } from '../../api/lists/resource.js';
import { presentInvitation, presentMember } from './people.view.js';
import { iso } from '../../contract/time.js';
import { createFailureLimit, type RateLimitSettings } from '../../api/access/rate-limit.js';

export interface InvitationRouteDeps {
  store: Pick<Store, 'people'>;
  invitations: Invitations;
  settings: RateLimitSettings;
  clock: Clock;
}

const tags = ['Invitations'];

export function invitationRoutes(app: Api, deps: InvitationRouteDeps): void {
  inviterRoutes(app, deps);
  inviteeRoutes(app, deps);
}

function inviterRoutes(app: Api, { store, invitations, clock }: InvitationRouteDeps): void {
  const plain = resource(app, {
    path: '/v1/invitations',
    operations: 'invitations',
    tag: 'Invitations',
    object: 'invitation',
    schema: invitation,
  });
  plain.list({
    config: { permission: 'admin', role: 'admin' },
    summary: 'List invitations into the organization',
    query: orderedQuery,
    read: ({ caller }, page) => store.people.invitations(organizationSeenBy(caller), page),
    present: (row) => presentInvitation(row, { now: clock() }),
  });

  app.post(
    '/v1/invitations',
    {
      config: { permission: 'admin', role: 'admin', showsSecret: true },
      schema: {
        operationId: 'invitations.create',
        tags,
        summary: 'Invite a person, by mail or by the link of the answer; replaces an open invitation',
        body: invitationCreate,
        response: { 201: createdInvitation },
      },
    },
    async (request, reply) => {
      const made = await invitations.invite(actingMemberOf(request.caller), request.body);
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
    summary: 'Revoke an invitation; its link stops working',
    remove: ({ caller, params }) => invitations.revoke(actingMemberOf(caller), params.id),
  });
}

function inviteeRoutes(app: Api, { invitations, settings }: InvitationRouteDeps): void {
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
        summary: 'Read what the link of an invitation is for',
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
        summary: 'Accept an invitation: makes the account, or joins with the account of that address',
        description:
          'Where the address has an account (`has_account`) its password is asked for, and its second ' +
          'factor by `totp_required`, as for signing in.',
        body: invitationAccept,
        response: { 201: member },
      },
    },
    async (request, reply) => {
      const { token, name = null, password, totp, recovery_code: recoveryCode } = request.body;
      const factors = { password, totp, recoveryCode };
      const joined = await invitations.accept({ token, name, factors }, visitorOf(request));
      return reply.status(201).send(presentMember(joined));
    },
  );
}
