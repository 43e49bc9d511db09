// Whether DANE binds us at an MX host: signed answers from the domain down to the host, then the TLSA records
// (RFC 7672 section 2.2).
import type { SecureAnswer, ValidatingResolver } from '../../lib/dns/validating-resolver.js';
import { usableTlsa, type DaneLookup, type TlsaRecord } from '../../lib/tls/dane.rules.js';
import { canonicalHost } from '../../lib/dns/dns-answer.rules.js';

export interface Dane {
  /** For one MX host of a domain; `mxHost` is the domain itself where there is no MX record. Names are A-labels. */
  daneFor(domain: string, mxHost: string): Promise<DaneLookup>;
}

export interface DaneDeps {
  resolver: Pick<ValidatingResolver, 'tlsa' | 'secureAddresses' | 'secureMx' | 'secureAlias'>;
  /** The port that delivery connects to. Default 25. */
  port?: number;
}

/** The names under which TLSA records may stand, in the order to look (RFC 7672 section 2.2.3). */
type Bases = { kind: 'bases'; bases: string[] } | Extract<DaneLookup, { kind: 'insecure' | 'bogus' }>;

const bogus = (reason: string): { kind: 'bogus'; reason: string } => ({ kind: 'bogus', reason });

/** Answers are cached by the resolver and nowhere else. */
export function createDane({ resolver, port = 25 }: DaneDeps): Dane {
  async function basesOf(host: string): Promise<Bases> {
    const addresses = await resolver.secureAddresses(host);
    if (addresses.kind === 'failed') return bogus(`the addresses of ${host}: ${addresses.reason}`);
    if (addresses.secure) {
      const isAlias = addresses.name !== host;
      return { kind: 'bases', bases: isAlias ? [addresses.name, host] : [host] };
    }
    if (addresses.name === host) return { kind: 'insecure', isMxSecure: true };
    // The alias leads out of the signed zone, and may itself stand in it: then the host's own name counts.
    const alias = await resolver.secureAlias(host);
    if (alias.kind === 'failed') return bogus(`the alias ${host}: ${alias.reason}`);
    if (alias.kind === 'found' && alias.secure) return { kind: 'bases', bases: [host] };
    return { kind: 'insecure', isMxSecure: true };
  }

  async function recordsAt(base: string): Promise<TlsaRecord[] | { kind: 'bogus'; reason: string }> {
    const name = `_${port}._tcp.${base}`;
    const answer = await resolver.tlsa(name);
    if (answer.kind === 'failed') return bogus(`the TLSA records of ${name}: ${answer.reason}`);
    // Unsigned ones below a signed host are as good as none.
    return answer.kind === 'found' && answer.secure ? answer.records : [];
  }

  return {
    async daneFor(rawDomain, rawHost) {
      const domain = canonicalHost(rawDomain);
      const host = canonicalHost(rawHost);
      const mx = await resolver.secureMx(domain);
      if (mx.kind === 'failed') return bogus(`the MX records of ${domain}: ${mx.reason}`);
      if (!mx.secure) return { kind: 'insecure', isMxSecure: false };
      // The route was found by another resolver, which may have been lied to.
      if (!hostsOf(domain, mx).includes(host)) {
        return bogus(`${host} is not among the signed MX hosts of ${domain}`);
      }
      const found = await basesOf(host);
      if (found.kind !== 'bases') return found;
      for (const base of found.bases) {
        const records = await recordsAt(base);
        if ('kind' in records) return records;
        if (records.length === 0) continue;
        const names = [...new Set([base, host, domain, mx.name])];
        return { kind: 'records', base, names, records, usable: usableTlsa(records) };
      }
      return { kind: 'none' };
    },
  };
}

function hostsOf(
  domain: string,
  mx: Exclude<SecureAnswer<{ exchange: string }>, { kind: 'failed' }>,
): string[] {
  if (mx.kind === 'found') return mx.records.map(({ exchange }) => exchange);
  return mx.kind === 'no_data' ? [domain] : [];
}
