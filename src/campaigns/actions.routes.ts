// Actions on a campaign: send or schedule, pause, resume, cancel, test.
import {
  campaign,
  campaignResend,
  campaignSend,
  campaignTest,
  campaignTestAnswer,
} from './campaign.schema.js';
import { idParams } from '../contract/schema.js';
import { readAddress } from '../api/fields.js';
import type { Api } from '../api/api.js';
import { submitterOf, trailActor } from '../api/caller.js';
import { assertAllows, type CampaignRoutes } from './shared.routes.js';
import { readScheduledAt } from './edit.routes.js';

const tags = ['Campaigns'];

const ACTIONS = [
  {
    action: 'pause',
    operationId: 'campaigns.pause',
    summary: 'Stop a campaign that is being sent',
    description: 'Nothing more of it leaves, copies that wait in the queue neither, until it is resumed.',
  },
  {
    action: 'resume',
    operationId: 'campaigns.resume',
    summary: 'Go on with a paused campaign',
    description: 'Whoever has a copy does not get another.',
  },
  {
    action: 'cancel',
    operationId: 'campaigns.cancel',
    summary: 'Give up a draft, a scheduled or a paused campaign',
    description: 'Copies that have not been delivered are canceled. There is no way back.',
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
        summary: 'Send a campaign now, or at a time',
        description:
          'The templates stay in the versions that they have now. Its audience is who is on the list when it begins to be ' +
          'sent.',
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
        summary: 'Send a recipient’s copy to people who try it out',
        description:
          'As transactional messages with the tag `campaign_test`, which the campaign does not count; they need not be ' +
          'contacts. Its unsubscribe link is a sample.',
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
        by: submitterOf(request.caller),
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
        summary: 'Send again the copies that may have arrived or not',
        description:
          'Those whose connection, or the program, ended between the whole message and the answer. Each is tried again as the ' +
          'same message, with the same Message-ID, and is not counted again; whoever has it already may get it twice. Asked ' +
          'again it finds none, until another attempt ends in doubt. Not while the campaign is paused.',
        params: idParams,
        response: { 200: campaignResend },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      const row = await find(scope, request.params.id);
      assertAllows(row, 'resend');
      const messages = await resendInDoubt(scope, { campaignId: row.id }, trailActor(request.caller));
      return { object: 'resend_in_doubt' as const, campaign_id: row.id, messages };
    },
  );
}
