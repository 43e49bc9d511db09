// The check of port 25: connects from a source to hosts that answered it before, and where those are few to mail hosts of
// the domains that the preflight checks use.
import { knownMailHosts } from '../../lib/smtp/known-mail-hosts.js';
import type { DnsResolver } from '../../lib/dns/resolver.js';
import type { Probe } from '../../lib/smtp/probe.js';
import type { Egress } from '../route/egress.rules.js';
import { SILENT_HOSTS, type HostAnswer } from './port-block.rules.js';
import type { Config } from '../../settings/settings.js';

const REACH_MS = 5_000;
const MAX_HOSTS = 3;

export interface KnownHostsDeps {
  config: Pick<
    Config,
    'mxPort' | 'allowPrivateMx' | 'preflight' | 'preflightDomains' | 'smtpConnectTimeoutMs'
  >;
  resolver: Pick<DnsResolver, 'mx' | 'addresses'>;
  egress: Pick<Egress, 'sources'>;
  probe: Pick<Probe, 'reach'>;
}

/** Resolves to what each host did; never rejects for a host. */
export function tryHostsBy({ config, resolver, egress, probe }: KnownHostsDeps) {
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

  return async (source: string, answered: readonly string[]): Promise<readonly HostAnswer[]> => {
    const hosts = answered.slice(0, MAX_HOSTS);
    if (hosts.length < SILENT_HOSTS && config.preflight) {
      const families = egress.sources.get(source)?.families ?? [4];
      const known = await knownMailHosts(resolver, config.preflightDomains, families[0] ?? 4);
      hosts.push(...known.map(({ address }) => address));
    }
    return Promise.all([...new Set(hosts)].map((address) => tryHost(source, address)));
  };
}
