// Sub-tenants: customers of a platform, each with its sending domain and keys.
import { listOf } from '../../contract/lists.js';
import { Refusal } from '../../contract/refusal.js';
import { deleted, idParams } from '../../contract/schema.js';
import {
  subTenant,
  subTenantAudit,
  subTenantAuthentication,
  subTenantCreate,
  subTenantQuery,
  subTenantUpdate,
} from './sub-tenant.schema.js';
import type { DomainContext } from '../context.js';
import { CUSTOM_NAME_FIELDS, type WantedNames } from './custom-names.js';
import type { SubTenants } from './sub-tenants.js';
import type { Api } from '../../http/api.js';
import { listAnswer, readPage } from '../../http/lists/pages.js';
import {
  presentAuthentication,
  presentTenantAudit,
  showSubTenant,
  showSubTenants,
} from './sub-tenant.view.js';
import { refusePinned } from '../../http/access/caller.js';
import { readBranding } from '../../accounts/branding/branding.view.js';

const TRAIL_LIMIT = 1000;
const RATE_ORDERS = {
  created_at: null,
  '-created_at': null,
  '-complaint_rate': 'complaint_rate',
  '-bounce_rate': 'bounce_rate',
} as const;
const tags = ['Sub-tenants'];

export function subTenantRoutes(app: Api, context: DomainContext, subTenants: SubTenants): void {
  createRoute(app, context, subTenants);
  listRoute(app, context);
  readRoute(app, context, subTenants);
  updateRoute(app, context, subTenants);
  deleteRoute(app, context, subTenants);
  verifyRoute(app, context, subTenants);
  insightRoutes(app, context, subTenants);
}

function createRoute(app: Api, context: DomainContext, subTenants: SubTenants): void {
  app.post(
    '/v1/sub-tenants',
    {
      config: { makesKeys: true },
      schema: {
        operationId: 'subTenants.create',
        tags,
        summary: 'Create a sub-tenant',
        description:
          'Creates a sub-tenant for one of your customers with its own DKIM keys. Publish the DNS records in the response to verify its domain. Not available to keys that are pinned to a sub-tenant.',
        body: subTenantCreate,
        response: { 201: subTenant },
      },
    },
    async (request, reply) => {
      refusePinned(request.caller);
      const { name, sending_domain, external_id = null, dkim = null } = request.body;
      const names = wantedNames(request.body);
      const input = { name, sendingDomain: sending_domain, externalId: external_id, dkim, names };
      const created = await subTenants.create(request.caller.scope, input);
      return reply.status(201).send(await showSubTenant(context, created));
    },
  );
}

function listRoute(app: Api, context: DomainContext): void {
  app.get(
    '/v1/sub-tenants',
    {
      schema: {
        operationId: 'subTenants.list',
        tags,
        summary: 'List sub-tenants',
        description:
          'Returns sub-tenants, optionally filtered or sorted by their complaint and bounce rates.',
        querystring: subTenantQuery,
        response: { 200: listOf(subTenant) },
      },
    },
    async (request) => {
      const { q, status, external_id, reputation, min_complaint_rate, min_bounce_rate } = request.query;
      const filter = {
        ...(q === undefined ? {} : { q }),
        ...(status === undefined ? {} : { status }),
        ...(external_id === undefined ? {} : { externalId: external_id }),
        ...(reputation === undefined ? {} : { reputation }),
        ...(min_complaint_rate === undefined ? {} : { minComplaintRate: min_complaint_rate }),
        ...(min_bounce_rate === undefined ? {} : { minBounceRate: min_bounce_rate }),
      };
      const { scope } = request.caller;
      const order = RATE_ORDERS[request.query.order ?? '-created_at'];
      const page = await context.store.tenants.subTenants(scope, readPage(request), filter, order);
      const rows = await showSubTenants(context, page.rows);
      return listAnswer(request, { ...page, rows }, (shown) => shown);
    },
  );
}

function wantedNames(body: WantedNames): WantedNames {
  const given = CUSTOM_NAME_FIELDS.flatMap((field) =>
    body[field] === undefined ? [] : [[field, body[field]]],
  );
  return Object.fromEntries(given) as WantedNames;
}

function readRoute(app: Api, context: DomainContext, subTenants: SubTenants): void {
  app.get(
    '/v1/sub-tenants/:id',
    {
      schema: {
        operationId: 'subTenants.get',
        tags,
        summary: 'Retrieve a sub-tenant',
        description: 'Returns a sub-tenant with its DNS records and reputation.',
        params: idParams,
        response: { 200: subTenant },
      },
    },
    async ({ caller, params }) => showSubTenant(context, await subTenants.read(caller.scope, params.id)),
  );
}

