// Wires alerts: problems become incidents, incidents become notices, and notices leave by mail and webhook.
import type { SystemMail } from '../accounts/system-mail.js';
import type { Routes } from '../http/api.js';
import type { DnsResolver } from '../lib/dns/resolver.js';
import { guardedLookup, resolveByDns } from '../lib/http/address-guard.js';
import { createPoster } from '../lib/http/https-poster.js';
import { resolveAndCheck } from '../lib/http/outside-url.js';
import type { Clock } from '../lib/runtime/clock.js';
import type { Job } from '../lib/runtime/cron.js';
import type { Log } from '../lib/runtime/log.js';
import { extraAuthorities } from '../lib/tls/trust.js';
import type { WakeUps } from '../events/wake-ups.js';
import type { Config } from '../settings/settings.js';
import type { AlertStores } from './stores.js';
import { alertRoutes } from './alerts.routes.js';
import { createSend } from './send.js';
import { createWatch, type WatchDeps } from './watch.js';

export interface AlertsDeps extends Pick<
  WatchDeps,
  'host' | 'checks' | 'checkDisk' | 'backupSchedule' | 'livingHosts'
> {
  store: AlertStores;
  config: Pick<Config, 'publicUrl' | 'webhookAllowPrivate' | 'webhookTimeoutMs' | 'extraCaFile'>;
  masterKey: Buffer;
  systemMail: SystemMail;
  resolver: DnsResolver;
  wakeUps: WakeUps;
  clock: Clock;
  log: Log;
}

export interface Alerts {
  routes: Routes[];
  jobs: Job[];
  /** Waits for posts in progress. */
  close(): Promise<void>;
}

export function createAlerts(deps: AlertsDeps): Alerts {
  const { store, config, masterKey, systemMail, resolver, wakeUps, clock, log } = deps;
  const { publicUrl, webhookAllowPrivate: allowPrivate } = config;
  const resolve = resolveByDns(resolver);
  const poster = createPoster({
    allowPrivate,
    timeoutMs: config.webhookTimeoutMs,
    lookup: guardedLookup({ allowPrivate, resolve }),
    extraCa: extraAuthorities(config.extraCaFile),
  });
  const watch = createWatch(deps);
  const send = createSend({ store, poster, masterKey, systemMail, publicUrl, clock, wakeUps });
  let sending = Promise.resolve();
  /** One run at a time; what was added meanwhile is sent by the next. */
  function sendDue(): Promise<void> {
    const run = sending.then(() => send.sendDue());
    sending = run.catch(() => undefined);
    return run;
  }
  return {
    routes: [
      (api) =>
        alertRoutes(api, {
          ...{ store, masterKey, systemMail, clock },
          checkUrl: (url) => resolveAndCheck(url, { allowPrivate, resolve }),
          notify: () => {
            sendDue().catch((error: unknown) => log.error({ err: error }, 'sending alerts failed'));
          },
        }),
    ],
    jobs: [
      { name: 'alerts of this host', at: 'minute', run: () => watch.watchHost(), isOfEachNode: true },
      {
        name: 'alerts',
        at: 'minute',
        async run() {
          await watch.watchRows();
          await watch.announceAll();
          await sendDue();
        },
      },
    ],
    async close() {
      await sending;
      await poster.close();
    },
  };
}
