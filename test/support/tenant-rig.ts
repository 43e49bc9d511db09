// The program with its sub-tenants and senders, over a DNS server whose zones the test writes.
import { vi } from 'vitest';
import type { CheckTerms } from '../../src/domains/check-plan.js';
import { ensurePlatformKey } from '../../src/domains/platform.js';
import { domainSettings } from '../../src/domains/index.js';
import { readOutboundRules } from '../../src/outbound/route/outbound-rules.js';
import { startDnsServer, type TestDnsServer } from './dns-server.js';
import { fixedClock, type FixedClock } from './fixed-clock.js';
import { assembleProgram, MASTER_KEY, type TestProgram } from './program.js';
import { tuned } from './tuning.js';

export { MASTER_KEY } from './program.js';
const SETTINGS = {
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

/** Notifications of delivery. */
interface ToldStop {
  environmentId: number;
  tenantId: string;
  cause: string;
  isStopped: boolean;
}

export interface PublishedRecord {
  type: string;
  host: string;
  value: string | null;
}

interface TenantRigOptions {
  platformDomain?: string;
  /** Adds another organization to its program, on its clock and DNS server, whose zones are removed. */
  beside?: {
    clock: FixedClock;
    dns: TestDnsServer;
    program: TestProgram;
    stop: TestProgram['parts']['outbound']['tenants']['stop'];
  };
}

export type TenantRig = Awaited<ReturnType<typeof startTenantRig>>;

export async function startTenantRig({ beside, ...options }: TenantRigOptions = {}) {
  const platformDomain = options.platformDomain ?? null;
  const clock = beside?.clock ?? fixedClock();
  const dns = beside?.dns ?? (await startDnsServer());
  if (beside) {
    dns.clear();
    // Their domains are no longer claimed, and no answers about them are cached.
    await beside.program.raw('UPDATE sub_tenants SET deleted_at = ?, sending_domain = id', [
      clock.advance(86_400_000),
    ]);
    await beside.program.raw('DELETE FROM senders');
  }
  const program = await assembleProgram({
    ...(beside ? { beside: beside.program } : {}),
    clock: clock.now,
    env: {
      MAILKEEL_HOSTNAME: 'ph.example',
      MAILKEEL_BOUNCE_DOMAIN: '',
      MAILKEEL_INBOUND_DOMAIN: '',
      MAILKEEL_DNS_SERVERS: dns.address,
      MAILKEEL_DNS_TIMEOUT: '200ms',
      ...tuned({ dnsTries: 1 }),
    },
    settings: { ...SETTINGS, platformDomain },
  });
  const { config, store, app, woken } = program;
  const { checks, senders, subTenants, recordCheck } = program.parts.api.domains;
  const { pausing } = program.parts.api.reputation;
  const stops: ToldStop[] = [];
  const { tenants } = program.parts.outbound;
  const stop = beside?.stop ?? tenants.stop;
  vi.spyOn(tenants, 'stop').mockImplementation((environmentId, tenantId, cause, isStopped) => {
    stops.push({ environmentId, tenantId, cause, isStopped });
    stop(environmentId, tenantId, cause, isStopped);
  });
  const settings = { ...config, ...domainSettings({ config, rules: readOutboundRules(config) }) };
  await ensurePlatformKey({ store, masterKey: MASTER_KEY, clock: clock.now, platformDomain });

  return {
    ...program,
    program,
    stop,
    ...{ store, app, checks, subTenants, senders, pausing, recordCheck, settings },
    clock,
    dns,
    woken,
    stops,
    /** Publishes records as the API requests them. */
    publish(records: readonly PublishedRecord[]): void {
      for (const { type, host, value } of records) {
        if (value === null) continue;
        if (type === 'TXT') dns.set(host, 'TXT', [value]);
        else if (type === 'MX') dns.set(host, 'MX', [{ preference: 10, exchange: value }]);
        else dns.set(host, 'CNAME', [value]);
      }
    },
    async close(): Promise<void> {
      if (!beside) await Promise.all([program.close(), dns.close()]);
    },
  };
}
