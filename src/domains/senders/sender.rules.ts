// Decides which From addresses a workspace or a sub-tenant may use.
import type { Mode } from '../../contract/names.js';
import { addressKey } from '../../lib/mime/index.js';

interface SenderFacts {
  mode: Mode;
  /** Address of the From header without its name, with IDNs as A-labels. */
  fromEmail: string;
  /** `status` as seen in the mail's environment. */
  tenant: { sending_domain: string; status: string } | null;
  /** Verified senders of the workspace, and of the sub-tenant if there is one. */
  senders: readonly { kind: 'address' | 'domain'; identity: string }[];
}

type SenderCheck =
  | { isAllowed: true; by: 'sandbox' | 'tenant' | 'sender' }
  | { isAllowed: false; code: 'sender_not_verified' | 'tenant_suspended' };

function domainOf(email: string): string | null {
  const at = email.lastIndexOf('@');
  const domain = email.slice(at + 1).toLowerCase();
  const hasBlank = /\s/.test(email.startsWith('"') ? domain : email);
  return at > 0 && domain !== '' && !hasBlank ? domain : null;
}

/** Returns whether a domain is the parent or below it: relaxed alignment of DMARC (RFC 7489 section 3.1). */
export function isWithin(domain: string, parent: string): boolean {
  return domain === parent.toLowerCase() || domain.endsWith(`.${parent.toLowerCase()}`);
}

/** Returns whether a sub-tenant with this status may not send. The domain's status matters to live mail only. */
export function isSendingBlocked(status: string, mode: Mode): boolean {
  return status === 'paused' || (mode === 'live' && status === 'suspended');
}

/** In test mode, any valid address passes, because nothing leaves the sandbox. */
export function senderCheck(facts: SenderFacts): SenderCheck {
  const domain = domainOf(facts.fromEmail);
  if (domain === null) return { isAllowed: false, code: 'sender_not_verified' };
  const { tenant, mode } = facts;
  if (tenant && isSendingBlocked(tenant.status, mode)) return { isAllowed: false, code: 'tenant_suspended' };
  if (mode === 'test') return { isAllowed: true, by: 'sandbox' };
  if (tenant?.status === 'verified' && isWithin(domain, tenant.sending_domain)) {
    return { isAllowed: true, by: 'tenant' };
  }
  const isTheirs = facts.senders.some(({ kind, identity }) =>
    kind === 'domain' ? isWithin(domain, identity) : addressKey(identity) === addressKey(facts.fromEmail),
  );
  return isTheirs ? { isAllowed: true, by: 'sender' } : { isAllowed: false, code: 'sender_not_verified' };
}

/** Matches local part, at sign and domain with a dot. The at sign and the dots may also be full-width or small forms. */
const ADDRESS_IN_NAME = /[^\s<>()[\]:;,"'@]{1,64}@[^\s<>()[\]:;,"'@]{1,253}\.[^\s<>()[\]:;,"'@.]{2,63}/u;
const ENCODED_WORD = /=\?[^?\s]{1,64}\?[bq]\?[^?]{0,500}\?=/i;

/**
 * Returns the address that a display name shows in place of the real one, which many mail clients hide. `null` without one. A
 * name that some clients decode again (RFC 2047) is decoded first.
 */
export function addressInDisplayName({ email, name }: { email: string; name: string | null }): string | null {
  if (name === null) return null;
  const text = name.normalize('NFKC').replace(/\p{Cf}/gu, '');
  const encoded = ENCODED_WORD.exec(text)?.[0];
  if (encoded !== undefined) return encoded;
  const shown = ADDRESS_IN_NAME.exec(text)?.[0];
  return shown === undefined || shown.toLowerCase() === email.toLowerCase() ? null : shown;
}
