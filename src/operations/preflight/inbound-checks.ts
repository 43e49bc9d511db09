// The checks of mail that comes in, beside those of the names that it comes to.
import type { DnsResolver } from '../../lib/dns/resolver.js';
import type { Probe } from '../../lib/smtp/probe.js';
import type { CheckResult } from './preflight.rules.js';
import type { ReachFact } from '../../lib/smtp/reach.rules.js';
import { judgeCertificate, judgeInboundPort, type CertificateFacts } from './preflight-inbound.rules.js';
import type { Clock } from '../../lib/runtime/clock.js';
import type { PreflightSettings } from './settings.js';
import type { Check } from './source-checks.js';

const REACH_MS = 5_000;
const MAX_ADDRESSES = 4;

export interface InboundCheckDeps {
  resolver: DnsResolver;
  probe: Pick<Probe, 'reach'>;
  settings: PreflightSettings;
  clock: Clock;
  /** The one that our servers show: why it cannot be used, or null when there is none yet. */
  certificate: () => Promise<CertificateFacts | string | null>;
}

export function inboundChecks(deps: InboundCheckDeps): Check[] {
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
