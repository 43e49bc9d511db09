// The draft of mail that was submitted by SMTP: its envelope decides who gets it, its octets are what they get.
import type { MessageType, Priority } from '../../contract/names.js';
import { addressKey, type Mailbox } from '../../lib/mime/address.js';
import type { TlsTerms } from '../../outbound/deliver/delivery-plan.rules.js';
import type { DsnOptions } from '../../lib/dsn/dsn-options.js';
import type { NewAttachment } from '../../store/plan.js';
import type { Draft } from './plan-message.js';
import type { Recipient } from './recipients.js';

/** A submitted mail, read and checked by itself. */
export interface RelayedMail {
  raw: Uint8Array;
  /** Of the envelope, each address once. */
  recipients: readonly { email: string; dsn: DsnOptions | null }[];
  from: Mailbox;
  /** Who else the header says that it is from. */
  otherOriginators: readonly Mailbox[];
  replyTo: Mailbox[];
  /** As shown in the header. */
  to: readonly Mailbox[];
  cc: readonly Mailbox[];
  subject: string;
  html: string | null;
  text: string | null;
  attachments: NewAttachment[];
  /** Without angle brackets; null when it has none that is valid. */
  rfcMessageId: string | null;
  type: MessageType;
  priority: Priority;
  tags: string[];
  /** JSON text. */
  metadata: string;
  subTenantId: string | null;
  idempotencyKey: string | null;
  sendAt: string | null;
  expiresAt: string | null;
  tlsTerms: TlsTerms;
  /** Value of the Received field that tells of the submission. */
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
  return {
    ...mail,
    publicIds: mail.recipients.map(newId),
    recipients: mail.recipients.map((recipient) => recipientOf(recipient.email, mail)),
    template: null,
    // Its own are in the octets.
    headers: [['Received', mail.received]],
    scheduledAt,
    expiresAt,
    threadId: null,
    topic: null,
    source: null,
    relayed: {
      raw: mail.raw,
      rfcMessageId: mail.rfcMessageId,
      dsnOf: (recipientKey) => dsn.get(recipientKey) ?? null,
    },
    nullSender: false,
    suppressed: new Map(),
  };
}

/** Whom the header does not show gets a blind copy. */
function recipientOf(email: string, { to, cc }: Pick<RelayedMail, 'to' | 'cc'>): Recipient {
  const key = addressKey(email);
  const named = (list: readonly Mailbox[]): Mailbox | undefined =>
    list.find((mailbox) => addressKey(mailbox.email) === key);
  const shown = named(to) ?? named(cc);
  const role = named(to) ? 'to' : named(cc) ? 'cc' : 'bcc';
  return { email, name: shown?.name ?? null, key, role, path: 'to' };
}
