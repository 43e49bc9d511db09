// The reason of a bounce in one sentence, for trail entries; the peer's own words stand beside it.
import type { BounceCategory } from '../../contract/names.js';

const REASONS: Readonly<Record<BounceCategory, string>> = {
  invalid_recipient: 'The address does not exist.',
  inactive_mailbox: 'The mailbox is disabled or no longer used.',
  bad_domain: 'The domain does not exist or takes no mail.',
  quota: 'The mailbox is full.',
  greylist: 'The server asked to try again later, and did not accept the message in time.',
  rate_limited: 'The server limits how much mail it takes.',
  spam_block: 'The server blocks mail from the sending address.',
  spam_content: 'The server takes the message for spam.',
  auth_failed: 'The message did not pass the authentication that the server asks for (SPF, DKIM or DMARC).',
  policy: 'A rule of the recipient or of its server refuses the message.',
  tls: 'No connection with the required encryption could be made.',
  too_large: 'The message is larger than the server takes.',
  network: 'The server could not be reached.',
  protocol: 'The server refused the form of the message or of the session.',
  expired: 'The message could not be delivered in time.',
  ambiguous: 'The connection broke before the server confirmed the message.',
  unknown: 'The server gave no reason that is known.',
};

export function bounceReason(category: BounceCategory): string {
  return REASONS[category];
}
