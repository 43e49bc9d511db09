// Routes of campaigns: list, create, read, change, delete. actions.routes.ts has the actions.
import { readPrecondition } from '../http/server/preconditions.js';
import {
  campaign,
  campaignCreate,
  campaignPatch,
  campaignList,
  campaignQuery,
  type CampaignWire,
  campaignDuplicate,
} from './campaign.schema.js';
import { Refusal, invalidFields } from '../contract/refusal.js';
import { deleted, idParams } from '../contract/schema.js';
import type { Api } from '../http/api.js';
import { listAnswer, readPage } from '../http/lists/pages.js';
import {
  presentCampaigns,
  presentCampaignSummary,
  readManyCounts,
  readCounts,
  createCampaignView,
} from './campaign.view.js';
import { scopeWithField } from '../tenants/scope.routes.js';
import { campaignActionRoutes } from './actions.routes.js';
import { campaignCopyRoutes } from './copies.routes.js';
import { changeCampaign, createCampaign, deleteCampaign } from './edit.js';
import { campaignOverrideRoutes } from './overrides.routes.js';
import type { CampaignParts, CampaignRoutes } from './shared.routes.js';
import { lineProblem } from '../contract/plain-text.js';
import { duplicateCampaign } from './duplicate.js';

const tags = ['Campaigns'];
const CAMPAIGN_ID = /^cmp_[0-9a-z]{26}$/;

export function campaignRoutes(app: Api, parts: CampaignParts): void {
  const { store } = parts;
  const deps: CampaignRoutes = {
    ...parts,
    counted: (row) => readCounts(store, row),
    async find(scope, id) {
      const found = CAMPAIGN_ID.test(id) ? await store.campaigns.campaign(scope, id) : null;
      if (!found) throw new Refusal('not_found');
      return found;
    },
    present: createCampaignView(store),
  };
  readRoutes(app, deps);
  createRoute(app, deps);
  patchRoute(app, deps);
  deleteRoute(app, deps);
  campaignDuplicateRoute(app, deps);
  campaignActionRoutes(app, deps);
  campaignCopyRoutes(app, deps);
  campaignOverrideRoutes(app, deps);
}

