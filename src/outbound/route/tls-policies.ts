// Wires what receivers publish about TLS to their servers: MTA-STS policies, and DANE if the resolver can be trusted.
import type { OutboundContext } from '../context.js';
import { createPolicyFetch, resolveByDns } from '../../lib/http/index.js';
import { createValidatingResolver, systemDnsServers } from '../../lib/dns/index.js';
import { extraAuthorities } from '../../lib/tls/index.js';
import type { Clock, Log } from '../../lib/runtime/index.js';
import type { Config } from '../../settings/settings.js';
import { Dane } from './dane.js';
import { StsPolicies } from './sts-policies.js';

const PROVE_AGAIN_MS = 60_000;

export interface TlsPolicies {
  sts: StsPolicies;
  /** `null` if DANE is off. */
  dane: Pick<Dane, 'daneFor'> | null;
}

export async function createTlsPolicies(
  context: Pick<OutboundContext, 'store' | 'config' | 'resolver' | 'clock' | 'log'>,
): Promise<TlsPolicies> {
  const { store, config, resolver, clock, log } = context;
  const sts = new StsPolicies(context, {
    fetchPolicy: createPolicyFetch({
      allowPrivate: config.allowPrivateMx,
      port: config.mtaStsPort,
      timeoutMs: config.mtaStsFetchTimeoutMs,
      resolve: resolveByDns(resolver),
      extraCa: extraAuthorities(config.extraCaFile),
    }),
    store: store.stsPolicies,
    commit: store.commit,
    onStale({ domain, lines, mx }, { resultType, detail }) {
      const nowhere = { mxHost: '', sendingIp: '', receivingIp: '' };
      const policy = { strings: lines, mx };
      const counted = { policyType: 'sts', policy, resultType, detail, sessions: 1 } as const;
      store.tlsResults
        .add([{ at: clock(), domain, ...nowhere, ...counted }])
        .catch((error: unknown) => log.warn({ err: error }, 'saving TLS result failed'));
    },
    waitMs: config.mtaStsWaitMs,
  });
  return { sts, dane: config.dane ? await daneWith(config, clock, log) : null };
}

/** Returns `null` and logs an error if there is no resolver. DANE is skipped until the resolver proves that it validates. */
async function daneWith(config: Config, clock: Clock, log: Log): Promise<TlsPolicies['dane']> {
  const server = config.daneResolver ?? config.dnsServers[0] ?? systemDnsServers()[0];
  if (server === undefined) {
    log.error('DANE disabled: no DNS resolver configured');
    return null;
  }
  const resolver = createValidatingResolver({
    server,
    maxParallel: config.dnsParallel,
    positiveTtlMs: config.dnsCacheMs,
    negativeTtlMs: config.dnsNegativeCacheMs,
    probe: { name: config.daneProbe.replace(/\.$/, ''), type: 'NS' },
    clock,
  });
  const dane = new Dane(resolver, config.mxPort);
  let isProven = false;
  const prove = async (): Promise<void> => {
    const problem = await resolver.provesValidation();
    if (problem !== null && !isProven) {
      log.error({ server, why: problem }, 'DANE disabled: resolver does not validate DNSSEC');
    }
    // Once proven it stays so: a resolver that fails later must not be taken for a domain without records.
    isProven ||= problem === null;
    if (!isProven) setTimeout(() => void prove(), PROVE_AGAIN_MS).unref();
  };
  await prove();
  return {
    daneFor: (domain, mxHost) =>
      isProven ? dane.daneFor(domain, mxHost) : Promise.resolve({ kind: 'insecure', isMxSecure: false }),
  };
}
