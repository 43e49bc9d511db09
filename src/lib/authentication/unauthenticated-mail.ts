// Builds the result for unauthenticated mail, in its own file so that it loads no package.
import type { MailAuthentication } from './mail-authentication.js';

/** Returns the result for a message that was not authenticated. */
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