function readRoutes(app: Api, { store, find, present }: CampaignRoutes): void {
  app.get(
    '/v1/campaigns',
    {
      schema: {
        operationId: 'campaigns.list',
        tags,
        summary: 'List campaigns',
        description:
          'Returns the campaigns of the environment, newest first. Use `view=summary` for compact objects.',
        querystring: campaignQuery,
        response: { 200: campaignList },
      },
    },
    async (request) => {
      const { q, view, status, list_id: listId, sub_tenant_id: tenant } = request.query;
      const page = readPage(request);
      const { scope } = request.caller;
      const isForeign = tenant !== undefined && scope.subTenantId !== null && tenant !== scope.subTenantId;
      const wanted = tenant === undefined ? scope : { ...scope, subTenantId: tenant };
      const list = listId === undefined ? undefined : await store.lists.list(wanted, listId);
      if (isForeign || list === null)
        return listAnswer(request, { rows: [] as CampaignWire[], next: null }, (row) => row);
      const filter = {
        ...(q === undefined ? {} : { q }),
        ...(status === undefined ? {} : { status }),
        ...(list === undefined ? {} : { listNumber: list.number }),
      };
      const found = await store.campaigns.campaigns(wanted, page, filter);
      if (view === 'summary') {
        const ids = found.rows.map(({ id }) => id);
        const [inDoubt, countedOfEach] = await Promise.all([
          store.messages.countInDoubt('campaign_id', ids),
          readManyCounts(store, found.rows),
        ]);
        const { mode } = scope;
        return listAnswer(request, found, (row) =>
          presentCampaignSummary(row, {
            mode,
            counted: countedOfEach(row),
            inDoubt: inDoubt.get(row.id) ?? 0,
          }),
        );
      }
      const rows = await presentCampaigns(store, scope, found.rows);
      return listAnswer(request, { rows, next: found.next }, (row) => row);
    },
  );

  app.get(
    '/v1/campaigns/:id',
    {
      config: { versioned: true },
      schema: {
        operationId: 'campaigns.get',
        tags,
        summary: 'Retrieve a campaign',
        description: 'Returns a campaign with its content, variants, settings and results so far.',
        params: idParams,
        response: { 200: campaign },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      return present(scope, await find(scope, request.params.id));
    },
  );
}

function createRoute(app: Api, deps: CampaignRoutes): void {
  const { store, present } = deps;
  app.post(
    '/v1/campaigns',
    {
      schema: {
        operationId: 'campaigns.create',
        tags,
        summary: 'Create a campaign',
        description:
          'Creates a draft, or a scheduled campaign if you pass `scheduled_at`. A draft can omit the list and template. Preflight, test and send then report what is missing (`campaign_incomplete`).',
        body: campaignCreate,
        response: { 201: campaign },
      },
    },
    async (request, reply) => {
      const { body, caller } = request;
      const scope = await scopeWithField(store.tenants, caller.scope, body.sub_tenant_id);
      return reply.status(201).send(await present(scope, await createCampaign(deps, scope, body)));
    },
  );
}

function patchRoute(app: Api, deps: CampaignRoutes): void {
  const { find, present } = deps;
  app.patch(
    '/v1/campaigns/:id',
    {
      config: { versioned: true },
      schema: {
        operationId: 'campaigns.update',
        tags,
        summary: 'Update a campaign',
        description:
          'Changes a draft or scheduled campaign. Setting `scheduled_at` schedules a draft or reschedules a campaign. `variants` and `split` are replaced as a whole.',
        params: idParams,
        body: campaignPatch,
        response: { 200: campaign },
      },
    },
    async (request) => {
      const { body, caller } = request;
      const before = await find(caller.scope, request.params.id);
      const guard = readPrecondition(request, before);
      const scope = { ...caller.scope, subTenantId: before.sub_tenant_id };
      return present(scope, await changeCampaign(deps, scope, before, { body, guard }));
    },
  );
}

function deleteRoute(app: Api, deps: CampaignRoutes): void {
  const { find } = deps;
  app.delete(
    '/v1/campaigns/:id',
    {
      config: { versioned: true },
      schema: {
        operationId: 'campaigns.delete',
        tags,
        summary: 'Delete a campaign',
        description: 'Deletes a campaign that is not being sent. Its messages are not deleted.',
        params: idParams,
        response: { 200: deleted('campaign') },
      },
    },
    async (request) => {
      const row = await find(request.caller.scope, request.params.id);
      await deleteCampaign(deps, row, readPrecondition(request, row));
      return { id: row.id, object: 'campaign' as const, deleted: true as const };
    },
  );
}

function campaignDuplicateRoute(app: Api, deps: CampaignRoutes): void {
  const { find, present } = deps;
  app.post(
    '/v1/campaigns/:id/duplicate',
    {
      config: { optionalBody: true },
      schema: {
        operationId: 'campaigns.duplicate',
        tags: ['Campaigns'],
        summary: 'Duplicate a campaign',
        description:
          'Creates a draft with the list, content, variants, split and settings of a campaign in any state. The schedule and results are not copied. Recipient overrides are only copied if you set `include_overrides`.',
        params: idParams,
        body: campaignDuplicate,
        response: { 201: campaign },
      },
    },
    async (request, reply) => {
      const { scope } = request.caller;
      const { name, include_overrides: withOverrides = false } = request.body;
      const nameProblem = name === undefined ? null : lineProblem(name);
      if (nameProblem !== null) throw invalidFields([{ path: 'name', message: nameProblem }]);
      const source = await find(scope, request.params.id);
      const row = await duplicateCampaign(deps, source, { name, withOverrides });
      return reply.status(201).send(await present(scope, row));
    },
  );
}
