// POST /v1/campaigns/:id/duplicate.
import { campaign, campaignDuplicate } from './campaign.schema.js';
import { invalidFields } from '../contract/refusal.js';
import { idParams } from '../contract/schema.js';
import { lineProblem } from '../contract/plain-text.js';
import type { Api } from '../http/api.js';
import { duplicateCampaign } from './duplicate.js';
import type { CampaignRoutes } from './shared.routes.js';

export function campaignDuplicateRoute(app: Api, deps: CampaignRoutes): void {
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
