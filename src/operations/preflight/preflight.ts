// Runs all host checks concurrently within one time limit. Checks that have not finished by then are `unknown`.
import { setMaxListeners } from 'node:events';
import { type DnsResolver, askDnsServer } from '../../lib/dns/index.js';
import type { Probe } from '../../lib/smtp/index.js';
import type { ExpectedRecord, UnnamedRecord } from '../../domains/dns-records.rules.js';
import type { SuspendedSource } from '../../outbound/outbound.tables.js';
import {
  judgeReportPermission,
  judgeReports,
  permissionProbe,
  type ReportFacts,
} from './preflight-reports.rules.js';
import type { ReplicaFacts } from '../../replica/replica-health.rules.js';
import type {
  DatabaseServerFacts,
  GrowthFacts,
  IntegrityFacts,
  StoreFacts,
} from './preflight-store.rules.js';
import { unknownResult, type CheckResult } from './preflight.rules.js';
import type { Clock } from '../../lib/runtime/index.js';
import { type CertificateFacts, judgeCertificate, judgeInboundPort } from './preflight-inbound.rules.js';
import { machineChecks } from './machine-checks.js';
import type { PreflightSettings } from './settings.js';
import { sourceChecks, type Check } from './source-checks.js';
import type { ReachFact } from '../../lib/smtp-replies/index.js';
import { type AddressFamily, canonicalHost } from '../../lib/dns-answers/index.js';
import { judgeDelegation, judgeNameServer, type NameServerFact } from './preflight-zone.rules.js';

const REACH_MS = 5_000;
const MAX_ADDRESSES = 4;

function inboundChecks(context: PreflightContext): Check[] {
  const { settings, certificate, clock } = context;
  const { hostname, mxPort, takesMail, mustVerify } = settings;
  const port: Check = {
    name: 'inbound_port',
    subject: `${hostname}:${mxPort}`,
    run: async (signal) => [await checkPort(context, signal)],
  };
  return [
    ...(takesMail ? [port] : []),
    {
      name: 'certificate',
      subject: hostname,
      run: async () => [judgeCertificate(await certificate(), { hostname, mustVerify, now: clock() })],
    },
  ];
}

/** Connects like a peer, from this machine. The operator configured the name, so it may have a private address. */
async function checkPort(
  { resolver, probe, settings }: PreflightContext,
  signal: AbortSignal,
): Promise<CheckResult> {
  const { hostname, mxPort: port } = settings;
  const answer = await resolver.addresses(hostname, [4, 6], { fresh: true });
  const addresses = answer.kind === 'found' ? answer.records.slice(0, MAX_ADDRESSES) : [];
  const tries = addresses.map(async (address): Promise<ReachFact> => {
    const target = { address, port, timeoutMs: REACH_MS, greets: true, allowPrivate: true };
    return { host: hostname, address, outcome: await probe.reach(target, signal) };
  });
  return judgeInboundPort(hostname, port, await Promise.all(tries));
}

/** Checks the reports that others send about this server, and the record that lets them arrive. */
function reportChecks({ resolver, settings, reportFacts }: PreflightContext): Check[] {
  const { bounceDomain, takesMail } = settings;
  if (!takesMail) return [];
  const facts = reportFacts();
  // Both checks wait for the facts, and each reports a failure itself.
  facts.catch(() => undefined);
  return [
    {
      name: 'report_authorization',
      subject: bounceDomain,
      run: async () => {
        const answer = await resolver.txt(permissionProbe(bounceDomain), { fresh: true });
        return [judgeReportPermission(bounceDomain, answer, (await facts)?.domainOutside)];
      },
    },
    {
      name: 'tls_reports',
      subject: null,
      run: async () => {
        const known = await facts;
        return known === null ? [] : judgeReports(known);
      },
    },
  ];
}

/** The facts that the checks judge. Each is asked for once per run. */
export interface PreflightContext {
  resolver: DnsResolver;
  probe: Probe;
  settings: PreflightSettings;
  clock: Clock;
  /** Returns why the resolver does not prove that it validates, or `null` if it does. Absent if DANE is off. */
  provesValidation?: () => Promise<string | null>;
  /** Returns the records that the platform domain must publish. */
  platformRecords: () => Promise<(ExpectedRecord | UnnamedRecord)[]>;
  /** Returns `null` if there is no database yet. */
  storeFacts: () => Promise<StoreFacts | null>;
  /** Returns `null` if there is no database yet. */
  integrityFacts: () => Promise<IntegrityFacts | null>;
  /** Returns `null` if there is no database yet. */
  reportFacts: () => Promise<ReportFacts | null>;
  /** Returns `null` if there is no database yet, or if a database server keeps the rows. */
  growthFacts: () => Promise<GrowthFacts | null>;
  /** Returns the sources that the operator has suspended. */
  suspendedSources: () => Promise<SuspendedSource[]>;
  /** Returns the roles that no living node has, or `null` if the server is not a node. */
  missingRoles: () => readonly string[] | null;
  /** Returns `null` if no database server keeps the rows, or if there is no session on it. */
  databaseServer: () => DatabaseServerFacts | null;
  /** Returns `null` without a replica, or if its state is not known. */
  replica: () => ReplicaFacts | null;
  /** Returns the server's certificate, why it cannot be used, or `null` if there is none yet. */
  certificate: () => Promise<CertificateFacts | string | null>;
}

