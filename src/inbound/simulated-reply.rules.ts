// The answer that the sandbox's mailbox sends: a mail as a person's program makes it, with the quoted message below.
import { composeMessage, domainOf, formatDate, joinMessage, type Mailbox } from '../lib/mime/index.js';

export interface SimulatedReply {
  from: Mailbox;
  /** Where answers to the message come back to. */
  to: string;
  subject: string;
  /** In-Reply-To and References. */
  headers: readonly [name: string, value: string][];
  /** Public id of the message that is answered. */
  messageId: string;
  /** Tells answers to one message apart; null: it has the one. */
  serial: number | null;
  /** When it is answered, in epoch ms. */
  date: number;
  original: { from: Mailbox; date: number; text: string };
}

const MAX_QUOTED_CHARS = 16_384;
const ANSWER = [
  'Thank you for your message.',
  '',
  'This is an automatic reply from the mailbox simulator. No one has read your message.',
];

/** The octets as they would come in. */
export function simulatedReply({ original, ...reply }: SimulatedReply): Buffer {
  const { headerLines, body } = composeMessage({
    from: reply.from,
    to: [{ email: reply.to, name: null }],
    cc: [],
    replyTo: [],
    subject: reply.subject,
    messageId: `${nameOf(reply)}.reply@${domainOf(reply.from.email)}`,
    date: reply.date,
    html: null,
    text: [...ANSWER, '', introductionOf(original), ...quoted(original.text), ''].join('\n'),
    attachments: [],
    headers: reply.headers,
    boundarySeed: reply.messageId,
  });
  return joinMessage(headerLines, body);
}

function nameOf({ messageId, serial }: Pick<SimulatedReply, 'messageId' | 'serial'>): string {
  const own = messageId.slice(4);
  return serial === null ? own : `${own}.${serial}`;
}

function introductionOf({ from, date }: SimulatedReply['original']): string {
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
