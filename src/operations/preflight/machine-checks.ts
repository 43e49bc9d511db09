// The checks of the whole server: resolver, clock, disk, database, MX records, smarthosts.
import { access, constants, statfs, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createRecordCheck } from '../../domains/check-records.js';
import type { DnsResolver } from '../../lib/dns/index.js';
import { isAddress } from '../../lib/addresses/index.js';
import type { AddressFamily } from '../../lib/dns-answers/index.js';
import { judgeOwnMx, judgeSmarthost, unknownResult, type CheckResult } from './preflight.rules.js';
import type { ReachFact } from '../../lib/smtp-replies/index.js';
import {
  judgeClock,
  judgeDataFolder,
  judgeDisk,
  judgeDnssec,
  judgePlatformRecord,
  judgePublicUrl,
  judgeResolver,
} from './preflight-machine.rules.js';
import {
  judgeBackup,
  judgeDatabase,
  judgeGrowth,
  judgeIntegrity,
  judgeRoles,
  judgeSpool,
  judgeSuspensions,
  judgeConnections,
  judgeDatabaseClock,
} from './preflight-store.rules.js';
import { judgeReplica } from './preflight-replica.rules.js';
import type { PreflightContext } from './preflight.js';
import type { PreflightSmarthost } from './settings.js';
import type { Check } from './source-checks.js';

const FRESH = { fresh: true };
const BOTH: readonly AddressFamily[] = [4, 6];
/** A top-level domain that every full resolver can find. */
const KNOWN_NAME = 'org';
const REACH_MS = 5_000;
const MAX_ADDRESSES = 3;
const NOT_YET = 'The data directory is created on first start.';

export function machineChecks(context: PreflightContext): Check[] {
  const { resolver, settings, provesValidation } = context;
  const one = (
    name: Check['name'],
    subject: string | null,
    run: (signal: AbortSignal) => Promise<CheckResult>,
  ) => ({
    name,
    subject,
    run: async (signal: AbortSignal) => [await run(signal)],
  });
  return [
    one('resolver', KNOWN_NAME, async () => judgeResolver(KNOWN_NAME, await resolver.ns(KNOWN_NAME, FRESH))),
    ...(provesValidation ? [one('dnssec', null, async () => judgeDnssec(await provesValidation()))] : []),
    one('clock', null, (signal) => checkClock(context, signal)),
    one('disk_space', 'data folder', () => checkDisk(settings.dataDir)),
    one('data_folder', 'data folder', () => checkDataFolder(settings.dataDir)),
    { name: 'database', subject: null, run: () => checkStore(context) },
    {
      name: 'database_clock',
      subject: null,
      run: () => Promise.resolve(judgeDatabaseClock(context.databaseServer())),
    },
    {
      name: 'database_connections',
      subject: null,
      run: () => Promise.resolve(judgeConnections(context.databaseServer(), context.clock())),
    },
    {
      name: 'replica',
      subject: null,
      run: () => Promise.resolve(judgeReplica(context.replica(), context.clock())),
    },
    { name: 'disk_forecast', subject: 'data folder', run: () => checkGrowth(context) },
    { name: 'integrity', subject: null, run: () => checkIntegrity(context) },
    {
      name: 'source_suspension',
      subject: null,
      run: async () => judgeSuspensions(await context.suspendedSources(), context.clock()),
    },
    { name: 'node_roles', subject: null, run: () => Promise.resolve(judgeRoles(context.missingRoles())) },
    one('public_url', settings.publicUrl, () => Promise.resolve(judgePublicUrl(settings.publicUrl))),
    one('bounce_mx', settings.bounceDomain, () =>
      checkOwnMx(resolver, 'bounce_mx', settings.bounceDomain, settings.hostname),
    ),
    ...(settings.inboundDomain === settings.bounceDomain
      ? []
      : [
          one('inbound_mx', settings.inboundDomain, () =>
            checkOwnMx(resolver, 'inbound_mx', settings.inboundDomain, settings.hostname),
          ),
        ]),
    ...settings.smarthosts.map((smarthost) =>
      one('smarthost', smarthost.name, (signal) => checkSmarthost(context, smarthost, signal)),
    ),
    { name: 'dkim', subject: settings.platformDomain, run: () => checkPlatform(context) },
  ];
}

