// Routes of overrides: content for one recipient, which overrides the template and any variant.
import { campaignOverride, overrideDeleted, overridePut, overrideQuery } from './recipient.schema.js';
import { listOf, pageQuery } from '../contract/lists.js';
import { invalidFields, type FieldProblem } from '../contract/refusal.js';
import { idParams } from '../contract/schema.js';
import { lineProblem, textProblem } from '../contract/plain-text.js';
import { readAddress } from '../http/body/fields.js';
import type { Api } from '../http/api.js';
import { listAnswer, readPage } from '../http/lists/pages.js';
import { presentOverride } from './campaign.view.js';
import { assertActionAllowed } from './edit.js';
import { deleteOverride, putOverride } from './overrides.js';
import type { CampaignRoutes } from './shared.routes.js';

const tags = ['Campaigns'];

export function campaignOverrideRoutes(app: Api, deps: CampaignRoutes): void {
  listRoute(app, deps);
  putRoute(app, deps);
  deleteRoute(app, deps);
}

function listRoute(app: Api, { store, find }: CampaignRoutes): void {
  app.get(
    '/v1/campaigns/:id/overrides',
    {
      schema: {
        operationId: 'campaigns.listOverrides',
        tags,
        summary: "List a campaign's overrides",
        description: 'Returns the copies that were edited for individual recipients, sorted by address.',
        params: idParams,
        querystring: pageQuery,
        response: { 200: listOf(campaignOverride) },
      },
    },
    async (request) => {
      const { id } = await find(request.caller.scope, request.params.id);
      const page = await store.campaigns.overridePage(id, readPage(request));
      return listAnswer(request, page, presentOverride);
    },
  );
}

function putRoute(app: Api, deps: CampaignRoutes): void {
  const { find } = deps;
  app.put(
    '/v1/campaigns/:id/overrides',
    {
      schema: {
        operationId: 'campaigns.putOverride',
        tags,
        summary: "Set a recipient's override",
        description:
          "Replaces the content of one recipient's copy in a draft or scheduled campaign. Omitted parts come from the template or variant.",
        params: idParams,
        body: overridePut,
        response: { 200: campaignOverride },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      const row = await find(scope, request.params.id);
      assertActionAllowed(row, 'override');
      const { email, key } = readAddress('email', request.body.email);
      const words = readWords(request.body);
      const override = await putOverride(deps, scope, row, { email, key, words });
      return presentOverride(override);
    },
  );
}

/** Empty texts count as absent. Refuses if nothing is left. */
function readWords(body: { subject?: string | null; html?: string | null }): {
  subject: string | null;
  html: string | null;
} {
  const written = (text: string | null | undefined): string | null => (text?.trim() ? text : null);
  const words = { subject: written(body.subject), html: written(body.html) };
  const problems: FieldProblem[] = [];
  if (words.subject === null && words.html === null) {
    problems.push({ path: 'subject', message: 'specify `subject`, `html` or both' });
  }
  const subjectProblem = words.subject === null ? null : lineProblem(words.subject);
  if (subjectProblem !== null) problems.push({ path: 'subject', message: subjectProblem });
  const htmlProblem = words.html === null ? null : textProblem(words.html);
  if (htmlProblem !== null) problems.push({ path: 'html', message: htmlProblem });
  if (problems.length > 0) throw invalidFields(problems);
  return words;
}

function deleteRoute(app: Api, deps: CampaignRoutes): void {
  const { find } = deps;
  app.delete(
    '/v1/campaigns/:id/overrides',
    {
      schema: {
        operationId: 'campaigns.deleteOverride',
        tags,
        summary: "Delete a recipient's override",
        description:
          "Removes the edits of one recipient's copy, so that it is rendered from the template or variant again.",
        params: idParams,
        querystring: overrideQuery,
        response: { 200: overrideDeleted },
      },
    },
    async (request) => {
      const row = await find(request.caller.scope, request.params.id);
      assertActionAllowed(row, 'override');
      const { email, key } = readAddress('email', request.query.email);
      await deleteOverride(deps, row, key);
      return { object: 'campaign_override' as const, campaign_id: row.id, email, deleted: true as const };
    },
  );
}
