// Writes the sandbox's replies to messages, and spools them like received mail.
import { replyAddress } from '../messages/mail-tokens.rules.js';
import type { TokenKey } from '../lib/tokens/index.js';
import {
  replyHeaders,
  replySubject,
  composeMessage,
  addressDomain,
  formatDate,
  joinMessage,
  type Mailbox,
} from '../lib/mime/index.js';
import type { Deliverable } from '../messages/deliverables.store.js';
import { waitingMail, type InboundClient } from './inbound.store.js';
import type { SimulatedReplies } from '../outbound/simulator/simulator.js';
import type { Change } from '../database/change.js';
import type { InboundContext } from './context.js';
import { spoolMail } from './spool.store.js';

/** No server sent the reply, so there is nothing to authenticate. */
const CLIENT: InboundClient = { address: '127.0.0.1', helo: 'simulator', tls: null, simulated: true };

export function createSimulatedReplies({
  store,
  keys,
  config,
}: Pick<InboundContext, 'store' | 'keys'> & {
  config: Pick<InboundContext['config'], 'inboundDomain'>;
}): SimulatedReplies {
  const address = { domain: config.inboundDomain, key: keys.tokenKeys.active };
  return async (messageIds, now, serial) => {
    const found = await store.messages.deliverables(messageIds);
    return new Map(
      [...found].map(([id, answered]) => [
        id,
        spooledReply(answered, address, { now, serial: serial ?? null }),
      ]),
    );
  };
}

function spooledReply(
  { message, content }: Deliverable,
  { domain, key }: { domain: string; key: TokenKey },
  { now, serial }: { now: number; serial: number | null },
): Change {
  const messageId = message.public_id;
  const to = replyAddress({ messageId, domain, key });
  const raw = simulatedReply({
    from: { email: message.to_email, name: message.to_name },
    to,
    subject: replySubject(message.subject),
    headers: replyHeaders({ messageId: content.rfc_message_id, references: [] }),
    messageId,
    serial,
    date: now,
    original: {
      from: { email: message.from_email, name: message.from_name },
      date: message.created_at,
      text: content.text ?? '',
    },
  });
  return spoolMail({
    raw,
    mails: [
      waitingMail({
        received_at: now,
        client: CLIENT,
        mail_from: message.to_email,
        rcpt_to: to,
        kind: 'reply',
        target: messageId,
      }),
    ],
  });
}

interface SimulatedReply {
  from: Mailbox;
  /** The reply address of the message. */
  to: string;
  subject: string;
  /** In-Reply-To and References. */
  headers: readonly [name: string, value: string][];
  /** Public id of the original message. */
  messageId: string;
  /** Distinguishes several replies to one message; `null` if there is only one. */
  serial: number | null;
  /** Epoch ms. */
  date: number;
  original: { from: Mailbox; date: number; text: string };
}

const MAX_QUOTED_CHARS = 16_384;
const ANSWER = [
  'Thank you for your message.',
  '',
  'This is an automatic reply from the mailbox simulator. No one has read your message.',
];

function simulatedReply({ original, ...reply }: SimulatedReply): Buffer {
  const { headerLines, body } = composeMessage({
    from: reply.from,
    to: [{ email: reply.to, name: null }],
    cc: [],
    replyTo: [],
    subject: reply.subject,
    messageId: `${replyName(reply)}.reply@${addressDomain(reply.from.email)}`,
    date: reply.date,
    html: null,
    text: [...ANSWER, '', attribution(original), ...quoted(original.text), ''].join('\n'),
    attachments: [],
    headers: reply.headers,
    boundarySeed: reply.messageId,
  });
  return joinMessage(headerLines, body);
}

function replyName({ messageId, serial }: Pick<SimulatedReply, 'messageId' | 'serial'>): string {
  const own = messageId.slice(4);
  return serial === null ? own : `${own}.${serial}`;
}

function attribution({ from, date }: SimulatedReply['original']): string {
  const name = (from.name ?? '').replace(/\s+/g, ' ');
  return `On ${formatDate(date)}, ${name === '' ? '' : `${name} `}<${from.email}> wrote:`;
}

function quoted(text: string): string[] {
  const lines = text
    .slice(0, MAX_QUOTED_CHARS)
    .trimEnd()
    .split(/\r?\n|\r/);
  return lines.map((line) => (line === '' ? '>' : `> ${line}`));
}
