// Wires operations: host checks, TLS reports, retention, and backups.
import type { Routes } from '../http/api.js';
import { platformRecords, platformSettings, reportAddresses } from '../domains/platform.js';
import { createPoster, guardedLookup, type Poster, resolveByDns } from '../lib/http/index.js';
import type { Job } from '../lib/concurrency/index.js';
import { createProbe } from '../lib/smtp/index.js';
import { extraAuthorities } from '../lib/tls/index.js';
import type { Egress } from '../outbound/route/egress.rules.js';
import { STALE_MS } from '../outbound/shape/persisted-counters.js';
import type { OperationContext } from './context.js';
import { certificateInUse } from './certificates/in-use.js';
import { backupJob } from './backup/run-backup.js';
import { upgradeCopiesJob } from './backup/upgrade-copy.js';
import { createClockJumps } from './clock-jumps.js';
import { growthJob, growthNow } from './growth/growth.js';
import { healthCheckRoutes } from './preflight/health-checks.routes.js';
import { checkDisk } from './preflight/machine-checks.js';
import { runPreflight, type PreflightContext } from './preflight/preflight.js';
import { reportedDays, reportOrganization } from './preflight/preflight-reports.rules.js';
import { PreflightRunner } from './preflight/runner.js';
import { usedEgress, preflightSettings } from './preflight/settings.js';
import { replicaRoutes } from './replica.routes.js';
import { ageLimits, deleteByAge, type AgeLimit } from './retention/age-limits.js';
import { archiveEvents } from './retention/event-archive.js';
import { shrinkDatabaseFile } from './retention/database-file.js';
import { forgetOldMessages } from './retention/old-messages.js';
import { submitReport } from './tls-reports/report-mail.js';
import { TlsReports } from './tls-reports/tls-reports.js';
import type { Log } from '../lib/runtime/index.js';
import { checkDatabase } from '../database/engine/file-tasks.js';
import type { OperationStores } from './stores.js';
import { marks } from '../accounts/accounts.tables.js';
import { upsert } from '../database/rows.js';

export type Operations = ReturnType<typeof createOperations>;

export function createOperations(context: OperationContext) {
  const { store, config, resolver, clock, log } = context;
  const preflight = new PreflightRunner(context, () => runPreflight(preflightContext(context)));
  const allowPrivate = config.webhookAllowPrivate;
  const poster = createPoster({
    allowPrivate,
    lookup: guardedLookup({ allowPrivate, resolve: resolveByDns(resolver) }),
    extraCa: extraAuthorities(config.extraCaFile),
  });
  const reports = createTlsReports(context, poster);
  const clockJumps = createClockJumps(context);
  reportDamage(store, log);
  const checks: Job = {
    name: 'preflight',
    at: 'hour',
    isOfEachNode: true,
    run: () => preflight.run().then(() => undefined),
  };
  const routes: Routes[] = [
    (api) => healthCheckRoutes(api, preflight, clock),
    (api) => replicaRoutes(api, context),
  ];
  const jobs: Job[] = [
    { name: 'TLS reports', at: 'minute', run: () => reports.run(), stop: () => reports.stop() },
    ...(config.preflight ? [checks] : []),
    ...retentionJobs(context),
    upgradeCopiesJob({ dataDir: config.dataDir, clock }),
    clockJumps.job,
    ...databaseFileJobs(context),
  ];
  return {
    routes,
    jobs,
    /** Corrects due times from a clock that was ahead. Call it before mail is sent. */
    capDueTimes: (): Promise<void> => clockJumps.capAtStart(),
    /** Returns the last report of the host checks, or `null` before the first. */
    checks: () => preflight.latest,
    /** Checks only the free disk space. */
    checkDisk: () => checkDisk(config.dataDir),
    /** Runs the first host checks. */
    start(): void {
      if (!config.preflight) return;
      preflight.run().catch((error: unknown) => log.error({ err: error }, 'host checks failed to run'));
    },
    /** Call it after every job has ended. */
    close: () => poster.close(),
  };
}

/** Returns no jobs for a database server, which has its own backups and checks. */
function databaseFileJobs(context: OperationContext): Job[] {
  const { databaseFile, keysFolder } = context.folder;
  if (databaseFile === null) return [];
  const backup = backupJob(context, { databaseFile, keysFolder });
  return [
    growthJob(context, databaseFile),
    ...(backup === null ? [] : [backup]),
    integrityJob(context, databaseFile),
  ];
}

