// Checks port 25: connects from a source to hosts that answered it before and, if there are few, to mail hosts of the domains that
// the preflight checks use.
import type { TryHosts } from './blocked-ports.js';
import type { EngineContext } from '../context.js';
import { knownMailHosts, type Probe } from '../../lib/smtp/index.js';
import { SILENT_HOSTS, type HostAnswer } from './port-block.rules.js';

const REACH_MS = 5_000;
const MAX_HOSTS = 3;

/** Resolves to what each host did; never rejects for a host. */
export function tryHostsBy(
  { config, resolver, rules: { egress } }: Pick<EngineContext, 'config' | 'resolver' | 'rules'>,
  probe: Pick<Probe, 'reach'>,
): TryHosts {
  const { mxPort: port, allowPrivateMx: allowPrivate, smtpConnectTimeoutMs } = config;
  const timeoutMs = Math.min(REACH_MS, smtpConnectTimeoutMs);

  async function tryHost(source: string, address: string): Promise<HostAnswer> {
    const { address4 = null, address6 = null } = egress.sources.get(source) ?? {};
    const localAddress = address.includes(':') ? address6 : address4;
    const local = localAddress === null ? {} : { localAddress };
    const target = { address, port, ...local, timeoutMs, greets: true, allowPrivate };
    const outcome = await probe.reach(target, new AbortController().signal);
    if (outcome.kind === 'reached' || outcome.why === 'refused') return 'answered';
    return outcome.why === 'forbidden' || outcome.why === 'not_ours' ? 'unknown' : 'silent';
  }

  return async (source, answered) => {
    const hosts = answered.slice(0, MAX_HOSTS);
    if (hosts.length < SILENT_HOSTS && config.preflight) {
      const families = egress.sources.get(source)?.families ?? [4];
      const known = await knownMailHosts(resolver, config.preflightDomains, families[0] ?? 4);
      hosts.push(...known.map(({ address }) => address));
    }
    return Promise.all([...new Set(hosts)].map((address) => tryHost(source, address)));
  };
}
