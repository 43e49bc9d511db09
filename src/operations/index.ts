// Wires operations: the checks of the appliance itself, TLS reports, and retention.
import type { SystemMail } from '../accounts/system-mail.js';
import type { Routes } from '../http/api.js';
import { platformRecords, platformSettings, reportAddresses } from '../domains/platform.js';
import type { DnsResolver } from '../lib/dns/resolver.js';
import { guardedLookup, resolveByDns } from '../lib/http/address-guard.js';
import { createPoster, type Poster } from '../lib/http/https-poster.js';
import type { Clock } from '../lib/runtime/clock.js';
import type { DiskGuard } from '../lib/runtime/disk-space.js';
import type { Job } from '../lib/runtime/cron.js';
import type { Log } from '../lib/runtime/log.js';
import { createProbe } from '../lib/smtp/probe.js';
import { extraAuthorities } from '../lib/tls/trust.js';
import type { WakeUps } from '../events/wake-ups.js';
import type { ProofSigningKey } from '../lib/tokens/proof-keys.js';
import type { Egress } from '../outbound/route/egress.rules.js';
import type { OutboundRules } from '../outbound/route/outbound-rules.js';
import { STALE_MS } from '../outbound/shape/persisted-counters.js';
import type { Config } from '../settings/settings.js';
import type { OperationStores } from './stores.js';
import { certificateInUse } from './certificates/in-use.js';
import { backupJob } from './backup/run-backup.js';
import { upgradeCopiesJob } from './backup/upgrade-copy.js';
import type { InstallationFiles } from './files/installation-files.js';
import { createClockJumps } from './clock-jumps.js';
import { integrityJob, reportDamage } from './integrity.js';
import { growthJob, growthNow } from './growth/growth.js';
import { healthCheckRoutes } from './preflight/health-checks.routes.js';
import { checkDisk } from './preflight/machine-checks.js';
import { createPreflight, type Preflight } from './preflight/preflight.js';
import { reportedDays, reportOrganization } from './preflight/preflight-reports.rules.js';
import type { CheckResult } from './preflight/preflight.rules.js';
import { createPreflightRound, type PreflightReport, type PreflightRound } from './preflight/round.js';
import type { DatabaseServerFacts } from './preflight/preflight-store.rules.js';
import { egressOf, preflightSettings } from './preflight/settings.js';
import { ageLimits, forgetByAge, type AgeLimit, type AgeLimitDeps } from './retention/age-limits.js';
import { createEventArchive } from './retention/event-archive.js';
import { createDatabaseFile } from './retention/database-file.js';
import { createOldMessages } from './retention/old-messages.js';
import { createSubmitReport } from './tls-reports/report-mail.js';
import { createTlsReports, type TlsReports } from './tls-reports/tls-reports.js';

export interface OperationsDeps extends Pick<AgeLimitDeps, 'transfers' | 'incidents'> {
  store: OperationStores;
  config: Config;
  systemMail: SystemMail;
  resolver: DnsResolver;
  rules: OutboundRules;
  keys: { proofKeys: { active: ProofSigningKey } };
  files: Pick<InstallationFiles, 'archive' | 'tls'>;
  disk: Pick<DiskGuard, 'check'>;
  /** Of the data folder. */
  folder: { databaseFile: string | null; keysFolder: string };
  /** Of several nodes: sources that mail can leave this one by; null: not known yet. */
  sourcesOfNode?: () => readonly string[] | null;
  /** Roles that no living node has; null, or absent: it is no node. */
  missingRoles?: () => readonly string[] | null;
  /** Returns this node's measurements of its database server; null on SQLite. */
  databaseServer?: () => DatabaseServerFacts | null;
  clock: Clock;
  log: Log;
  wakeUps: WakeUps;
}

export interface Operations {
  routes: Routes[];
  jobs: Job[];
  /** The last checks of the appliance; null before the first have ended. */
  checks(): PreflightReport | null;
  /** Runs the check of the free disk space alone. */
  checkDisk(): Promise<CheckResult>;
  /** Call it before mail leaves: makes due what a clock that was ahead has put off. */
  capDueTimes(): Promise<void>;
  /** Runs the first checks of the appliance. */
  start(): void;
  /** Call it when no job runs any more. */
  close(): Promise<void>;
}

export function createOperations(deps: OperationsDeps): Operations {
  const { config, resolver, clock, log } = deps;
  const preflight = createPreflightChecks(deps);
  const allowPrivate = config.webhookAllowPrivate;
  const poster = createPoster({
    allowPrivate,
    lookup: guardedLookup({ allowPrivate, resolve: resolveByDns(resolver) }),
    extraCa: extraAuthorities(config.extraCaFile),
  });
  const reports = createReports(deps, poster);
  const { databaseFile, keysFolder } = deps.folder;
  // A server has backups and checks of its own.
  const fileJobs = databaseFile === null ? [] : jobsOfFile(deps, { databaseFile, keysFolder });
  const clockJumps = createClockJumps({ store: deps.store, settings: config, clock, log });
  reportDamage(deps.store, log);
  const checks: Job = {
    ...{ name: 'preflight', at: 'hour', isOfEachNode: true },
    run: () => preflight.run().then(() => undefined),
  };
  return {
    routes: [(api) => healthCheckRoutes(api, { preflight, clock })],
    jobs: [
      { name: 'TLS reports', at: 'minute', run: () => reports.run(), stop: () => reports.stop() },
      ...(config.preflight ? [checks] : []),
      ...retentionJobs(deps),
      upgradeCopiesJob({ dataDir: config.dataDir, clock }),
      clockJumps.job,
      ...fileJobs,
    ],
    capDueTimes: () => clockJumps.capAtStart(),
    checks: () => preflight.latest(),
    checkDisk: () => checkDisk(config.dataDir),
    start() {
      if (!config.preflight) return;
      preflight.run().catch((error: unknown) => log.error({ err: error }, 'host checks failed to run'));
    },
    close: () => poster.close(),
  };
}

