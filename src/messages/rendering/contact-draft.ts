// A copy that was made for one contact, as a draft: what campaigns and sequences send.
import type { MessageType } from '../../contract/names.js';
import { shownLine } from '../../lib/mime/shown-line.js';
import type { Contact } from '../../contacts/contacts.store.js';
import type { Copy } from './copy.js';
import type { Draft, MessageSource } from '../accept/plan-message.js';
import type { Senders } from '../accept/sender.js';

export interface ContactMail {
  publicId: string;
  type: MessageType;
  contact: Pick<Contact, 'email' | 'email_key' | 'name'>;
  copy: Copy;
  template: { id: string; version: number };
  senders: Senders;
  /** As far as there is html to track. */
  tracked: { opens: boolean; clicks: boolean };
  source: MessageSource;
}

/**
 * What is kept of a contact whom a campaign or a sequence skips because the address is suppressed: a message that says so.
 * No copy is made for them; it has the subject as it is written, and no body.
 */
export function skippedDraft(
  mail: Omit<ContactMail, 'copy' | 'tracked'>,
  subject: string,
  reason: string,
): Draft {
  const copy = { subject, html: null, text: null };
  const draft = contactDraft({ ...mail, copy, tracked: { opens: false, clicks: false } });
  return { ...draft, suppressed: new Map([[mail.contact.email_key, reason]]) };
}

export function contactDraft(mail: ContactMail): Draft {
  const { publicId, type, contact, copy, template, senders, tracked, source } = mail;
  // Names come from files and forms, too: in a header there is one line.
  const to = { email: contact.email, name: shownLine(contact.name ?? '') || null };
  const { html, text } = copy;
  return {
    ...senders,
    publicIds: [publicId],
    recipients: [{ ...to, key: contact.email_key, role: 'to', path: 'to' }],
    to: [to],
    cc: [],
    type,
    priority: 'normal',
    subject: copy.subject,
    html,
    text,
    template,
    headers: [],
    attachments: [],
    tags: [],
    metadata: '{}',
    trackOpens: html !== null && tracked.opens,
    trackClicks: html !== null && tracked.clicks,
    scheduledAt: null,
    expiresAt: null,
    tlsTerms: 'policy',
    threadId: null,
    topic: null,
    source,
    relayed: null,
    nullSender: false,
    suppressed: new Map(),
  };
}
