// The API with sub-tenants, senders and templates, over a DNS server whose zones the test writes.
import { createRecordCheck } from '../../src/domains/check-records.js';
import { createResolver } from '../../src/lib/dns/resolver.js';
import { confirmSenderRoutes } from '../../src/domains/senders/confirm-sender.pages.js';
import { senderRoutes } from '../../src/domains/senders/senders.routes.js';
import { subTenantRoutes } from '../../src/tenants/sub-tenants.routes.js';
import { subTenantReputationRoutes } from '../../src/tenants/reputation/reputation.routes.js';
import { createLog } from '../../src/lib/runtime/log.js';
import type { Store } from '../../src/store/store.js';
import type { CheckTerms } from '../../src/domains/check-plan.js';
import { createTenantChecks } from '../../src/domains/checks.js';
import { createConfirmations } from '../../src/domains/senders/confirmations.js';
import { createPausing } from '../../src/tenants/reputation/pausing.js';
import { createSealToken } from '../../src/messages/rendering/mailed-links.js';
import { createUnsolicitedMailLimit } from '../../src/messages/system-mail/unsolicited-mail.js';
import { ensurePlatformKey } from '../../src/domains/platform.js';
import { createSenders } from '../../src/domains/senders/senders.js';
import { createSubTenants } from '../../src/tenants/sub-tenants.js';
import { startDnsServer } from './dns-server.js';
import { fixedClock } from './fixed-clock.js';
import { startApi } from './start-api.js';

export const MASTER_KEY = Buffer.alloc(32, 3);
const SETTINGS = {
  hostname: 'ph.example',
  publicUrl: 'https://mail.example.test',
  reputationWindowMs: 7 * 86_400_000,
  reputationMinDelivered: 20,
  reputationWarnComplaint: 0.001,
  reputationThrottleComplaint: 0.003,
  reputationThrottlePerHour: 60,
  reputationClear: 0.8,
  reputationPauseComplaint: null,
  reputationPauseBounce: null,
};

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** The shipped ones. */
export const CHECK_TERMS: CheckTerms = {
  lifecycle: {
    settleMs: HOUR_MS,
    reusedNameMs: 5 * MINUTE_MS,
    overlapMs: 14 * 24 * HOUR_MS,
    revokedKeepMs: 30 * 24 * HOUR_MS,
  },
  intervals: { usualMs: HOUR_MS, driftMs: 5 * MINUTE_MS, keyMs: 5 * MINUTE_MS },
  driftGraceMs: 6 * HOUR_MS,
};

/** What delivery was told. */
export interface ToldStop {
  environmentId: number;
  tenantId: string;
  cause: string;
  isStopped: boolean;
}

export interface PublishedRecord {
  type: string;
  host: string;
  value: string;
}

export type TenantRig = Awaited<ReturnType<typeof startTenantRig>>;

export async function startTenantRig(options: { platformDomain?: string } = {}) {
  const platformDomain = options.platformDomain ?? null;
  const clock = fixedClock();
  const dns = await startDnsServer();
  const resolver = createResolver({ servers: [dns.address], timeoutMs: 200, tries: 1, clock: clock.now });
  const recordCheck = createRecordCheck({ resolver, askAuthority: false, clock: clock.now });
  const rung = { events: 0, lanes: [] as number[] };
  const wakeUps = {
    events: (): void => {
      rung.events += 1;
    },
    queue: (queueIds: readonly number[]): void => {
      rung.lanes.push(...queueIds);
    },
  };
  const stops: ToldStop[] = [];
  const stop = (environmentId: number, tenantId: string, cause: string, isStopped: boolean): void => {
    stops.push({ environmentId, tenantId, cause, isStopped });
  };
  const base = { masterKey: MASTER_KEY, clock: clock.now, wakeUps };
  const partsOf = (store: Store) => {
    const checks = createTenantChecks({
      store,
      recordCheck,
      settings: SETTINGS,
      ...CHECK_TERMS,
      clock: clock.now,
      stop,
      notifyEvents: wakeUps.events,
    });
    const publicUrl = 'https://mail.example.test';
    const confirmations = createConfirmations({
      ...{ store, clock: clock.now, publicUrl, platformDomain },
      seal: createSealToken(MASTER_KEY),
      count: createUnsolicitedMailLimit(MASTER_KEY),
    });
    const subTenants = createSubTenants({
      store,
      checks,
      ownNames: ['ph.example'],
      zone: null,
      log: createLog('silent'),
      tenants: { limit: () => undefined, forget: () => undefined },
      nameTenant: () => undefined,
      ...base,
    });
    const senders = createSenders({ store, checks, confirmations, ...base });
    const pausing = createPausing({ store, clock: clock.now, wakeUps, stop });
    return { store, checks, confirmations, subTenants, senders, pausing, settings: SETTINGS };
  };
  const api = await startApi({
    clock: clock.now,
    routes: (store, credentials) => {
      const parts = { ...partsOf(store), credentials };
      return [
        (app) => subTenantRoutes(app, parts),
        (app) => subTenantReputationRoutes(app, { ...parts, clock: clock.now }),
        (app) => senderRoutes(app, parts),
        (app) => confirmSenderRoutes(app, parts),
      ];
    },
  });
  const parts = partsOf(api.store);
  await ensurePlatformKey({ store: api.store, masterKey: MASTER_KEY, clock: clock.now, platformDomain });

  return {
    ...api,
    ...parts,
    clock,
    dns,
    rung,
    stops,
    recordCheck,
    /** Publishes records as the API asks for them. */
    publish(records: readonly PublishedRecord[]): void {
      for (const { type, host, value } of records) {
        if (type === 'TXT') dns.set(host, 'TXT', [value]);
        else if (type === 'MX') dns.set(host, 'MX', [{ preference: 10, exchange: value }]);
        else dns.set(host, 'CNAME', [value]);
      }
    },
    async close(): Promise<void> {
      resolver.close();
      await Promise.all([api.close(), dns.close()]);
    },
  };
}
