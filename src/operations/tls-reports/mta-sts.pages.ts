// The MTA-STS policy file of the domains that we take mail for, by the Host header: others then send to us over TLS
// (RFC 8461 sections 3.2, 3.3).
import { Refusal } from '../../contract/refusal.js';
import { canonicalHost, labelsBelow } from '../../lib/dns/dns-answer.rules.js';
import type { Api } from '../../http/api.js';

const POLICY_HOST = 'mta-sts.';

export interface PolicyFileDeps {
  /** In A-labels. */
  domains: readonly string[];
  /** The file, from `buildStsPolicy`. */
  policyText: string;
  /** Our own zone: all mail for names in it comes to us. */
  zone?: string | null;
}

/** Declares `GET /.well-known/mta-sts.txt`. */
export function policyFileRoutes(app: Api, { domains, policyText, zone = null }: PolicyFileDeps): void {
  const hosts = new Set(domains.map((domain) => `${POLICY_HOST}${canonicalHost(domain)}`));
  const options = { config: { public: true }, schema: { hide: true } };
  app.get('/.well-known/mta-sts.txt', options, (request, reply) => {
    const host = canonicalHost(request.hostname);
    const isInZone = zone !== null && host.startsWith(POLICY_HOST) && labelsBelow(host, zone) !== null;
    if (!hosts.has(host) && !isInZone) throw new Refusal('not_found');
    return reply.type('text/plain; charset=utf-8').send(policyText);
  });
}
