// Is this machine fit to send mail? Runs every check at once, within one time limit; what has not answered by then is
// `unknown`.
import { setMaxListeners } from 'node:events';
import type { DnsResolver } from '../../lib/dns/resolver.js';
import type { Probe } from '../../lib/smtp/probe.js';
import type { ExpectedRecord, UnnamedRecord } from '../../domains/dns-records.rules.js';
import type { SuspendedSource } from '../../outbound/outbound.tables.js';
import type { ReportFacts } from './preflight-reports.rules.js';
import { reportChecks } from './report-checks.js';
import type {
  DatabaseServerFacts,
  GrowthFacts,
  IntegrityFacts,
  StoreFacts,
} from './preflight-store.rules.js';
import { notKnown, type CheckResult } from './preflight.rules.js';
import type { Clock } from '../../lib/runtime/clock.js';
import { type CertificateFacts, judgeCertificate, judgeInboundPort } from './preflight-inbound.rules.js';
import { machineChecks } from './machine-checks.js';
import type { PreflightSettings } from './settings.js';
import { sourceChecks, type Check } from './source-checks.js';
import { zoneChecks } from './zone-checks.js';
import type { ReachFact } from '../../lib/smtp/reach.rules.js';

// The checks of mail that comes in, beside those of the names that it comes to.
const REACH_MS = 5_000;
const MAX_ADDRESSES = 4;

interface InboundCheckDeps {
  resolver: DnsResolver;
  probe: Pick<Probe, 'reach'>;
  settings: PreflightSettings;
  clock: Clock;
  /** The one that our servers show: why it cannot be used, or null when there is none yet. */
  certificate: () => Promise<CertificateFacts | string | null>;
}

function inboundChecks(deps: InboundCheckDeps): Check[] {
  const { settings, certificate, clock } = deps;
  const { hostname, mxPort, takesMail, mustVerify } = settings;
  const port: Check = {
    name: 'inbound_port',
    subject: `${hostname}:${mxPort}`,
    run: async (signal) => [await checkPort(deps, signal)],
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

/** As a peer does it, from this machine; its own name is an operator's word, so it may be a private address. */
async function checkPort(
  { resolver, probe, settings }: InboundCheckDeps,
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

export interface PreflightDeps {
  resolver: DnsResolver;
  probe: Probe;
  settings: PreflightSettings;
  clock: Clock;
  /** Asks the validating resolver for its proof; absent when DANE is off. */
  provesValidation?: () => Promise<string | null>;
  platformRecords: () => Promise<(ExpectedRecord | UnnamedRecord)[]>;
  /** Facts about the database; null when there is none yet. */
  storeFacts: () => Promise<StoreFacts | null>;
  integrityFacts: () => Promise<IntegrityFacts | null>;
  reportFacts: () => Promise<ReportFacts | null>;
  /** Null without a database, or where a server keeps it. */
  growthFacts: () => Promise<GrowthFacts | null>;
  /** Sources that the operator has suspended; none without a database. */
  suspendedSources: () => Promise<SuspendedSource[]>;
  /** Roles that no living node has; null where the server is no node, or nobody is asked. */
  missingRoles: () => readonly string[] | null;
  databaseServer: () => DatabaseServerFacts | null;
  /** The certificate of our servers: why it cannot be used, or null when there is none yet. */
  certificate: () => Promise<CertificateFacts | string | null>;
}

export interface Preflight {
  /** Sources first, in the order of the settings. Never rejects for what it finds. */
  run(): Promise<CheckResult[]>;
}

export function createPreflight(deps: PreflightDeps): Preflight {
  const { settings } = deps;
  return {
    async run() {
      const deadline = new AbortController();
      // One for each check.
      setMaxListeners(0, deadline.signal);
      const timer = setTimeout(() => deadline.abort(), settings.timeLimitMs);
      const { signal } = deadline;
      const ofSource = settings.sources.map(async (source) => {
        const plan = { name: 'ehlo_name', subject: source.ehloName } as const;
        const checks = await within(signal, sourceChecks(deps, source), (why): Check[] => [
          { ...plan, run: () => Promise.resolve([notKnown(plan.name, plan.subject, why)]) },
        ]);
        return runAll(checks, signal);
      });
      try {
        const [machine, ...sources] = await Promise.all([runAll(checksOf(deps), signal), ...ofSource]);
        return once([...sources.flat(), ...machine]);
      } finally {
        clearTimeout(timer);
        // Connections under way are of no more use.
        deadline.abort();
      }
    },
  };
}

function checksOf(deps: PreflightDeps): Check[] {
  return [...machineChecks(deps), ...inboundChecks(deps), ...reportChecks(deps), ...zoneChecks(deps)];
}

async function runAll(checks: readonly Check[], signal: AbortSignal): Promise<CheckResult[]> {
  const results = checks.map((check) =>
    within(signal, check.run(signal), (why) => [notKnown(check.name, check.subject, why)]),
  );
  return (await Promise.all(results)).flat();
}

/** One check that breaks or lasts too long must not hide the others. */
async function within<T>(signal: AbortSignal, work: Promise<T>, otherwise: (why: string) => T): Promise<T> {
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

/** Sources that share a name or an address would say the same twice. */
function once(results: readonly CheckResult[]): CheckResult[] {
  const byKey = new Map(results.map((result) => [`${result.name} ${result.subject ?? ''}`, result]));
  return [...byKey.values()];
}