function updateRoute(app: Api, context: DomainContext, subTenants: SubTenants): void {
  app.patch(
    '/v1/sub-tenants/:id',
    {
      schema: {
        operationId: 'subTenants.update',
        tags,
        summary: 'Update a sub-tenant',
        description:
          'Changes the name, external ID, throttle, branding, or the domains for bounces, replies and tracked links. Everything other than the name and external ID requires a live key. Not available to keys that are pinned to a sub-tenant.',
        params: idParams,
        body: subTenantUpdate,
        response: { 200: subTenant },
      },
    },
    async (request) => {
      const { caller, params, body } = request;
      await subTenants.read(caller.scope, params.id);
      refusePinned(caller);
      if (body.throttle_per_hour !== undefined && caller.scope.mode === 'test') {
        throw new Refusal('forbidden', 'Throttles apply to live mail only. Use a live key.', {
          param: 'throttle_per_hour',
        });
      }
      if (body.branding !== undefined && caller.scope.mode === 'test') {
        throw new Refusal('forbidden', 'These pages are shown to recipients of live mail. Use a live key.', {
          param: 'branding',
        });
      }
      const names = wantedNames(body);
      const [param] = Object.keys(names);
      if (param !== undefined && caller.scope.mode === 'test') {
        throw new Refusal('forbidden', 'These names are used for live mail. Use a live key.', {
          param,
        });
      }
      const change = {
        names,
        ...(body.name === undefined ? {} : { name: body.name }),
        ...(body.external_id === undefined ? {} : { externalId: body.external_id }),
        ...(body.throttle_per_hour === undefined ? {} : { throttlePerHour: body.throttle_per_hour }),
        ...(body.branding === undefined ? {} : { branding: readBranding(body.branding) }),
      };
      return showSubTenant(context, await subTenants.update(caller.scope, params.id, change));
    },
  );
}

function deleteRoute(app: Api, { credentials }: DomainContext, subTenants: SubTenants): void {
  app.delete(
    '/v1/sub-tenants/:id',
    {
      schema: {
        operationId: 'subTenants.delete',
        tags,
        summary: 'Delete a sub-tenant',
        description:
          'Deletes a sub-tenant with its DKIM keys, senders, templates and API keys. Its queued messages fail. Not available to keys that are pinned to a sub-tenant.',
        params: idParams,
        response: { 200: deleted('sub_tenant') },
      },
    },
    async (request) => {
      const { caller, params } = request;
      await subTenants.read(caller.scope, params.id);
      refusePinned(caller);
      await subTenants.remove(caller.scope, params.id);
      credentials.forget(params.id);
      return { id: params.id, object: 'sub_tenant' as const, deleted: true as const };
    },
  );
}

function verifyRoute(app: Api, context: DomainContext, subTenants: SubTenants): void {
  app.post(
    '/v1/sub-tenants/:id/verify',
    {
      schema: {
        operationId: 'subTenants.verify',
        tags,
        summary: "Verify a sub-tenant's domain",
        description:
          'Checks the DNS records of the sending domain immediately. The status becomes `verified` once all required records are correct.',
        params: idParams,
        response: { 200: subTenant },
      },
    },
    async ({ caller, params }) => showSubTenant(context, await subTenants.verify(caller.scope, params.id)),
  );
}

function insightRoutes(app: Api, { store, settings }: DomainContext, subTenants: SubTenants): void {
  app.get(
    '/v1/sub-tenants/:id/authentication',
    {
      schema: {
        operationId: 'subTenants.getAuthentication',
        tags,
        summary: "Retrieve a sub-tenant's DNS checks",
        description:
          'Returns the DKIM keys of a sub-tenant and the last check result of each DNS record, with advice.',
        params: idParams,
        response: { 200: subTenantAuthentication },
      },
    },
    async (request) => {
      const tenant = await subTenants.read(request.caller.scope, request.params.id);
      return presentAuthentication(tenant, await store.domains.dkimKeys([tenant.id]), settings);
    },
  );

  app.get(
    '/v1/sub-tenants/:id/audit',
    {
      schema: {
        operationId: 'subTenants.getAudit',
        tags,
        summary: "Retrieve a sub-tenant's audit trail",
        description: 'Returns the last 1,000 events of a sub-tenant, in chronological order.',
        params: idParams,
        response: { 200: subTenantAudit },
      },
    },
    async (request) => {
      const tenant = await subTenants.read(request.caller.scope, request.params.id);
      const trail = await store.events.auditTrailOfSubject(request.caller.scope, tenant.id, TRAIL_LIMIT);
      return presentTenantAudit(tenant, trail);
    },
  );
}