/** Runs every check. Results of the sources come first, in the order of the settings. */
export async function runPreflight(context: PreflightContext): Promise<CheckResult[]> {
  const { settings } = context;
  const deadline = new AbortController();
  // Every check adds a listener.
  setMaxListeners(0, deadline.signal);
  const timer = setTimeout(() => deadline.abort(), settings.timeLimitMs);
  const { signal } = deadline;
  const ofSource = settings.sources.map(async (source) => {
    const plan = { name: 'ehlo_name', subject: source.ehloName } as const;
    const checks = await withinDeadline(signal, sourceChecks(context, source), (why): Check[] => [
      { ...plan, run: () => Promise.resolve([unknownResult(plan.name, plan.subject, why)]) },
    ]);
    return runAll(checks, signal);
  });
  try {
    const [machine, ...sources] = await Promise.all([runAll(hostChecks(context), signal), ...ofSource]);
    return distinct([...sources.flat(), ...machine]);
  } finally {
    clearTimeout(timer);
    deadline.abort();
  }
}

function hostChecks(context: PreflightContext): Check[] {
  return [
    ...machineChecks(context),
    ...inboundChecks(context),
    ...reportChecks(context),
    ...zoneChecks(context),
  ];
}

async function runAll(checks: readonly Check[], signal: AbortSignal): Promise<CheckResult[]> {
  const results = checks.map((check) =>
    withinDeadline(signal, check.run(signal), (why) => [unknownResult(check.name, check.subject, why)]),
  );
  return (await Promise.all(results)).flat();
}

/** A check that fails or takes too long must not hide the others. */
async function withinDeadline<T>(
  signal: AbortSignal,
  work: Promise<T>,
  otherwise: (why: string) => T,
): Promise<T> {
  let late: () => void = () => undefined;
  const ended = new Promise<T>((resolve) => {
    late = () => resolve(otherwise('no response within the time limit'));
  });
  signal.addEventListener('abort', late);
  if (signal.aborted) late();
  try {
    return await Promise.race([work, ended]);
  } catch (error) {
    return otherwise(`the check failed: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    signal.removeEventListener('abort', late);
  }
}

/** Drops duplicates, which sources with a common name or address produce. */
function distinct(results: readonly CheckResult[]): CheckResult[] {
  const byKey = new Map(results.map((result) => [`${result.name} ${result.subject ?? ''}`, result]));
  return [...byKey.values()];
}

const FRESH = { fresh: true };
const BOTH: readonly AddressFamily[] = [4, 6];
const ASK = { timeoutMs: 2_000, tries: 2 };
const ZONE_REACH_MS = 3_000;
const MAX_NAME_SERVERS = 4;

export function zoneChecks({
  resolver,
  probe,
  settings,
}: Pick<PreflightContext, 'resolver' | 'probe'> & { settings: Pick<PreflightSettings, 'zone'> }): Check[] {
  const { zone } = settings;
  if (zone === null) return [];
  return [
    {
      name: 'zone_delegation',
      subject: zone.name,
      run: async () => [judgeDelegation(zone, await resolver.ns(zone.name, FRESH))],
    },
    ...zone.nameServers.slice(0, MAX_NAME_SERVERS).map((server): Check => ({
      name: 'name_server',
      subject: server,
      async run(signal) {
        const answer = await resolver.addresses(server, BOTH, FRESH);
        const addresses = answer.kind === 'found' ? answer.records.slice(0, MAX_ADDRESSES) : [];
        const tries = addresses.map(async (address): Promise<NameServerFact> => {
          // The operator configured it, so it may be a private address.
          const target = {
            address,
            port: zone.port,
            timeoutMs: ZONE_REACH_MS,
            greets: false,
            allowPrivate: true,
          };
          const [udp, tcp] = await Promise.all([askForZone(zone, address), probe.reach(target, signal)]);
          return { address, udp, tcp };
        });
        return [judgeNameServer(server, zone, await Promise.all(tries))];
      },
    })),
  ];
}

async function askForZone(
  zone: { name: string; port: number },
  address: string,
): Promise<NameServerFact['udp']> {
  const name = canonicalHost(zone.name);
  const answer = await askDnsServer({ address, port: zone.port }, { name, type: 'SOA' }, ASK);
  if (answer.kind === 'failed') return answer;
  const soa = answer.reply.answers.find(
    (record) => record.type === 'SOA' && canonicalHost(record.name) === name,
  );
  return soa?.type === 'SOA' ? { kind: 'soa', primary: soa.data.mname } : { kind: 'none' };
}
