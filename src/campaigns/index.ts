// Wires campaigns: the runner, previews, preflight and test sends, with their routes.
import type { Routes } from '../http/api.js';
import type { PlanLimits } from '../accounts/quota.rules.js';
import type { DnsResolver } from '../lib/dns/resolver.js';
import { guardedLookup, resolveByDns } from '../lib/http/address-guard.js';
import { createLinkCheck } from '../lib/http/link-check.js';
import type { Keys } from '../lib/runtime/key-files.js';
import { extraAuthorities } from '../lib/tls/trust.js';
import type { Submission } from '../messages/accept/accept.js';
import { createResendInDoubt } from '../messages/accept/resend-in-doubt.js';
import type { Config } from '../settings/settings.js';
import { campaignRoutes } from './campaigns.routes.js';
import { createCampaignPreflight } from './prepare/preflight.js';
import { createPreviews } from './prepare/preview.js';
import { createTestSend } from './prepare/test-send.js';
import { createCampaigns, type CampaignsDeps } from './run/campaigns.js';

export interface CampaignsModuleDeps extends Omit<CampaignsDeps, 'tokenKey'> {
  config: Config;
  keys: Keys;
  resolver: DnsResolver;
  plans: ReadonlyMap<string, PlanLimits>;
  submission: Submission;
}

export function createCampaignsModule(deps: CampaignsModuleDeps) {
  const { store, config, keys, resolver, plans, renderer, submission, clock, wakeUps } = deps;
  const { publicUrl, webhookAllowPrivate: allowPrivate } = config;
  const campaigns = createCampaigns({ ...deps, tokenKey: keys.tokenKeys.active });
  const links = createLinkCheck({
    allowPrivate,
    timeoutMs: config.linkCheckTimeoutMs,
    lookup: guardedLookup({ allowPrivate, resolve: resolveByDns(resolver) }),
    extraCa: extraAuthorities(config.extraCaFile),
  });
  const previews = createPreviews({ store, renderer, publicUrl, clock });
  const preflight = createCampaignPreflight({
    store,
    renderer,
    previews,
    links,
    plans,
    clock,
    settings: config,
  });
  const sendTest = createTestSend({ store, previews, submission });
  const resendInDoubt = createResendInDoubt({ store, lifetimes: config, clock, wakeUps });
  const shared = { store, campaigns, previews, preflight, sendTest, resendInDoubt, renderer, clock };
  const routes: Routes[] = [(api) => campaignRoutes(api, shared)];
  return {
    routes,
    start: () => campaigns.start(),
    async stop(): Promise<void> {
      await Promise.all([campaigns.stop(), links.close()]);
    },
  };
}
