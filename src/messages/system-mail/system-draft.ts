// Mail that the appliance writes itself, as a draft: to one recipient, in plain text, without anything that only customers ask for.
import { addressKey, type Mailbox } from '../../lib/mime/address.js';
import type { Draft } from '../accept/plan-message.js';

/** What the appliance's own mails differ in; the rest of a draft is the same for all of them. */
export type SystemMail = Pick<Draft, 'priority' | 'subject' | 'text' | 'headers'> & {
  publicId: string;
  to: string;
  from: Mailbox;
} & Partial<Pick<Draft, 'attachments' | 'tlsTerms' | 'nullSender'>>;

export function systemDraft({ publicId, to: email, ...mail }: SystemMail): Draft {
  const to = { email, name: null };
  return {
    type: 'transactional',
    publicIds: [publicId],
    recipients: [{ ...to, key: addressKey(email), role: 'to', path: 'to' }],
    to: [to],
    cc: [],
    // Answers go to who wrote, not into a thread that nobody reads; a report has no such thread.
    replyTo: mail.nullSender === true ? [] : [mail.from],
    html: null,
    template: null,
    attachments: [],
    tags: [],
    metadata: '{}',
    trackOpens: false,
    trackClicks: false,
    scheduledAt: null,
    expiresAt: null,
    tlsTerms: 'policy',
    threadId: null,
    topic: null,
    source: null,
    relayed: null,
    nullSender: false,
    suppressed: new Map(),
    ...mail,
  };
}