function jobsOfFile(deps: OperationsDeps, folder: { databaseFile: string; keysFolder: string }): Job[] {
  const { store, config, clock } = deps;
  const { databaseFile } = folder;
  const backup = backupJob({ ...deps, folder, settings: config });
  return [
    growthJob({ store, settings: config, databaseFile, clock }),
    ...(backup === null ? [] : [backup]),
    integrityJob({ ...deps, databaseFile }),
  ];
}

/** Checks of the appliance itself, run by the timetable; the last result is remembered. */
function createPreflightChecks({
  store,
  config,
  resolver,
  clock,
  log,
  rules,
  files,
  sourcesOfNode,
  missingRoles,
  databaseServer,
  folder,
}: OperationsDeps): PreflightRound {
  /** Made for each run: the sources may have been reloaded. */
  const preflightNow = (): Preflight =>
    createPreflight({
      resolver,
      probe: createProbe({ resolver, clock }),
      settings: preflightSettings(config, egressOfNode(rules.egress, sourcesOfNode?.() ?? null)),
      clock,
      platformRecords: () =>
        platformRecords(
          store,
          platformSettings({ ...config, ...reportAddresses(config) }, [...rules.egress.sources.values()]),
        ),
      storeFacts: () => store.size(),
      async integrityFacts() {
        const facts = await store.integrity();
        // A server checks its pages by its own means; what it says of damage is told, too.
        return folder.databaseFile === null && facts.damage === null ? null : facts;
      },
      reportFacts: () => store.reportFacts(reportedDays(clock()), reportOrganization(config.bounceDomain)),
      growthFacts: () => growthNow(store, config, clock()),
      suspendedSources: () => store.traffic.suspendedSources(),
      missingRoles: () => missingRoles?.() ?? null,
      databaseServer: () => databaseServer?.() ?? null,
      certificate: () => certificateInUse(config, files.tls, clock()),
    });
  return createPreflightRound({
    preflight: { run: () => preflightNow().run() },
    clock,
    log,
  });
}

/** Sources of other machines are checked there. */
function egressOfNode(egress: Egress, own: readonly string[] | null): ReturnType<typeof egressOf> {
  const { sources, smarthosts } = egressOf(egress);
  return { sources: sources.filter(({ name }) => own === null || own.includes(name)), smarthosts };
}

function createReports(
  { store, config, systemMail, resolver, clock, log, wakeUps }: OperationsDeps,
  poster: Poster,
): TlsReports {
  const { platformDomain } = config;
  const submitter = platformDomain ?? config.hostname;
  return createTlsReports({
    store,
    resolver,
    submit: createSubmitReport({ store, systemMail, clock, wakeUps }),
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

function retentionJobs(deps: OperationsDeps): Job[] {
  const { store, config, clock, transfers, incidents } = deps;
  const limits = ageLimits({ store, transfers, incidents, settings: config, limiterKeepMs: STALE_MS });
  const jobs = new Map<string, Job>();
  for (const { job: name, at } of limits) {
    if (at === 'retention') continue;
    const own = limits.filter(({ job }) => job === name);
    jobs.set(name, {
      name,
      at,
      run: () => forgetByAge(own, { readings: store.readings, clock }).then(() => undefined),
    });
  }
  return [...jobs.values(), fullRetention(deps, limits)];
}

/** One after the other, since all of them write much: messages, records about them, the file. */
function fullRetention(
  { store, config, keys, files, disk, clock, log }: OperationsDeps,
  limits: readonly AgeLimit[],
): Job {
  const messages = createOldMessages({ store: store.retention, clock, settings: config });
  const records = limits.filter(({ at }) => at === 'retention');
  const archive = createEventArchive({
    ...{ store, files: files.archive, disk, key: keys.proofKeys.active, clock, log },
  });
  const file = createDatabaseFile({ upkeep: store.upkeep, clock });
  const stopping = new AbortController();
  return {
    name: 'retention',
    at: { pattern: '41 * * * *' },
    async run() {
      const { signal } = stopping;
      const forgotten = {
        messages: await messages.run(signal),
        records: await forgetByAge(records, { readings: store.readings, clock, signal }),
        events: config.eventArchive ? await archive.run(signal) : 0,
      };
      const bytes = await file.run(signal);
      if (forgotten.messages + forgotten.records + forgotten.events + bytes > 0) {
        log.info({ ...forgotten, bytes_given_back: bytes }, 'retention');
      }
    },
    stop: () => stopping.abort(),
  };
}
