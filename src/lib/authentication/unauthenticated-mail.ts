// The verdict on mail that could not be judged; apart, so that it can be had without the packages that judge.
import type { MailAuthentication } from './mail-authentication.js';

/** What is said of a message that nobody judged. */
export function unjudged(result: 'temperror' | 'permerror'): MailAuthentication {
  return {
    spf: { result, domain: null },
    dkim: [],
    dmarc: { result, policy: null, domain: null },
    arc: { result: result === 'temperror' ? 'temperror' : 'policy' },
    fromDomain: null,
    authenticatedDomains: [],
  };
}
