// Decides whether DANE applies to an MX host: all answers from the domain to the host must be signed, and the host must have TLSA
// records (RFC 7672 section 2.2).
import type { SecureAnswer, ValidatingResolver } from '../../lib/dns/index.js';
import { type DaneLookup, type TlsaRecord, usableTlsa } from '../../lib/tls-policy/index.js';
import { canonicalHost } from '../../lib/dns-answers/index.js';

/** Names that may have TLSA records, in lookup order (RFC 7672 section 2.2.3). */
type Bases = { kind: 'bases'; bases: string[] } | Extract<DaneLookup, { kind: 'insecure' | 'bogus' }>;

const bogus = (reason: string): { kind: 'bogus'; reason: string } => ({ kind: 'bogus', reason });

type SecureResolver = Pick<ValidatingResolver, 'tlsa' | 'secureAddresses' | 'secureMx' | 'secureAlias'>;

/** Only the resolver caches answers. `port` is the port that delivery connects to. */
export class Dane {
  readonly #resolver: SecureResolver;
  readonly #port: number;

  constructor(resolver: SecureResolver, port = 25) {
    this.#resolver = resolver;
    this.#port = port;
  }

  /** Looks up DANE for one MX host of a domain. `mxHost` is the domain itself if it has no MX record. Names are A-labels. */
  async daneFor(rawDomain: string, rawHost: string): Promise<DaneLookup> {
    const domain = canonicalHost(rawDomain);
    const host = canonicalHost(rawHost);
    const mx = await this.#resolver.secureMx(domain);
    if (mx.kind === 'failed') return bogus(`the MX records of ${domain}: ${mx.reason}`);
    if (!mx.secure) return { kind: 'insecure', isMxSecure: false };
    // The route was found by another resolver, which may have been lied to.
    if (!signedHosts(domain, mx).includes(host)) {
      return bogus(`${host} is not among the signed MX hosts of ${domain}`);
    }
    const found = await this.#fetchBases(host);
    if (found.kind !== 'bases') return found;
    for (const base of found.bases) {
      const records = await this.#fetchRecords(base);
      if ('kind' in records) return records;
      if (records.length === 0) continue;
      const names = [...new Set([base, host, domain, mx.name])];
      return { kind: 'records', base, names, records, usable: usableTlsa(records) };
    }
    return { kind: 'none' };
  }

  async #fetchBases(host: string): Promise<Bases> {
    const addresses = await this.#resolver.secureAddresses(host);
    if (addresses.kind === 'failed') return bogus(`the addresses of ${host}: ${addresses.reason}`);
    if (addresses.secure) {
      const isAlias = addresses.name !== host;
      return { kind: 'bases', bases: isAlias ? [addresses.name, host] : [host] };
    }
    if (addresses.name === host) return { kind: 'insecure', isMxSecure: true };
    // The alias leads out of the signed zone but may be in it itself. Then the host's own name counts.
    const alias = await this.#resolver.secureAlias(host);
    if (alias.kind === 'failed') return bogus(`the alias ${host}: ${alias.reason}`);
    if (alias.kind === 'found' && alias.secure) return { kind: 'bases', bases: [host] };
    return { kind: 'insecure', isMxSecure: true };
  }

  async #fetchRecords(base: string): Promise<TlsaRecord[] | { kind: 'bogus'; reason: string }> {
    const name = `_${this.#port}._tcp.${base}`;
    const answer = await this.#resolver.tlsa(name);
    if (answer.kind === 'failed') return bogus(`the TLSA records of ${name}: ${answer.reason}`);
    // Unsigned records below a signed host count as missing.
    return answer.kind === 'found' && answer.secure ? answer.records : [];
  }
}

function signedHosts(
  domain: string,
  mx: Exclude<SecureAnswer<{ exchange: string }>, { kind: 'failed' }>,
): string[] {
  if (mx.kind === 'found') return mx.records.map(({ exchange }) => exchange);
  return mx.kind === 'no_data' ? [domain] : [];
}
