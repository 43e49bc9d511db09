// Wires inbound mail: the listener that spools it, the reader threads, and the process that classifies and records it.
import { createWakeUp } from '../lib/concurrency/index.js';
import {
  createClientAdmission,
  createSmtpListener,
  type SmtpListener,
  type ListenerHooks,
} from '../lib/smtp-server/index.js';
import { readShipped } from '../settings/shipped.js';
import type { ListenerContext } from './context.js';
import { MailReader } from './classify/mail-reader.js';
import { InboundProcess } from './classify/process.js';
import { inboundLimits } from './listener-settings.js';
import { OpenMailboxes } from './open-mailboxes.js';
import { Receiver, type ReceivingAddress } from './receiver.js';
import { addressDomain } from '../lib/mime/index.js';

export class Inbound {
  readonly reader: MailReader;
  readonly #context: ListenerContext;
  readonly #wakeUp = createWakeUp();
  readonly #process: InboundProcess;
  readonly #receiver: Receiver;

  constructor(context: ListenerContext) {
    const { config, log } = context;
    this.#context = context;
    this.reader = new MailReader({
      threads: config.inboundThreads,
      wallLimitMs: config.parseTimeLimitMs,
      replyRules: readShipped('reply-rules'),
      dns: { servers: config.dnsServers, hostName: config.hostname },
      onFault: (fault) => log.error({ fault }, 'authenticating inbound message failed'),
    });
    this.#process = new InboundProcess(context, { reader: this.reader, wakeUp: this.#wakeUp });
    this.#receiver = new Receiver(context, () => {
      this.notify();
      context.onSpooled();
    });
  }

  start(): void {
    this.#process.start();
  }

  /** Resolves when the messages in progress have been processed. The others stay in the spool. */
  async stop(): Promise<void> {
    await this.#process.stop();
    await this.reader.close();
  }

  /** Processes spooled mail now. */
  notify(): void {
    this.#wakeUp.notify();
  }

  /** Creates a listener, which can be started once. */
  createListener(): SmtpListener {
    const { config, certificates, isStorageFull, clock, log } = this.#context;
    const limits = inboundLimits(config);
    return createSmtpListener<never, InboundTarget>({
      name: config.hostname,
      host: config.inboundHost,
      port: config.inboundPort,
      fallbackPort: 2525,
      implicitTls: false,
      certificates,
      signIn: null,
      mendsLineEnds: false,
      oldTls: config.inboundOldTls,
      requireTls: false,
      limits: limits.listener,
      admission: createClientAdmission({ limits: limits.admission, clock }),
      hooks: inboundHooks(this.#receiver, new OpenMailboxes(this.#context), isStorageFull),
      log,
    });
  }
}

const NO_MAILBOX = { code: 550, enhanced: '5.1.1', text: 'No such mailbox' } as const;
const NO_RELAYING = {
  code: 550,
  enhanced: '5.7.1',
  text: 'Relaying denied; to send mail, sign in on the submission port',
} as const;

type InboundTarget = ReceivingAddress;

/**
 * Accepts mail from every client, and only for known recipients. If the store cannot write, the hooks reject, the client
 * gets 451 and retries later.
 */
function inboundHooks(
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
