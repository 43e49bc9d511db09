// Wires what is done by the clock: the timetable and one line for each of its jobs. Composition, nothing decided.
import type { OutboundRules } from '../outbound/route/outbound-rules.js';
import { guardedLookup, resolveByDns } from '../lib/http/address-guard.js';
import type { DnsResolver } from '../lib/dns/resolver.js';
import { createPoster, type Poster } from '../lib/http/https-poster.js';
import { createProbe } from '../lib/smtp/probe.js';
import { routePolicy } from '../outbound/route/route-policy.js';
import type { Clock } from '../lib/runtime/clock.js';
import type { Config } from '../settings/settings.js';
import { createTimetable, type Timetable } from '../lib/runtime/cron.js';
import type { Log } from '../lib/runtime/log.js';
import type { Store } from '../store/store.js';
import { certificateInUse } from '../operations/certificates/in-use.js';
import { createPreflight } from '../operations/preflight/preflight.js';
import { createPreflightRound, type PreflightRound } from '../operations/preflight/round.js';
import { preflightSettings, egressOf } from '../operations/preflight/settings.js';
import type { WakeUps } from '../messages/accept/accept.js';
import { createDeadDomains } from '../outbound/outcome/dead-domains.js';
import { platformRecords, platformSettings } from '../domains/platform.js';
import { createSubmitReport } from '../operations/tls-reports/report-mail.js';
import { createTlsReports, type TlsReports } from '../operations/tls-reports/tls-reports.js';
import type { StsPolicies } from '../outbound/route/sts-policies.js';

const EVERY_MINUTE = '* * * * *';
const EVERY_HOUR = '17 * * * *';

export interface SweepDeps {
  store: Store;
  config: Config;
  resolver: DnsResolver;
  clock: Clock;
  log: Log;
  wakeUps: WakeUps;
  sts: Pick<StsPolicies, 'refresh'>;
  rules: OutboundRules;
}

/** A job: its name, when it runs (cron, UTC), and one run of it. */
export interface Job {
  name: string;
  at: 'minute' | 'hour' | { pattern: string };
  run: () => Promise<void>;
  /** Has a long run come to its end. */
  stop?: () => void;
}

export interface Sweeps {
  start(): void;
  stop(): Promise<void>;
}

/** The checks of the appliance itself; run by the timetable, and the last result is remembered. */
export function preflightOf({ store, config, resolver, clock, log, rules }: SweepDeps): PreflightRound {
  const settings = platformSettings(config, [...rules.egress.sources.values()]);
  return createPreflightRound({
    preflight: createPreflight({
      resolver,
      probe: createProbe({ resolver, clock }),
      settings: preflightSettings(config, egressOf(rules.egress)),
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
  const { store, config, resolver, clock, log, sts, wakeUps } = deps;
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
    notifyEvents: () => wakeUps.events(),
  });
  const all: Job[] = [
    ...jobs,
    { name: 'TLS reports', at: 'minute', run: () => tlsReports.run() },
    { name: 'dead domains', at: 'minute', run: () => deadDomains.run() },
    { name: 'MTA-STS policies', at: 'hour', run: () => sts.refresh() },
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

function tlsReportsOf(
  { store, config, resolver, clock, log, wakeUps }: SweepDeps,
  poster: Poster,
): TlsReports {
  const { platformDomain } = config;
  const submitter = platformDomain ?? config.hostname;
  return createTlsReports({
    store,
    resolver,
    submit: createSubmitReport({ store, platformDomain, clock, wakeUps }),
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
