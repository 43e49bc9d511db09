// Wires inbound mail: the listener that spools it, the reader threads, and the process that classifies and records it.
import { createWakeUp } from '../lib/concurrency/index.js';
import { createClientAdmission, createSmtpListener, type SmtpListener } from '../lib/smtp-server/index.js';
import { readShipped } from '../settings/shipped.js';
import type { ListenerContext } from './context.js';
import { MailReader } from './classify/mail-reader.js';
import { InboundProcess } from './classify/process.js';
import { inboundHooks, type InboundTarget } from './listener-hooks.js';
import { inboundLimits } from './listener-settings.js';
import { OpenMailboxes } from './open-mailboxes.js';
import { Receiver } from './receiver.js';

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
