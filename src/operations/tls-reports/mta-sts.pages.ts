// Serves the MTA-STS policy file of Mailkeel's mail domains by Host header (RFC 8461 sections 3.2, 3.3).
import { Refusal } from '../../contract/refusal.js';
import { canonicalHost, labelsBelow } from '../../lib/dns-answers/index.js';
import type { Api } from '../../http/api.js';

const POLICY_HOST = 'mta-sts.';

/**
 * Declares `GET /.well-known/mta-sts.txt`. `domains` are in A-labels, `policyText` is from `buildStsPolicy`, and Mailkeel
 * receives all mail of `zone`.
 */
export function policyFileRoutes(
  app: Api,
  {
    domains,
    policyText,
    zone = null,
  }: { domains: readonly string[]; policyText: string; zone?: string | null },
): void {
  const hosts = new Set(domains.map((domain) => `${POLICY_HOST}${canonicalHost(domain)}`));
  const options = { config: { public: true }, schema: { hide: true } };
  app.get('/.well-known/mta-sts.txt', options, (request, reply) => {
    const host = canonicalHost(request.hostname);
    const isInZone = zone !== null && host.startsWith(POLICY_HOST) && labelsBelow(host, zone) !== null;
    if (!hosts.has(host) && !isInZone) throw new Refusal('not_found');
    return reply.type('text/plain; charset=utf-8').send(policyText);
  });
}
