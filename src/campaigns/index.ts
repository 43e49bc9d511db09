// Wires campaigns: the runner, previews, preflight and test sends, with their routes.
import type { CampaignContext } from './context.js';
import type { Routes } from '../http/api.js';
import type { DnsResolver } from '../lib/dns/index.js';
import { createLinkCheck, guardedLookup, resolveByDns } from '../lib/http/index.js';
import { extraAuthorities } from '../lib/tls/index.js';
import { createResendInDoubt } from '../messages/accept/resend-in-doubt.js';
import type { Config } from '../settings/settings.js';
import { campaignAnalyticsRoute } from './analytics.routes.js';
import { campaignRoutes } from './campaigns.routes.js';
import { createCampaignPreflight } from './prepare/preflight.js';
import { Previews } from './prepare/preview.js';
import { createTestSend } from './prepare/test-send.js';
import { Campaigns } from './run/campaigns.js';
import type { CampaignParts } from './shared.routes.js';

interface CampaignsModule extends CampaignContext {
  config: Config;
  resolver: DnsResolver;
}

export function createCampaignsModule(context: CampaignsModule) {
  const { config, resolver } = context;
  const { webhookAllowPrivate: allowPrivate } = config;
  const links = createLinkCheck({
    allowPrivate,
    timeoutMs: config.linkCheckTimeoutMs,
    lookup: guardedLookup({ allowPrivate, resolve: resolveByDns(resolver) }),
    extraCa: extraAuthorities(config.extraCaFile),
  });
  const campaigns = new Campaigns(context);
  const previews = new Previews(context);
  const parts: CampaignParts = {
    ...context,
    campaigns,
    previews,
    preflight: createCampaignPreflight({ ...context, previews, links }),
    sendTest: createTestSend(context, previews),
    resendInDoubt: createResendInDoubt(context),
  };
  const routes: Routes[] = [
    (api) => campaignRoutes(api, parts),
    (api) => campaignAnalyticsRoute(api, context),
  ];
  return {
    routes,
    start: () => campaigns.start(),
    async stop(): Promise<void> {
      await Promise.all([campaigns.stop(), previews.stop(), links.close()]);
    },
  };
}
