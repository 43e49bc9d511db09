// Composes a reply from the mailbox simulator in the form of a person's mail program, with the original message quoted.
import { addressDomain, composeMessage, formatDate, joinMessage, type Mailbox } from '../lib/mime/index.js';

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

export function simulatedReply({ original, ...reply }: SimulatedReply): Buffer {
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
