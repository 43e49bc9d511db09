// The result for mail that could not be authenticated; apart, so that it needs no package.
import type { MailAuthentication } from './mail-authentication.js';

/** The result for a message that was not authenticated. */
export function unauthenticated(result: 'temperror' | 'permerror'): MailAuthentication {
  return {
    spf: { result, domain: null },
    dkim: [],
    dmarc: { result, policy: null, domain: null },
    arc: { result: result === 'temperror' ? 'temperror' : 'policy' },
    fromDomain: null,
    authenticatedDomains: [],
  };
}