async function checkClock(
  { probe, settings, clock }: PreflightContext,
  signal: AbortSignal,
): Promise<CheckResult> {
  if (settings.clockUrl === null) return judgeClock(clock(), null);
  const answer = await probe.timeAt(settings.clockUrl, signal);
  const { host } = new URL(settings.clockUrl);
  if (answer.kind === 'failed') return unknownResult('clock', host, answer.error);
  return judgeClock(answer.ourTime, { at: answer.at, host });
}

/** Measures the free space of the data folder's disk. */
export async function checkDisk(dataDir: string): Promise<CheckResult> {
  try {
    const { bavail, blocks, bsize } = await statfs(dataDir);
    return judgeDisk({ freeBytes: bavail * bsize, totalBytes: blocks * bsize });
  } catch (error) {
    return unknownResult('disk_space', 'data folder', codeOf(error), NOT_YET);
  }
}

async function checkDataFolder(dataDir: string): Promise<CheckResult> {
  const problem = await writeProblem(dataDir);
  return problem === 'ENOENT'
    ? unknownResult('data_folder', 'data folder', 'not created yet', NOT_YET)
    : judgeDataFolder(problem);
}

/** Returns why the folder is not writable, or `null`. A full disk and a read-only file system only show in an attempt. */
async function writeProblem(dataDir: string): Promise<string | null> {
  const file = join(dataDir, `.preflight-${process.pid}`);
  try {
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    const handle = await open(file, 'w', 0o600);
    try {
      await handle.writeFile('mailkeel');
    } finally {
      await handle.close();
      await unlink(file);
    }
    return null;
  } catch (error) {
    return codeOf(error);
  }
}

async function checkStore({ storeFacts, settings, clock }: PreflightContext): Promise<CheckResult[]> {
  const facts = await storeFacts();
  if (facts === null) return [];
  const backup = judgeBackup(facts, { schedule: settings.backupSchedule, now: clock() });
  return [judgeDatabase(facts), judgeSpool(facts), backup];
}

async function checkGrowth({ growthFacts, clock }: PreflightContext): Promise<CheckResult[]> {
  const facts = await growthFacts();
  return facts === null ? [] : [judgeGrowth(facts, clock())];
}

async function checkIntegrity({ integrityFacts }: PreflightContext): Promise<CheckResult[]> {
  const facts = await integrityFacts();
  return facts === null ? [] : [judgeIntegrity(facts)];
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

async function checkOwnMx(
  resolver: DnsResolver,
  name: 'bounce_mx' | 'inbound_mx',
  domain: string,
  hostname: string,
): Promise<CheckResult> {
  const [mx, domainAddresses, hostAddresses] = await Promise.all([
    resolver.mx(domain, FRESH),
    resolver.addresses(domain, BOTH, FRESH),
    resolver.addresses(hostname, BOTH, FRESH),
  ]);
  return judgeOwnMx(name, { domain, hostname, mx, domainAddresses, hostAddresses });
}

/** The operator configured the smarthost, so it may have a private address. */
async function checkSmarthost(
  { resolver, probe }: PreflightContext,
  { name, host: rawHost, port, greets }: PreflightSmarthost,
  signal: AbortSignal,
): Promise<CheckResult> {
  const host = rawHost.replace(/^\[(.+)\]$/, '$1');
  const answer = isAddress(host) ? null : await resolver.addresses(host, BOTH, FRESH);
  const addresses = answer === null ? [host] : answer.kind === 'found' ? answer.records : [];
  const tries = addresses.slice(0, MAX_ADDRESSES).map(async (address): Promise<ReachFact> => {
    const target = { address, port, timeoutMs: REACH_MS, greets, allowPrivate: true };
    return { host, address, outcome: await probe.reach(target, signal) };
  });
  return judgeSmarthost(name, await Promise.all(tries));
}

async function checkPlatform(context: PreflightContext): Promise<CheckResult[]> {
  const { resolver, settings, clock } = context;
  if (settings.platformDomain === null) return [];
  const records = (await context.platformRecords()).flatMap((record) =>
    record.value !== null && (record.purpose === 'dkim' || record.purpose === 'dmarc') ? [record] : [],
  );
  const check = createRecordCheck({ resolver, askAuthority: false, clock });
  return (await check.lookUpRecords(settings.platformDomain, records)).map(judgePlatformRecord);
}
