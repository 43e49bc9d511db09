// The draft of a copy for one contact, which campaigns and sequences send.
import type { MessageType } from '../../contract/names.js';
import { shownLine } from '../../lib/mime/index.js';
import type { Copy } from '../../templates/rendering/copy.js';
import { newDraft, toOne, type Draft, type MessageSource } from './draft.js';
import type { Senders } from './sender.js';
import type { Contact } from '../../contacts/contacts.tables.js';

interface ContactMail {
  publicId: string;
  type: MessageType;
  contact: Pick<Contact, 'email' | 'email_key' | 'name'>;
  copy: Copy;
  template: { id: string; version: number };
  senders: Senders;
  /** Applies only if there is HTML. */
  tracked: { opens: boolean; clicks: boolean };
  source: MessageSource;
}

/**
 * The message of a contact that a campaign or a sequence skips because the address is suppressed. No copy is rendered: it
 * has the subject as written, placeholders included, and no body.
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
  // Names also come from files and forms, but a header field must be a single line.
  const to = { email: contact.email, name: shownLine(contact.name ?? '') || null };
  const { html, text } = copy;
  return newDraft({
    ...senders,
    ...toOne(publicId, to, contact.email_key),
    type,
    subject: copy.subject,
    html,
    text,
    template,
    trackOpens: html !== null && tracked.opens,
    trackClicks: html !== null && tracked.clicks,
    source,
  });
}
