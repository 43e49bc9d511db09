// Campaigns: list, create, read, change, delete. Their actions are in actions.routes.ts.
import { preconditionOf } from '../http/server/preconditions.js';
import { changeTime } from '../contract/time.js';
import {
  campaign,
  campaignCreate,
  campaignPatch,
  campaignList,
  campaignQuery,
  type CampaignWire,
} from './campaign.schema.js';
import { Refusal } from '../contract/refusal.js';
import { deleted, idParams } from '../contract/schema.js';
import type { Api } from '../http/api.js';
import { listAnswer, readPage } from '../http/lists/pages.js';
import {
  presentCampaigns,
  presentCampaignSummary,
  countedOfAll,
  countedOf,
  createCampaignView,
} from './campaign.view.js';
import { scopeWithField } from '../tenants/scope.routes.js';
import { campaignActionRoutes } from './actions.routes.js';
import { campaignCopyRoutes } from './copies.routes.js';
import { readCampaignBody, readScheduledAt, type EditedColumns } from './edit.routes.js';
import { campaignOverrideRoutes } from './overrides.routes.js';
import { campaignDuplicateRoute } from './duplicate.routes.js';
import { assertAllows, newCampaign, type CampaignDeps, type CampaignRoutes } from './shared.routes.js';
import { type Campaign, campaigns as campaignsTable, campaignOverrides } from './campaigns.tables.js';
import type { Plan } from '../database/change.js';
import { insert, update, remove } from '../database/rows.js';

const tags = ['Campaigns'];
const CAMPAIGN_ID = /^cmp_[0-9a-z]{26}$/;

export function campaignRoutes(app: Api, given: CampaignDeps): void {
  const { store } = given;
  const deps: CampaignRoutes = {
    ...given,
    counted: (row) => countedOf(store, row),
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
          countedOfAll(store, found.rows),
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
  const { store, clock, present, campaigns } = deps;
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
      const now = clock();
      const at = readScheduledAt(body.scheduled_at, now);
      const columns = await readCampaignBody(deps, scope, body, null);
      const row = newCampaign(scope, columns, now);
      await store.commit([insert(campaignsTable, { row })]);
      if (at === undefined) return reply.status(201).send(await present(scope, row));
      const undo: Plan = [
        update(campaignsTable, { set: { deleted_at: now }, where: { id: row.id, status: 'draft' } }),
      ];
      const scheduled = await orUndo(deps, undo, () => campaigns.send(scope, row.id, at));
      return reply.status(201).send(await present(scope, scheduled));
    },
  );
}

/** Runs the steps of a request as a whole: where the last step is refused, the earlier ones are undone. */
async function orUndo<T>({ store }: CampaignRoutes, undo: Plan, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    await store.commit(undo);
    throw error;
  }
}

function patchRoute(app: Api, deps: CampaignRoutes): void {
  const { store, clock, find, present, campaigns } = deps;
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
      const guard = preconditionOf(request, before);
      assertAllows(before, 'edit');
      if (body.scheduled_at === null && before.status === 'scheduled') {
        throw new Refusal(
          'conflict',
          'A scheduled campaign must have a send time. Set another time, or cancel the campaign.',
        );
      }
      const at = readScheduledAt(body.scheduled_at, clock());
      const scope = { ...caller.scope, subTenantId: before.sub_tenant_id };
      const columns = await readCampaignBody(deps, scope, body, before);
      const after: Campaign = { ...before, ...columns, updated_at: changeTime(before, clock()) };
      await store.commit([
        update(campaignsTable, {
          set: { ...columns, updated_at: after.updated_at },
          where: { id: before.id, status: before.status, updated_at: before.updated_at, deleted_at: null },
          otherwise: guard.otherwise ?? {
            code: 'conflict',
            message: 'The campaign was changed by another request. Try again.',
          },
        }),
      ]);
      if (at === undefined) return present(scope, after);
      const undo: Plan = [
        update(campaignsTable, {
          set: { ...columnsOf(before, columns), updated_at: changeTime(after, clock()) },
          where: { id: before.id, status: before.status, updated_at: after.updated_at },
        }),
      ];
      return present(scope, await orUndo(deps, undo, () => campaigns.send(scope, before.id, at)));
    },
  );
}

/** The values that these columns had. */
function columnsOf(row: Campaign, columns: EditedColumns): Partial<Campaign> {
  return Object.fromEntries(Object.keys(columns).map((name) => [name, row[name as keyof Campaign]]));
}

function deleteRoute(app: Api, { store, clock, find }: CampaignRoutes): void {
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
      const guard = preconditionOf(request, row);
      assertAllows(row, 'delete');
      const now = clock();
      await store.commit([
        update(campaignsTable, {
          // Its time may come yet: a canceled one is not sent.
          set: {
            deleted_at: now,
            updated_at: now,
            ...(row.status === 'scheduled' ? { status: 'canceled', fanned_out_at: now } : {}),
          },
          where: { id: row.id, status: row.status, deleted_at: null, ...guard.where },
          otherwise: guard.otherwise ?? {
            code: 'conflict',
            message: "The campaign's status has changed in the meantime. Try again.",
          },
        }),
        remove(campaignOverrides, { where: { campaign_id: row.id } }),
      ]);
      return { id: row.id, object: 'campaign' as const, deleted: true as const };
    },
  );
}
