// Routes of a campaign's copies: previews and preflight before sending, recipients and their messages afterwards.
import { campaignDeliveryList, campaignPreview, previewQuery, recipientsQuery } from './recipient.schema.js';
import { campaignPreflight } from './campaign.schema.js';
import { idParams } from '../contract/schema.js';
import { isReady } from './preflight.rules.js';
import { readAddress } from '../http/body/fields.js';
import type { Api } from '../http/api.js';
import { listAnswer, readPage } from '../http/lists/pages.js';
import { resultTotal, presentDelivery, presentPreviewed } from './campaign.view.js';
import { iso } from '../contract/time.js';
import type { CampaignRoutes } from './shared.routes.js';

const tags = ['Campaigns'];

export function campaignCopyRoutes(app: Api, deps: CampaignRoutes): void {
  previewRoute(app, deps);
  preflightRoute(app, deps);
  recipientsRoute(app, deps);
}

function previewRoute(app: Api, { previews, find }: CampaignRoutes): void {
  app.get(
    '/v1/campaigns/:id/preview',
    {
      schema: {
        operationId: 'campaigns.preview',
        tags,
        summary: 'Preview a campaign',
        description:
          "Returns each recipient's copy exactly as it is sent, newest contact first. Only the unsubscribe link is a sample. Recipients who would get no copy because they are suppressed, unsubscribed or bounced are omitted. Once sending has begun, the stored copies are returned. `total` is counted at most every 30 seconds, and is `null` while a large audience is counted for the first time.",
        params: idParams,
        querystring: previewQuery,
        response: { 200: campaignPreview },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      const row = await find(scope, request.params.id);
      const page = readPage(request);
      const { email } = request.query;
      if (email !== undefined) {
        const one = await previews.forAddress(scope, row, readAddress('email', email).key);
        const rows = one === null ? [] : [one];
        return { ...listAnswer(request, { rows, next: null }, presentPreviewed), total: rows.length };
      }
      const found = await previews.page(scope, row, page);
      return { ...listAnswer(request, found, presentPreviewed), total: found.total };
    },
  );
}

function preflightRoute(app: Api, { preflight, find, clock }: CampaignRoutes): void {
  app.get(
    '/v1/campaigns/:id/preflight',
    {
      schema: {
        operationId: 'campaigns.preflight',
        tags,
        summary: 'Run preflight checks for a campaign',
        description:
          'Checks the whole audience, renders a sample of the copies, and requests their links with HEAD and then GET.',
        params: idParams,
        response: { 200: campaignPreflight },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      const row = await find(scope, request.params.id);
      const checks = await preflight(scope, row);
      return {
        object: 'campaign_preflight' as const,
        campaign_id: row.id,
        ready: isReady(checks),
        checked_at: iso(clock()),
        checks,
      };
    },
  );
}

function recipientsRoute(app: Api, { store, find, counted }: CampaignRoutes): void {
  app.get(
    '/v1/campaigns/:id/recipients',
    {
      schema: {
        operationId: 'campaigns.listRecipients',
        tags,
        summary: "List a campaign's recipients",
        description:
          'Returns the recipients with the status of their copies, newest contact first. Empty until sending begins. Filter by result, for example `did=delivered&did_not=opened` for recipients who received the email but have not opened it. A copy whose message was deleted by retention is only found as `skipped`.',
        params: idParams,
        querystring: recipientsQuery,
        response: { 200: campaignDeliveryList },
      },
    },
    async (request) => {
      const row = await find(request.caller.scope, request.params.id);
      const { state, email, in_doubt: inDoubt, did, did_not: didNot } = request.query;
      const page = readPage(request);
      const isElse =
        state !== undefined || email !== undefined || inDoubt !== undefined || didNot !== undefined;
      const found = await store.campaigns.recipients(row.id, page, {
        ...(inDoubt === undefined ? {} : { inDoubt }),
        ...(state === undefined ? {} : { state }),
        ...(did === undefined ? {} : { did }),
        ...(didNot === undefined ? {} : { didNot }),
        ...(email === undefined ? {} : { emailKey: readAddress('email', email).key }),
      });
      const [result, ...others] = did ?? [];
      const isCounted = !isElse && others.length === 0;
      const total =
        result === undefined ? row.total : isCounted ? resultTotal(row, await counted(row), result) : 0;
      const attempts = await store.messages.lastAttempts(
        found.rows.flatMap(({ message_id: id }) => (id === null ? [] : [id])),
      );
      const answer = listAnswer(request, found, (recipient) => presentDelivery(recipient, attempts));
      return { ...answer, total: isCounted ? total : null };
    },
  );
}
