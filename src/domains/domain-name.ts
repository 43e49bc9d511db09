// Validates sending domains, which must be registrable (RFC 1035 names, IDN as A-labels).
import { getDomain } from 'tldts';
import { invalidFields } from '../contract/refusal.js';
import { addressDomain, domainProblem } from '../lib/mime/index.js';
import { zoneDomainProblem } from './zone/zone-names.rules.js';
import { labelsBelow } from '../lib/dns-answers/index.js';

/** Leaves room for the names below the domain within the 253 characters of a DNS name. */
const LONGEST_DOMAIN = 200;

/**
 * Returns the domain in lower case and A-labels. Refuses (422 on `field`) an invalid name, a public suffix, Mailkeel's own
 * names and, with a zone, names in it that a sub-tenant cannot have.
 */
export function readSendingDomain(
  input: string,
  field: string,
  serverNames: readonly string[] = [],
  zone: string | null = null,
): string {
  const typed = input.trim().replace(/\.$/, '');
  const problem = domainProblem(typed);
  if (problem !== null) throw invalidFields([{ path: field, message: problem }]);
  const domain = addressDomain(`postmaster@${typed}`);
  const refused =
    unusable(domain, serverNames) ?? (zone === null ? null : misplaced(domain, zone, serverNames));
  if (refused !== null) throw invalidFields([{ path: field, message: refused }]);
  return domain;
}

function unusable(domain: string, serverNames: readonly string[]): string | null {
  if (domain.length > LONGEST_DOMAIN) return `The domain is longer than ${LONGEST_DOMAIN} characters.`;
  if (getDomain(domain) === null) {
    return `Under ${domain} anyone can register domains. Use your own domain.`;
  }
  if (serverNames.includes(domain)) return `${domain} is reserved for this server.`;
  return null;
}

function misplaced(domain: string, zone: string, serverNames: readonly string[]): string | null {
  return labelsBelow(domain, zone) === null ? null : zoneDomainProblem(domain, zone, serverNames);
}
