// A mail whose octets are not looked at any more, because reading them failed again and again: what its envelope alone says.
import type { ParsedMail } from '../../lib/mime/parsed-mail.js';
import type { InboundMail } from '../inbound.store.js';
import type { Verdict } from './classification.js';

/** What a received message shows in place of its content; its raw form has everything. */
export function unreadMail(): ParsedMail {
  return {
    fields: [],
    from: null,
    replyTo: [],
    to: [],
    cc: [],
    subject: '',
    messageId: null,
    inReplyTo: [],
    references: [],
    date: null,
    text: null,
    html: null,
    parts: [],
    problems: ['The mail could not be read and is kept as it came: see its raw form.'],
  };
}

/** The classification by the address that was written to; null where the address alone does not say what to do. */
export function verdictOfUnread({
  kind,
  mail_from,
}: Pick<InboundMail, 'kind' | 'mail_from'>): Verdict | null {
  switch (kind) {
    case 'reply':
    case 'mailbox':
      return { kind: 'reply', autoReply: null };
    case 'unsubscribe':
      // A machine's answer has the null sender (RFC 3834, RFC 3464): it asks for nothing.
      return mail_from === '' ? null : { kind: 'unsubscribe' };
    case 'return_path':
    case 'feedback':
      return null;
  }
}
