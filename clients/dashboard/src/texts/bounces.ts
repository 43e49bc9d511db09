// Texts of the page of bounces. The advice on a single message is on the message's page.
import { catalogue } from './texts.js';

const en = {
  title: 'Bounces',
  about: 'Undelivered messages by cause, with server replies and recommended actions.',
  subTenant: 'Sub-tenant',
  category: 'Category',
  cause: 'Cause',
  causes: {
    recipient: 'Recipient',
    sender: 'Sender',
    delivery: 'Delivery',
  },
  causeHints: {
    recipient: 'The address doesn’t accept mail. Permanent failures are suppressed automatically.',
    sender:
      'The receiving server rejected your mail for its reputation, authentication, content or sending rate. You can fix these.',
    delivery: 'Delivery failed because of the network or TLS, or the message expired.',
  },
  categories: {
    invalid_recipient: 'mailbox not found',
    inactive_mailbox: 'inactive mailbox',
    bad_domain: 'invalid domain',
    quota: 'mailbox full',
    greylist: 'greylisting',
    rate_limited: 'rate limited',
    spam_block: 'blocklisted',
    spam_content: 'spam content',
    auth_failed: 'authentication failed',
    policy: 'rejected by policy',
    tls: 'TLS failure',
    too_large: 'message too large',
    network: 'network failure',
    protocol: 'protocol error',
    expired: 'expired',
    ambiguous: 'outcome unknown',
    unknown: 'other',
  },
  advice: {
    invalid_recipient: 'Check the address with the recipient and correct it in your records.',
    inactive_mailbox: 'Remove the address from your lists.',
    bad_domain: 'Check the address for typos. The domain may also have expired.',
    quota: 'Contact the recipient another way and ask them to free up space.',
    greylist: 'Mailkeel retried until the message expired. Set a longer message lifetime.',
    rate_limited: 'Send more slowly to this provider. The queue lists the limits it requested.',
    spam_block: 'Look up your sending IP on the blocklist in the reply, fix the cause, then request removal.',
    spam_content:
      'Change the content the server objected to, such as links, attachments or wording. Resending it unchanged hurts your reputation.',
    auth_failed: 'Check the sender’s DNS records. SPF, DKIM and DMARC must be valid and aligned.',
    policy: 'Contact the domain’s postmaster with the server’s reply and its time.',
    tls: 'Tell the domain’s postmaster that their server’s TLS doesn’t match their published policy.',
    too_large: 'Link to large files instead of attaching them.',
    network: 'If other destinations fail too, check outbound port 25 under Host health.',
    protocol: 'Open the message to see the SMTP transcript.',
    expired:
      'Open the message to see the result of each attempt. A longer message lifetime can outlast temporary failures.',
    ambiguous:
      'The connection was lost before the server replied. Check with the recipient before you resend.',
    unknown: 'Open the message to see the SMTP transcript.',
  },
  total: 'Bounces',
  ownTitle: 'Sender blocks',
  ownAbout:
    'Rejections caused by your sending reputation, authentication, content or rate. Cleaning your lists won’t help. Fix the cause of each one.',
  ownNone: 'No sender blocks in this period.',
  chart: 'Bounces by day and cause',
  byCategory: 'Bounces by category and provider',
  provider: 'Provider',
  providerUnknown: 'unknown',
  count: 'Bounces',
  kind: 'Type',
  list: 'Bounced messages',
  recipient: 'Recipient',
  reply: 'Server reply',
  when: 'Time',
  what: 'Recommended action',
  behind: 'Recent events are still being counted.',
  emptyTitle: 'No bounces',
  empty: 'All messages from this period were delivered or are still queued.',
  listEmptyTitle: 'No bounced messages',
};

export const bounces = catalogue(en, () => import('./de/bounces.js').then(({ de }) => de));
export type BouncesTexts = typeof en;
