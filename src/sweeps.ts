// Wires what is done by the clock: the timetable and one line for each of its jobs. Nothing here decides anything.
import type { OutboundRules } from './admin/outbound-rules.js';
import { guardedLookup, resolveByDns } from './net/address-guard.js';
import type { DnsResolver } from './net/dns/resolver.js';
import { createPoster, type Poster } from './net/https-poster.js';
import { createProbe } from './net/probe.js';
import { routePolicy } from './outbound-traffic.js';
import type { Clock } from './runtime/clock.js';
import type { Config } from './runtime/config/schema.js';
import { createTimetable, type Timetable } from './runtime/cron.js';
import type { Log } from './runtime/log.js';
import type { Store } from './store/store.js';
import { certificateInUse } from './work/certificates/in-use.js';
import { createPreflight } from './work/preflight/preflight.js';
import { createPreflightRound, type PreflightRound } from './work/preflight/round.js';
import { preflightSettings, waysOut } from './work/preflight/settings.js';
import type { Bells } from './work/submission/accept.js';
import { createDeadDomains } from './work/sweeps/dead-domains.js';
import { createInboundRetention } from './work/sweeps/inbound-retention.js';
import { platformRecords, platformSettings } from './work/tenants/platform.js';
import { createSubmitReport } from './work/tenants/report-mail.js';
import { createTlsReports, type TlsReports } from './work/tls-reports/tls-reports.js';
import type { StsPolicies } from './work/traffic/sts-policies.js';

const EVERY_MINUTE = '* * * * *';
const EVERY_HOUR = '17 * * * *';

export interface SweepDeps {
  store: Store;
  config: Config;
  resolver: DnsResolver;
  clock: Clock;
  log: Log;
  bells: Bells;
  sts: Pick<StsPolicies, 'refresh'>;
  rules: OutboundRules;
}

/** A job of another room: what it is called, when (cron, UTC), and one beat of it. */
export interface Job {
  name: string;
  at: 'minute' | 'hour' | { pattern: string };
  run: () => Promise<void>;
  /** Has a beat that takes long come to its end. */
  stop?: () => void;
}

export interface Sweeps {
  start(): void;
  stop(): Promise<void>;
}

/** The appliance's look at itself; runs by the timetable, and its last result is for whoever asks. */
export function preflightOf({ store, config, resolver, clock, log, rules }: SweepDeps): PreflightRound {
  const settings = platformSettings(config, [...rules.egress.sources.values()]);
  return createPreflightRound({
    preflight: createPreflight({
      resolver,
      probe: createProbe({ resolver, clock }),
      settings: preflightSettings(config, waysOut(rules.egress)),
      clock,
      platformRecords: () => platformRecords(store, settings),
      storeFacts: () => store.size(),
      certificate: () => certificateInUse(config, config.dataDir, clock()),
    }),
    clock,
    log,
  });
}

export function createSweeps(
  deps: SweepDeps,
  { preflight, jobs }: { preflight: PreflightRound; jobs: readonly Job[] },
): Sweeps {
  const { store, config, resolver, clock, log, sts, bells } = deps;
  const allowPrivate = config.webhookAllowPrivate;
  const poster = createPoster({
    allowPrivate,
    lookup: guardedLookup({ allowPrivate, resolve: resolveByDns(resolver) }),
  });
  const tlsReports = tlsReportsOf(deps, poster);
  const deadDomains = createDeadDomains({
    store,
    rechecks: store.addressRechecks,
    resolver,
    policy: routePolicy(config, [4, 6]),
    clock,
    ringEvents: () => bells.events(),
  });
  const inboundRetention = createInboundRetention({ store, keepMs: config.inboundKeepMs, clock });
  const all: Job[] = [
    ...jobs,
    { name: 'TLS reports', at: 'minute', run: () => tlsReports.run() },
    { name: 'dead domains', at: 'minute', run: () => deadDomains.run() },
    { name: 'MTA-STS policies', at: 'hour', run: () => sts.refresh() },
    { name: 'old inbound mail', at: 'hour', run: () => inboundRetention.run() },
    ...(config.preflight
      ? [{ name: 'preflight', at: 'hour' as const, run: () => preflight.run().then(() => undefined) }]
      : []),
  ];
  let timetable: Timetable | null = null;
  return {
    start() {
      timetable = createTimetable({ log });
      for (const { name, at, run } of all) timetable.schedule(name, patternOf(at), run);
      if (!config.preflight) return;
      preflight.run().catch((error: unknown) => log.error({ err: error }, 'preflight fault'));
    },
    async stop() {
      tlsReports.stop();
      for (const job of all) job.stop?.();
      await timetable?.stop();
      await poster.close();
    },
  };
}

function patternOf(at: Job['at']): string {
  if (at === 'minute') return EVERY_MINUTE;
  return at === 'hour' ? EVERY_HOUR : at.pattern;
}

function tlsReportsOf({ store, config, resolver, clock, log, bells }: SweepDeps, poster: Poster): TlsReports {
  const { platformDomain } = config;
  const submitter = platformDomain ?? config.hostname;
  return createTlsReports({
    store,
    resolver,
    submit: createSubmitReport({ store, platformDomain, clock, bells }),
    poster,
    clock,
    log,
    settings: {
      isEnabled: config.tlsReports,
      organization: config.tlsReportOrganization ?? submitter,
      contact: config.tlsReportContact ?? `postmaster@${submitter}`,
      submitter,
      platformDomain,
    },
  });
}
