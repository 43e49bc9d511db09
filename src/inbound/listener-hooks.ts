// Decides for the inbound listener which recipients it accepts, and stores accepted mail.
import { addressDomain } from '../lib/mime/index.js';
import type { ListenerHooks } from '../lib/smtp-server/index.js';
import type { OpenMailboxes } from './open-mailboxes.js';
import type { Receiver, ReceivingAddress } from './receiver.js';

const NO_MAILBOX = { code: 550, enhanced: '5.1.1', text: 'No such mailbox' } as const;
const NO_RELAYING = {
  code: 550,
  enhanced: '5.7.1',
  text: 'Relaying denied; to send mail, sign in on the submission port',
} as const;

export type InboundTarget = ReceivingAddress;

/**
 * Accepts mail from every client, and only for known recipients. If the store cannot write, the hooks reject, the client
 * gets 451 and retries later.
 */
export function inboundHooks(
  receiver: Receiver,
  openMailboxes: OpenMailboxes,
  storageIsFull: () => boolean,
): ListenerHooks<never, InboundTarget> {
  return {
    storageIsFull,
    async rcptTo(address) {
      const target = await receiver.findRecipient(address);
      if (target !== null) return { target };
      const domain = addressDomain(address);
      return { refusal: domain === '' || (await receiver.receivesFor(domain)) ? NO_MAILBOX : NO_RELAYING };
    },
    async data(raw, { mailFrom, recipients }, session) {
      if (recipients.every(({ target: { kind } }) => kind === 'feedback' || kind === 'report')) {
        const refusal = await openMailboxes.take(raw.length, session.client.address);
        if (refusal !== null) return refusal;
      }
      await receiver.keep(raw, {
        mailFrom,
        recipients: recipients.map(({ target }) => target),
        client: {
          address: session.client.address,
          helo: session.helo,
          tls: session.tls?.protocol ?? null,
        },
      });
      return { code: 250, enhanced: '2.6.0', text: 'Message accepted' };
    },
  };
}
