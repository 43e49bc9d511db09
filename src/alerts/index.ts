// Wires alerts: problems become incidents, incidents become notices, and notices leave by mail and webhook.
import type { Routes } from '../http/api.js';
import { createPoster, guardedLookup, resolveByDns } from '../lib/http/index.js';
import type { Job } from '../lib/concurrency/index.js';
import { extraAuthorities } from '../lib/tls/index.js';
import { announceApprovals } from './approval-alerts.js';
import { alertRoutes } from './alerts.routes.js';
import type { AlertContext } from './context.js';
import { Sender } from './send.js';
import { Watch } from './watch.js';

export function createAlerts(context: AlertContext) {
  const { config, resolver } = context;
  const { webhookAllowPrivate: allowPrivate } = config;
  const poster = createPoster({
    allowPrivate,
    timeoutMs: config.webhookTimeoutMs,
    lookup: guardedLookup({ allowPrivate, resolve: resolveByDns(resolver) }),
    extraCa: extraAuthorities(config.extraCaFile),
  });
  const watch = new Watch(context);
  const sender = new Sender(context, poster);
  const routes: Routes[] = [(api) => alertRoutes(api, context, sender)];
  const jobs: Job[] = [
    { name: 'alerts of this host', at: 'minute', run: () => watch.watchHost(), isOfEachNode: true },
    {
      name: 'alerts',
      at: 'minute',
      async run() {
        await watch.watchRows();
        await watch.announceAll();
        await announceApprovals(context);
        await sender.sendDue();
      },
    },
  ];
  return {
    routes,
    jobs,
    /** Waits for posts in progress. */
    async close(): Promise<void> {
      await sender.settled();
      await poster.close();
    },
  };
}