/** Built for each run, because the sources may have been reloaded. */
function preflightContext(context: OperationContext): PreflightContext {
  const { store, config, resolver, clock, rules, files, folder } = context;
  return {
    resolver,
    probe: createProbe({ resolver, clock }),
    settings: preflightSettings(config, nodeEgress(rules.egress, context.sourcesOfNode())),
    clock,
    platformRecords: () =>
      platformRecords(
        store,
        platformSettings({ ...config, ...reportAddresses(config) }, [...rules.egress.sources.values()]),
      ),
    storeFacts: () => store.size(),
    async integrityFacts() {
      const facts = await store.integrity();
      // A database server checks its own pages, but damage that it reports is shown too.
      return folder.databaseFile === null && facts.damage === null ? null : facts;
    },
    reportFacts: () => store.reportFacts(reportedDays(clock()), reportOrganization(config.bounceDomain)),
    growthFacts: () => growthNow(store, config, clock()),
    suspendedSources: () => store.traffic.suspendedSources(),
    missingRoles: context.missingRoles,
    databaseServer: context.databaseServer,
    replica: context.replica,
    certificate: () => certificateInUse(config, files.tls, clock()),
  };
}

/** Leaves out sources of other nodes, which check them themselves. */
function nodeEgress(egress: Egress, own: readonly string[] | null): ReturnType<typeof usedEgress> {
  const { sources, smarthosts } = usedEgress(egress);
  return { sources: sources.filter(({ name }) => own === null || own.includes(name)), smarthosts };
}

function createTlsReports(context: OperationContext, poster: Poster): TlsReports {
  const { config } = context;
  const { platformDomain } = config;
  const submitter = platformDomain ?? config.hostname;
  return new TlsReports(
    {
      ...context,
      poster,
      submit: (mail, options) => submitReport(context, mail, options),
      settings: {
        organization: config.tlsReportOrganization ?? submitter,
        contact: config.tlsReportContact ?? `postmaster@${submitter}`,
        submitter,
        platformDomain,
      },
    },
    { isEnabled: config.tlsReports },
  );
}

function retentionJobs(context: OperationContext): Job[] {
  const limits = ageLimits(context, STALE_MS);
  const jobs = new Map<string, Job>();
  for (const { job: name, at } of limits) {
    if (at === 'retention') continue;
    const own = limits.filter(({ job }) => job === name);
    jobs.set(name, { name, at, run: () => deleteByAge(own, context).then(() => undefined) });
  }
  return [...jobs.values(), fullRetention(context, limits)];
}

/** Runs the parts that write much one after the other: messages, their records, and the database file. */
function fullRetention(context: OperationContext, limits: readonly AgeLimit[]): Job {
  const { config, keys, files, log } = context;
  const records = limits.filter(({ at }) => at === 'retention');
  const archive = { ...context, files: files.archive, key: keys.proofKeys.active };
  const stopping = new AbortController();
  return {
    name: 'retention',
    at: { pattern: config.retentionJob },
    async run() {
      const { signal } = stopping;
      const forgotten = {
        messages: await forgetOldMessages(context, signal),
        records: await deleteByAge(records, context, signal),
        events: config.eventArchive ? await archiveEvents(archive, signal) : 0,
      };
      const bytes = await shrinkDatabaseFile(context, signal);
      if (forgotten.messages + forgotten.records + forgotten.events + bytes > 0) {
        log.info({ ...forgotten, bytes_given_back: bytes }, 'retention');
      }
    },
    stop: () => stopping.abort(),
  };
}

const EVERY_MS = 24 * 3_600_000;
const REMEDY =
  'the database is damaged: stop the server and restore a backup (docs/runbook.md, "A damaged database")';

/** Logs once what to do when damage is found. */
export function reportDamage({ damage }: Pick<OperationStores, 'damage'>, log: Log): void {
  damage.listen((reason) => log.error({ reason }, REMEDY));
}

export function integrityJob(
  { store, clock, log }: Pick<OperationContext, 'store' | 'clock' | 'log'>,
  databaseFile: string,
): Job {
  const { damage } = store;
  const stopping = new AbortController();
  return {
    name: 'integrity check',
    at: { pattern: '53 * * * *' },
    async run() {
      const last = await store.accounts.mark('integrity_check');
      const startedAt = clock();
      // After damage the check runs every hour, because someone may have repaired the file.
      const isDue = last === null || last.value !== null || Math.abs(startedAt - last.created_at) >= EVERY_MS;
      if (!isDue) return;
      const problem = await checkDatabase(databaseFile, { isFull: true, signal: stopping.signal }).catch(
        (error: unknown) => {
          if (stopping.signal.aborted) return undefined;
          throw error;
        },
      );
      if (problem === undefined) return;
      if (problem === null) damage.clear();
      else damage.note(problem);
      const ms = clock() - startedAt;
      log.info({ ms, problem }, 'database integrity checked');
      const row = { value: problem === null ? null : Buffer.from(problem), created_at: clock() };
      await store.commit([
        upsert(marks, { row: { name: 'integrity_check', ...row }, key: ['name'], set: row }),
      ]);
    },
    stop: () => stopping.abort(),
  };
}
