// Whose doing a bounce is: the recipient's, the sender's, or that of the way between them.
import type { BounceCategory } from '../../contract/names.js';

export const BOUNCE_CAUSES = ['recipient', 'sender', 'delivery'] as const;
export type BounceCause = (typeof BOUNCE_CAUSES)[number];

const CAUSES: Readonly<Record<BounceCategory, BounceCause>> = {
  invalid_recipient: 'recipient',
  inactive_mailbox: 'recipient',
  bad_domain: 'recipient',
  quota: 'recipient',
  greylist: 'delivery',
  rate_limited: 'sender',
  spam_block: 'sender',
  spam_content: 'sender',
  auth_failed: 'sender',
  policy: 'sender',
  tls: 'delivery',
  too_large: 'sender',
  network: 'delivery',
  protocol: 'sender',
  expired: 'delivery',
  ambiguous: 'delivery',
  unknown: 'delivery',
};

export function bounceCause(category: BounceCategory): BounceCause {
  return CAUSES[category];
}
