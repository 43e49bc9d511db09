// Inserts received mail as the rows that the inbound room writes, without the listener and its threads.
import { replyAddress } from '../../src/messages/mail-tokens.rules.js';
import { parseMail } from '../../src/lib/mail-parser/index.js';
import { splitReply } from '../../src/inbound/replies/quoted-reply.rules.js';
import { type MailAuthentication, unauthenticated } from '../../src/lib/authentication/index.js';
import type { Store } from '../../src/app/store.js';
import { placeReply } from '../../src/inbound/classify/place-reply.js';
import { examineMail } from '../../src/inbound/risk/examine-mail.js';
import { planReceived, type ReceivedPlan, senderOf } from '../../src/inbound/classify/reply-plan.js';
import { TOKEN_KEY } from './message-rig.js';
import { shippedReplyRules } from './reply-rules.js';
import { type InboundKind, inboundMessages } from '../../src/inbound/inbound.tables.js';
import { spoolMail } from '../../src/inbound/spool.store.js';
import { update } from '../../src/database/rows.js';
import type { InboxForward } from '../../src/messages/inboxes/forwards.tables.js';

export interface ReceivedWish {
  /** The message that it replies to, by its signed address; or the sub-tenant or sender of a mailbox. */
  target: string;
  /** The mailbox; a signed address by default. */
  rcptTo?: string;
  from?: string;
  /** The envelope sender. */
  mailFrom?: string;
  subject?: string;
  /** With its angle brackets; null if it has none. */
  messageId?: string | null;
  /** Additional header lines. */
  headers?: readonly string[];
  /** The rest after the fields above: MIME fields if there are any, an empty line, the body. */
  rest?: string;
  text?: string;
  dmarc?: MailAuthentication['dmarc']['result'];
  autoReply?: string;
  /** Addresses that its inbox forwards it to. */
  forwards?: readonly InboxForward[];
  at: number;
}

let mails = 0;

/** Spools a mail and creates its rows; returns the id of its message, and more. */
export async function receiveMail(store: Store, wish: ReceivedWish): Promise<ReceivedPlan> {
  const kind: InboundKind = wish.rcptTo === undefined ? 'reply' : 'mailbox';
  const rcptTo =
    wish.rcptTo ?? replyAddress({ messageId: wish.target, domain: 'in.platform.example', key: TOKEN_KEY });
  const raw = Buffer.from(octets(wish, rcptTo));
  await store.commit([
    spoolMail({
      raw,
      mails: [
        {
          received_at: wish.at,
          client: JSON.stringify({ address: '192.0.2.25', helo: 'mx.example.com', tls: 'TLSv1.3' }),
          mail_from: wish.mailFrom ?? 'bounces@example.com',
          rcpt_to: rcptTo,
          kind,
          target: wish.target,
          state: 'waiting',
          attempts: 0,
          due_at: wish.at,
          outcome: null,
          detail: null,
        },
      ],
    }),
  ]);
  const mail = (await store.inbound.due(wish.at, 10)).at(-1);
  if (!mail) throw new Error('Nothing was spooled.');
  const parsed = await parseMail(raw);
  const place = await placeReply(store, mail, parsed);
  if (!place) throw new Error('Whoever it was for is gone.');
  const { risk, shown } = await examineMail(parsed);
  const isFirst = !(await store.threads.hasWritten(place.scope, senderOf(mail, parsed).email));
  const plan = planReceived({
    mail,
    raw,
    parsed,
    visible: splitReply({ ...shown, subject: parsed.subject }, shippedReplyRules()),
    risk: { ...risk, first_time_sender: isFirst },
    place,
    autoReply: wish.autoReply ?? null,
    authentication: wish.dmarc === undefined ? null : authenticationOf(wish.dmarc),
    forwards: (wish.forwards ?? []).map((forward) => ({ forward, refusal: null })),
    forwarding: {
      hostname: 'mx.platform.example',
      lifetimes: { queueLifetimeMs: 86_400_000, marketingQueueLifetimeMs: 86_400_000 },
    },
  });
  await store.commit([
    ...plan.changes,
    update(inboundMessages, { set: { state: 'done' }, where: { id: mail.id } }),
  ]);
  return plan;
}

function octets(wish: ReceivedWish, rcptTo: string): string {
  const { from = 'Ann <ann@example.com>', subject = 'Re: Hello', messageId, headers = [] } = wish;
  const id = messageId === undefined ? `<mail-${++mails}@mail.example.com>` : messageId;
  const text = wish.text ?? 'Yes, please.';
  return [
    `From: ${from}`,
    `To: ${rcptTo}`,
    `Subject: ${subject}`,
    ...(id === null ? [] : [`Message-ID: ${id}`]),
    ...headers,
    wish.rest ?? `Content-Type: text/plain; charset=utf-8\r\n\r\n${text}\r\n`,
  ].join('\r\n');
}

function authenticationOf(result: MailAuthentication['dmarc']['result']): MailAuthentication {
  return {
    ...unauthenticated('temperror'),
    spf: { result: 'pass', domain: 'example.com' },
    dkim: [{ result: 'pass', domain: 'example.com', selector: 's1', aligned: true }],
    dmarc: { result, policy: 'reject', domain: 'example.com' },
    arc: { result: 'none' },
    fromDomain: 'example.com',
  };
}
