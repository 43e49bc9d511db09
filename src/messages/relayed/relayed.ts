// The draft of mail submitted as MIME: the envelope names the recipients, and the bytes are sent unchanged.
import type { MessageType, Priority } from '../../contract/names.js';
import { addressKey, type Mailbox } from '../../lib/mime/index.js';
import type { TlsTerms } from '../tls-terms.rules.js';
import type { DsnOptions } from '../../lib/dsn/index.js';
import { newDraft, type Draft } from '../accept/draft.js';
import type { Recipient } from '../accept/recipients.js';
import type { NewAttachment } from '../accept/accept.store.js';

/** A submitted mail, read and checked, without what depends on stored rows. */
export interface RelayedMail {
  raw: Uint8Array;
  /** The recipients of the envelope, each address once. */
  recipients: readonly { email: string; dsn: DsnOptions | null }[];
  from: Mailbox;
  /** Further originators that the header names. */
  otherOriginators: readonly Mailbox[];
  replyTo: Mailbox[];
  /** Recipients in the To header. */
  to: readonly Mailbox[];
  cc: readonly Mailbox[];
  subject: string;
  html: string | null;
  text: string | null;
  attachments: NewAttachment[];
  /** Without angle brackets; `null` if missing or invalid. */
  rfcMessageId: string | null;
  type: MessageType;
  priority: Priority;
  tags: string[];
  /** JSON text. */
  metadata: string;
  subTenantId: string | null;
  idempotencyKey: string | null;
  /** Options that the request sets outside `raw`; a request with the same key must repeat them. */
  options: Readonly<Record<string, unknown>>;
  sendAt: string | null;
  expiresAt: string | null;
  tlsTerms: TlsTerms;
  /** Value of the Received field for the submission. */
  received: string;
  trackOpens: boolean;
  trackClicks: boolean;
}

interface Times {
  scheduledAt: number | null;
  expiresAt: number | null;
  newId: () => string;
}

export function draftOfRelayed(mail: RelayedMail, { scheduledAt, expiresAt, newId }: Times): Draft {
  const dsn = new Map(mail.recipients.map((recipient) => [addressKey(recipient.email), recipient.dsn]));
  const { from, replyTo, to, cc, subject, html, text, attachments } = mail;
  const { type, priority, tags, metadata, tlsTerms, trackOpens, trackClicks } = mail;
  return newDraft({
    from,
    replyTo,
    to,
    cc,
    subject,
    html,
    text,
    attachments,
    type,
    priority,
    tags,
    metadata,
    tlsTerms,
    trackOpens,
    trackClicks,
    publicIds: mail.recipients.map(newId),
    recipients: mail.recipients.map((recipient) => recipientOf(recipient.email, mail)),
    // The mail's other header fields are in its octets.
    headers: [['Received', mail.received]],
    rfcMessageId: mail.rfcMessageId,
    scheduledAt,
    expiresAt,
    relayed: {
      raw: mail.raw,
      dsnOf: (recipientKey) => dsn.get(recipientKey) ?? null,
    },
  });
}

/** A recipient that the header does not show gets a blind copy. */
function recipientOf(email: string, { to, cc }: Pick<RelayedMail, 'to' | 'cc'>): Recipient {
  const key = addressKey(email);
  const named = (list: readonly Mailbox[]): Mailbox | undefined =>
    list.find((mailbox) => addressKey(mailbox.email) === key);
  const shown = named(to) ?? named(cc);
  const role = named(to) ? 'to' : named(cc) ? 'cc' : 'bcc';
  return { email, name: shown?.name ?? null, key, role, path: 'to' };
}
