// Routes of campaign actions: send or schedule, pause, resume, cancel, test.
import {
  campaign,
  campaignResend,
  campaignSend,
  campaignTest,
  campaignTestAnswer,
} from './campaign.schema.js';
import { idParams } from '../contract/schema.js';
import { readAddress } from '../http/body/fields.js';
import type { Api } from '../http/api.js';
import { messageSubmitter, trailActor } from '../http/access/caller.js';
import { assertActionAllowed } from './edit.js';
import type { CampaignRoutes } from './shared.routes.js';
import { readScheduledAt } from './columns.js';

const tags = ['Campaigns'];

const ACTIONS = [
  {
    action: 'pause',
    operationId: 'campaigns.pause',
    summary: 'Pause a campaign',
    description:
      'Pauses a campaign that is being sent. No more copies go out until it is resumed, including copies that are already queued.',
  },
  {
    action: 'resume',
    operationId: 'campaigns.resume',
    summary: 'Resume a campaign',
    description: 'Continues a paused campaign. No recipient gets a second copy.',
  },
  {
    action: 'cancel',
    operationId: 'campaigns.cancel',
    summary: 'Cancel a campaign',
    description:
      'Cancels a draft, scheduled or paused campaign and its undelivered copies. This cannot be undone.',
  },
] as const;

export function campaignActionRoutes(app: Api, deps: CampaignRoutes): void {
  const { campaigns, find, present } = deps;
  sendRoute(app, deps);
  for (const { action, operationId, summary, description } of ACTIONS) {
    app.post(
      `/v1/campaigns/:id/${action}`,
      {
        schema: { operationId, tags, summary, description, params: idParams, response: { 200: campaign } },
      },
      async (request) => {
        const { scope } = request.caller;
        const { id } = await find(scope, request.params.id);
        return present(scope, await campaigns[action](scope, id));
      },
    );
  }
  testRoute(app, deps);
  resendRoute(app, deps);
}

function sendRoute(app: Api, { campaigns, find, present, clock }: CampaignRoutes): void {
  app.post(
    '/v1/campaigns/:id/send',
    {
      schema: {
        operationId: 'campaigns.send',
        tags,
        summary: 'Send a campaign',
        description:
          "Sends a campaign immediately or at the given time. Later changes to its templates do not affect it. The audience is made up of the list's members at the time when sending begins.",
        params: idParams,
        body: campaignSend,
        response: { 200: campaign },
      },
      config: { optionalBody: true },
    },
    async (request) => {
      const { scope } = request.caller;
      const { id } = await find(scope, request.params.id);
      const at = readScheduledAt(request.body.scheduled_at, clock()) ?? null;
      return present(scope, await campaigns.send(scope, id, at));
    },
  );
}

function testRoute(app: Api, { sendTest, find }: CampaignRoutes): void {
  app.post(
    '/v1/campaigns/:id/test',
    {
      schema: {
        operationId: 'campaigns.test',
        tags,
        summary: 'Test a campaign',
        description:
          "Sends a recipient's copy to test addresses as transactional messages with the tag `campaign_test`. They do not count toward the campaign's results. The addresses do not have to be contacts, and the unsubscribe link is a sample.",
        params: idParams,
        body: campaignTest,
        response: { 202: campaignTestAnswer },
      },
    },
    async (request, reply) => {
      const { scope } = request.caller;
      const row = await find(scope, request.params.id);
      const { to, email } = request.body;
      const addresses = to.map((text, index) => readAddress(`to.${index}`, text));
      const distinct = new Map<string, string>();
      for (const address of addresses) {
        if (!distinct.has(address.key)) distinct.set(address.key, address.email);
      }
      const sent = await sendTest(scope, row, {
        to: [...distinct.values()],
        asEmailKey: email === undefined ? null : readAddress('email', email).key,
        by: messageSubmitter(request.caller),
      });
      return reply.status(202).send({
        object: 'campaign_test' as const,
        campaign_id: row.id,
        email: sent.email,
        messages: sent.messages.map((message) => ({
          id: message.public_id,
          to: message.to_email,
          status: message.status,
        })),
      });
    },
  );
}

function resendRoute(app: Api, { resendInDoubt, find }: CampaignRoutes): void {
  app.post(
    '/v1/campaigns/:id/resend-in-doubt',
    {
      schema: {
        operationId: 'campaigns.resendInDoubt',
        tags,
        summary: "Resend a campaign's messages in doubt",
        description:
          'Retries copies that may or may not have arrived because the connection or the server failed after the whole message was sent and before the reply. Each copy is sent again as the same message with the same Message-ID and is not counted again, so a recipient may get it twice. Calling this again has no effect until another attempt ends in doubt. Fails while the campaign is paused.',
        params: idParams,
        response: { 200: campaignResend },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      const row = await find(scope, request.params.id);
      assertActionAllowed(row, 'resend');
      const messages = await resendInDoubt(scope, { campaignId: row.id }, trailActor(request.caller));
      return { object: 'resend_in_doubt' as const, campaign_id: row.id, messages };
    },
  );
}
