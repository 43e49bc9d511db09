// The names of a sending domain's own that lead to us: where its bounces and its replies come in, and its links lead.
import { getDomain } from 'tldts';

/** Columns of a sub-tenant's row about its names; null: the name below its sending domain. */
export interface NamedDomain {
  sending_domain: string;
  return_path_domain: string | null;
  inbound_domain: string | null;
  tracking_domain: string | null;
}

export interface OwnNames {
  returnPath: string;
  inbound: string;
  tracking: string;
}

/** Returns the host names of a domain: those that its owner chose, or else the defaults. Unique indexes cover the same names. */
export function effectiveNames(domain: NamedDomain): OwnNames {
  const given = defaultNames(domain.sending_domain);
  return {
    returnPath: domain.return_path_domain ?? given.returnPath,
    inbound: domain.inbound_domain ?? given.inbound,
    tracking: domain.tracking_domain ?? given.tracking,
  };
}

/** The names of a domain whose owner chose none. */
export function defaultNames(sendingDomain: string): OwnNames {
  return {
    returnPath: `bounce.${sendingDomain}`,
    inbound: `reply.${sendingDomain}`,
    tracking: `click.${sendingDomain}`,
  };
}

/**
 * Whether SPF of mail with this return path aligns with a From below the sending domain (RFC 7489 section 3.1.2): both
 * have one registrable domain. Suffixes of hosting companies count as public ones, so that no customer of one takes a
 * name below another's.
 */
export function hasSameOwner(name: string, sendingDomain: string): boolean {
  const owner = registrableDomain(sendingDomain);
  return owner !== null && registrableDomain(name) === owner;
}

function registrableDomain(name: string): string | null {
  return getDomain(name, { allowPrivateDomains: true });
}

/** The domain itself first; never a single label. */
export function domainsAbove(domain: string): string[] {
  const labels = domain.split('.');
  return labels.slice(0, labels.length - 1).map((_label, from) => labels.slice(from).join('.'));
}
