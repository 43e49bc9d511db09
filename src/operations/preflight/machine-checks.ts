// The checks that no source has of its own: resolver, clock, disk, the names that mail comes back to, the smarthosts.
import { access, constants, statfs, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createRecordCheck } from '../../domains/check-records.js';
import type { DnsResolver } from '../../lib/dns/resolver.js';
import type { Probe } from '../../lib/smtp/probe.js';
import { isAddress } from '../../lib/addresses/address-range.rules.js';
import type { AddressFamily } from '../../lib/dns/dns-answer.rules.js';
import type { ExpectedRecord, UnnamedRecord } from '../../domains/dns-records.rules.js';
import { judgeOwnMx, judgeSmarthost, notKnown, type CheckResult } from './preflight.rules.js';
import { type ReachFact } from '../../lib/smtp/reach.rules.js';
import {
  judgeClock,
  judgeDataFolder,
  judgeDisk,
  judgeDnssec,
  judgePlatformRecord,
  judgePublicUrl,
  judgeResolver,
} from './preflight-machine.rules.js';
import type { SuspendedSource } from '../../outbound/outbound.tables.js';
import {
  judgeBackup,
  judgeDatabase,
  judgeGrowth,
  judgeIntegrity,
  judgeRoles,
  judgeSpool,
  judgeSuspensions,
  type GrowthFacts,
  type IntegrityFacts,
  type StoreFacts,
  judgeConnections,
  judgeDatabaseClock,
  type DatabaseServerFacts,
} from './preflight-store.rules.js';
import type { Clock } from '../../lib/runtime/clock.js';
import type { PreflightSettings, PreflightSmarthost } from './settings.js';
import type { Check } from './source-checks.js';

const FRESH = { fresh: true };
const BOTH: readonly AddressFamily[] = [4, 6];
/** A top-level domain that every full resolver can find. */
const KNOWN_NAME = 'org';
const REACH_MS = 5_000;
const MAX_ADDRESSES = 3;
const NOT_YET = 'The data directory is created on first start.';

export interface MachineCheckDeps {
  resolver: DnsResolver;
  probe: Pick<Probe, 'reach' | 'timeAt'>;
  settings: PreflightSettings;
  clock: Clock;
  /** Why the resolver does not prove that it validates, null when it does; absent when DANE is off. */
  provesValidation?: (() => Promise<string | null>) | undefined;
  /** Records that the platform domain has to publish. */
  platformRecords: () => Promise<(ExpectedRecord | UnnamedRecord)[]>;
  /** Null: there is no database yet. */
  storeFacts: () => Promise<StoreFacts | null>;
  /** Null: there is no database yet. */
  integrityFacts: () => Promise<IntegrityFacts | null>;
  /** Null: there is no database yet, or a database server keeps it. */
  growthFacts: () => Promise<GrowthFacts | null>;
  /** Sources that the operator has suspended. */
  suspendedSources: () => Promise<SuspendedSource[]>;
  /** Roles that no living node has; null where the server is no node. */
  missingRoles: () => readonly string[] | null;
  /** Null where no database server keeps the rows, or nobody has a session on it. */
  databaseServer: () => DatabaseServerFacts | null;
}

export function machineChecks(deps: MachineCheckDeps): Check[] {
  const { resolver, settings, provesValidation } = deps;
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
    one('clock', null, (signal) => checkClock(deps, signal)),
    one('disk_space', 'data folder', () => checkDisk(settings.dataDir)),
    one('data_folder', 'data folder', () => checkDataFolder(settings.dataDir)),
    { name: 'database', subject: null, run: () => checkStore(deps) },
    {
      name: 'database_clock',
      subject: null,
      run: () => Promise.resolve(judgeDatabaseClock(deps.databaseServer())),
    },
    {
      name: 'database_connections',
      subject: null,
      run: () => Promise.resolve(judgeConnections(deps.databaseServer(), deps.clock())),
    },
    { name: 'disk_forecast', subject: 'data folder', run: () => checkGrowth(deps) },
    { name: 'integrity', subject: null, run: () => checkIntegrity(deps) },
    {
      name: 'source_suspension',
      subject: null,
      run: async () => judgeSuspensions(await deps.suspendedSources(), deps.clock()),
    },
    { name: 'node_roles', subject: null, run: () => Promise.resolve(judgeRoles(deps.missingRoles())) },
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
      one('smarthost', smarthost.name, (signal) => checkSmarthost(deps, smarthost, signal)),
    ),
    { name: 'dkim', subject: settings.platformDomain, run: () => checkPlatform(deps) },
  ];
}

async function checkClock(
  { probe, settings, clock }: MachineCheckDeps,
  signal: AbortSignal,
): Promise<CheckResult> {
  if (settings.clockUrl === null) return judgeClock(clock(), null);
  const answer = await probe.timeAt(settings.clockUrl, signal);
  const { host } = new URL(settings.clockUrl);
  if (answer.kind === 'failed') return notKnown('clock', host, answer.error);
  return judgeClock(answer.ourTime, { at: answer.at, host });
}

/** Measures the free space of the data folder's disk. */
export async function checkDisk(dataDir: string): Promise<CheckResult> {
  try {
    const { bavail, blocks, bsize } = await statfs(dataDir);
    return judgeDisk({ freeBytes: bavail * bsize, totalBytes: blocks * bsize });
  } catch (error) {
    return notKnown('disk_space', 'data folder', codeOf(error), NOT_YET);
  }
}

async function checkDataFolder(dataDir: string): Promise<CheckResult> {
  const problem = await writeProblem(dataDir);
  return problem === 'ENOENT'
    ? notKnown('data_folder', 'data folder', 'not created yet', NOT_YET)
    : judgeDataFolder(problem);
}

/** Why nothing can be written there, or null. A full disk and a read-only file system show only in the attempt. */
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

async function checkStore({ storeFacts, settings, clock }: MachineCheckDeps): Promise<CheckResult[]> {
  const facts = await storeFacts();
  if (facts === null) return [];
  const backup = judgeBackup(facts, { schedule: settings.backupSchedule, now: clock() });
  return [judgeDatabase(facts), judgeSpool(facts), backup];
}

async function checkGrowth({ growthFacts, clock }: MachineCheckDeps): Promise<CheckResult[]> {
  const facts = await growthFacts();
  return facts === null ? [] : [judgeGrowth(facts, clock())];
}

async function checkIntegrity({ integrityFacts }: MachineCheckDeps): Promise<CheckResult[]> {
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

/** Its address is an operator's own word, so it may be a private one. */
async function checkSmarthost(
  { resolver, probe }: MachineCheckDeps,
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

async function checkPlatform(deps: MachineCheckDeps): Promise<CheckResult[]> {
  const { resolver, settings, clock } = deps;
  if (settings.platformDomain === null) return [];
  const records = (await deps.platformRecords()).flatMap((record) =>
    record.value !== null && (record.purpose === 'dkim' || record.purpose === 'dmarc') ? [record] : [],
  );
  const check = createRecordCheck({ resolver, askAuthority: false, clock });
  return (await check.lookUpRecords(settings.platformDomain, records)).map(judgePlatformRecord);
}
