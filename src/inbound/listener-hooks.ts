// The inbound listener's questions, answered: who is written to, and what is kept.
import { domainOf } from '../lib/mime/index.js';
import type { ListenerHooks } from '../lib/smtp-server/index.js';
import type { Admit, Admitted } from './admit.js';
import type { OpenMailboxes } from './open-mailboxes.js';

const NO_MAILBOX = { code: 550, enhanced: '5.1.1', text: 'No such mailbox' } as const;
const NO_RELAYING = {
  code: 550,
  enhanced: '5.7.1',
  text: 'Relaying denied; to send mail, sign in on the submission port',
} as const;

export type InboundTarget = Admitted;

/** Everybody may send; only recipients that are ours are taken. A store that can't write is a fault: 451, and they keep it. */
export function inboundHooks(
  admit: Admit,
  openMailboxes: OpenMailboxes,
  storageIsFull: () => boolean,
): ListenerHooks<never, InboundTarget> {
  return {
    storageIsFull,
    async rcptTo(address) {
      const target = await admit.recipient(address);
      if (target !== null) return { target };
      const domain = domainOf(address);
      return { refusal: domain === '' || (await admit.isOurs(domain)) ? NO_MAILBOX : NO_RELAYING };
    },
    async data(raw, { mailFrom, recipients }, session) {
      if (recipients.every(({ target: { kind } }) => kind === 'feedback' || kind === 'report')) {
        const refusal = await openMailboxes.take(raw.length, session.client.address);
        if (refusal !== null) return refusal;
      }
      await admit.keep(raw, {
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
