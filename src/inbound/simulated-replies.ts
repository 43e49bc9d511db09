// Writes the sandbox's replies to messages, and spools them like received mail.
import { replyAddress } from '../messages/mail-tokens.rules.js';
import type { TokenKey } from '../lib/tokens/index.js';
import { replyHeaders, replySubject } from '../lib/mime/index.js';
import { simulatedReply } from './simulated-reply.rules.js';
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
