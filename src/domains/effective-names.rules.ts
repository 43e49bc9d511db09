// The host names of a sending domain that point to Mailkeel, for bounces, replies and links.
import { getDomain } from 'tldts';

/** A sub-tenant's columns for these names. `null` for the default below its sending domain. */
export interface CustomNames {
  sending_domain: string;
  return_path_domain: string | null;
  inbound_domain: string | null;
  tracking_domain: string | null;
}

export interface EffectiveNames {
  returnPath: string;
  inbound: string;
  tracking: string;
}

/** Returns the host names of a domain: those that its owner chose, or the defaults. Unique indexes cover the same names. */
export function effectiveNames(domain: CustomNames): EffectiveNames {
  const given = defaultNames(domain.sending_domain);
  return {
    returnPath: domain.return_path_domain ?? given.returnPath,
    inbound: domain.inbound_domain ?? given.inbound,
    tracking: domain.tracking_domain ?? given.tracking,
  };
}

/** Returns the default names of a domain. */
export function defaultNames(sendingDomain: string): EffectiveNames {
  return {
    returnPath: `bounce.${sendingDomain}`,
    inbound: `reply.${sendingDomain}`,
    tracking: `click.${sendingDomain}`,
  };
}

/**
 * Returns whether SPF of mail with this return path aligns with a From address below the sending domain (RFC 7489 section 3.1.2),
 * because both have the same registrable domain. Suffixes of hosting companies count as public, so that a customer cannot use a
 * name below another customer's.
 */
export function hasSameOwner(name: string, sendingDomain: string): boolean {
  const owner = registrableDomain(sendingDomain);
  return owner !== null && registrableDomain(name) === owner;
}

function registrableDomain(name: string): string | null {
  return getDomain(name, { allowPrivateDomains: true });
}

/** Returns the domain and its parents, longest first, without single labels. */
export function domainsAbove(domain: string): string[] {
  const labels = domain.split('.');
  return labels.slice(0, labels.length - 1).map((_label, from) => labels.slice(from).join('.'));
}
