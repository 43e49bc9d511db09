// The draft of a message: everything decided about it, before it is stored. All producers start from `newDraft`.
import type { MessageType, Priority } from '../../contract/names.js';
import { addressKey, type Mailbox } from '../../lib/mime/index.js';
import type { DsnOptions } from '../../lib/dsn/index.js';
import type { ForwardTrace } from '../inboxes/forwards.tables.js';
import type { TlsTerms } from '../tls-terms.rules.js';
import type { Recipient } from './recipients.js';
import type { Topic } from './topic.js';
import type { NewAttachment } from './accept.store.js';

export interface Draft {
  /** One per recipient, in their order. */
  publicIds: readonly string[];
  recipients: readonly Recipient[];
  /** Recipients in the To header. */
  to: readonly Mailbox[];
  cc: readonly Mailbox[];
  type: MessageType;
  priority: Priority;
  from: Mailbox;
  /** If empty, the service adds its signed reply address, except to mail from a vendor API. */
  replyTo: readonly Mailbox[];
  subject: string;
  html: string | null;
  text: string | null;
  template: { id: string; version: number } | null;
  headers: readonly (readonly [name: string, value: string])[];
  /** The submitter's Message-ID without angle brackets. `null` if Mailkeel generates one. */
  rfcMessageId: string | null;
  attachments: NewAttachment[];
  tags: string[];
  /** JSON text. */
  metadata: string;
  trackOpens: boolean;
  trackClicks: boolean;
  scheduledAt: number | null;
  /** When delivery attempts end at the latest; null leaves that to the queue lifetime. */
  expiresAt: number | null;
  tlsTerms: TlsTerms;
  /** The thread of the message. `null` if it has none. */
  threadId: string | null;
  /** The list of the message. Recipients who unsubscribed from it are in `suppressed` with `left_list`. `null` if there is none. */
  topic: Topic | null;
  /** The campaign or the sequence of the copy; null for a message on its own. */
  source: MessageSource | null;
  /** Present for mail submitted by SMTP. */
  relayed: RelayedPart | null;
  /** Present for a received message that is forwarded unchanged, regardless of its author. */
  forward: ForwardTrace | null;
  /** Sends with the null reverse-path, for reports: no bounce or report answers it. */
  nullSender: boolean;
  /** The recipient asked for it, so a suppression of the reason `unsubscribe` does not block it. */
  askedFor: boolean;
  /** A vendor API accepted it: any Reply-To is allowed, and the service adds none. */
  fromVendorApi: boolean;
  /** Reasons by address key why a recipient is not written to. */
  suppressed: ReadonlyMap<string, string>;
}

/** The source of a copy, and its variant: a variant's tag, a split's key, a step's id; null for the base. */
export type MessageSource = { variant: string | null } & ({ campaignId: string } | { sequenceId: string });

export interface RelayedPart {
  raw: Uint8Array;
  /** The DSN options of a recipient, by address key. */
  dsnOf: (recipientKey: string) => DsnOptions | null;
}

type Needed = 'publicIds' | 'recipients' | 'to' | 'from' | 'subject';

/** A transactional message without content, tracking, schedule or source; `given` names what differs. */
export function newDraft(given: Pick<Draft, Needed> & Partial<Draft>): Draft {
  return {
    cc: [],
    type: 'transactional',
    priority: 'normal',
    replyTo: [],
    html: null,
    text: null,
    template: null,
    headers: [],
    rfcMessageId: null,
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
    forward: null,
    nullSender: false,
    askedFor: false,
    fromVendorApi: false,
    suppressed: new Map(),
    ...given,
  };
}

/** The id, the recipient and the To header of a message to one mailbox; `key` is derived from the address if not given. */
export function toOne(
  publicId: string,
  { email, name }: Mailbox,
  key: string = addressKey(email),
): Pick<Draft, 'publicIds' | 'recipients' | 'to'> {
  const mailbox = { email, name };
  return {
    publicIds: [publicId],
    recipients: [{ ...mailbox, key, role: 'to', path: 'to' }],
    to: [mailbox],
  };
}
