// Names of the delegated zone: the labels that sub-tenants may have, and the records that a name has.
import { canonicalHost, labelsBelow } from '../../lib/dns-answers/index.js';

/** Label above the keys of sub-tenants with aliases: `<selector>.<tenant>.dkim.<zone>`. */
const KEYS_LABEL = 'dkim';
/** Names that software guesses, or that look like the platform's own. */
const RESERVED: ReadonlySet<string> = new Set([
  ...[KEYS_LABEL, 'www', 'web', 'mail', 'email', 'smtp', 'imap', 'pop', 'webmail', 'relay', 'send', 'out'],
  ...['bounce', 'bounces', 'reply', 'click', 'track', 'unsubscribe', 'spf', 'dmarc', 'mta-sts', 'autoconfig'],
  ...['autodiscover', 'wpad', 'isatap', 'localhost', 'api', 'admin', 'app', 'dashboard', 'status', 'ftp'],
  ...['postmaster', 'hostmaster', 'webmaster', 'abuse', 'security', 'root', 'test', 'default'],
]);
const NUMBERED = /^(?:ns|mx|dns|mta)\d*$/;
const TENANT_PART = /^[0-9a-z]{26}$/;

/** Owner of the records at a name. Names are in lower case and without a final dot. */
export type ZonePlace =
  | { kind: 'outside' }
  /** The platform's own names only. */
  | { kind: 'own' }
  /** A sub-tenant may have this domain, one label below the zone. */
  | { kind: 'domain'; domain: string }
  | { kind: 'keys'; tenantId: string };

export function placeInZone(name: string, zone: string): ZonePlace {
  const labels = labelsBelow(name, zone);
  if (labels === null) return { kind: 'outside' };
  const nearest = labels.at(-1);
  if (nearest === undefined) return { kind: 'own' };
  if (nearest === KEYS_LABEL) {
    const tenant = labels.at(-2) ?? '';
    return TENANT_PART.test(tenant) ? { kind: 'keys', tenantId: `tnt_${tenant}` } : { kind: 'own' };
  }
  if (isReservedLabel(nearest)) return { kind: 'own' };
  return { kind: 'domain', domain: `${nearest}.${canonicalHost(zone)}` };
}

/** Returns the empty non-terminal above the keys. */
export function keysRoot(zone: string): string {
  return `${KEYS_LABEL}.${zone}`;
}

function isReservedLabel(label: string): boolean {
  return RESERVED.has(label) || NUMBERED.test(label) || label.startsWith('_');
}

/** Returns a sentence that says why no sub-tenant can have this sending domain in the zone, or `null`. */
export function zoneDomainProblem(
  domain: string,
  zone: string,
  serverNames: readonly string[],
): string | null {
  const labels = labelsBelow(domain, zone);
  const [label] = labels ?? [];
  if (label === undefined) {
    return `${zone} is the DNS zone of this server. Use a name one label below it.`;
  }
  if (labels?.length !== 1)
    return `A sending domain under ${zone} must add exactly one label, such as customer.${zone}.`;
  const isOurs = serverNames.some((name) => labelsBelow(name, domain) !== null);
  return isReservedLabel(label) || isOurs ? `${domain} is a reserved name. Use another label.` : null;
}
