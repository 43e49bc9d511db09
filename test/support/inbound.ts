// Adds inbound mail to the program, from the listener to the rows: every mail is admitted by its recipient, stored, and processed
// by the real process with the real parser.
import type { TokenKey } from '../../src/lib/tokens/index.js';
import { readOutboundRules } from '../../src/outbound/route/outbound-rules.js';
import { createWakeUp } from '../../src/lib/concurrency/index.js';
import { type Clock, createLog, systemClock } from '../../src/lib/runtime/index.js';
import { readShipped } from '../../src/settings/shipped.js';
import { MailReader } from '../../src/inbound/classify/mail-reader.js';
import { InboundProcess } from '../../src/inbound/classify/process.js';
import type { InboundContext } from '../../src/inbound/context.js';
import { Receiver } from '../../src/inbound/receiver.js';
import { assembleProgram, TOKEN_KEY } from './program.js';
import { waitFor } from './wait.js';

export const BOUNCE_DOMAIN = 'bounce.platform.example';
export const INBOUND_DOMAIN = 'in.platform.example';
export const FBL = `fbl@${BOUNCE_DOMAIN}`;
/** The client that complaints are believed from without a signature. */
export const FEEDBACK_SOURCE = '198.51.100.9';

const HOST_NAME = 'mx.platform.example';
/** The sending IP of the sent mail, which reports name. */
const OWN_ADDRESS = '192.0.2.80';

export interface Posted {
  raw: Uint8Array | string;
  to: string;
  from?: string;
  client?: string;
}

export interface SettledRow {
  rcpt_to: string;
  state: string;
  outcome: string | null;
  detail: Record<string, unknown>;
  attempts: number;
}

/** With the shipped rules. Its threads load packages, which takes a fifth of a second of a core each. */
export function openMailReader(
  dnsServers: readonly string[],
  { threads = 2, lookUpsMs = 8_000 }: { threads?: number; /** For all of a mail. */ lookUpsMs?: number } = {},
): MailReader {
  return new MailReader({
    replyRules: readShipped('reply-rules'),
    dns: { servers: dnsServers, hostName: HOST_NAME, totalTimeoutMs: lookUpsMs },
    threads,
    onFault: (fault) => {
      throw new Error(fault);
    },
  });
}

export type InboundProgram = Awaited<ReturnType<typeof startInbound>>;

export interface InboundOptions {
  /** The program's by default. */
  tokenKey?: TokenKey;
  dnsServers?: readonly string[];
  /** No limits by default. */
  quota?: InboundContext['quota'];
  clock?: Clock;
  /** Replaces methods of the real reader. */
  reader?: (real: MailReader) => Partial<Pick<MailReader, 'read' | 'authenticate' | 'readReport'>>;
  /** A shared reader, which the caller closes. A new one by default. */
  sharedReader?: MailReader;
}

export async function startInbound(options: InboundOptions = {}) {
  const { tokenKey = TOKEN_KEY, dnsServers = [], clock = systemClock } = options;
  const program = await assembleProgram({
    clock,
    settings: {
      authenticateMail: dnsServers.length > 0,
      bounceDomain: BOUNCE_DOMAIN,
      dnsAddresses: [OWN_ADDRESS],
      feedbackAddresses: ['fbl', 'abuse'],
      feedbackSources: [FEEDBACK_SOURCE],
      hostname: HOST_NAME,
      inboundDomain: INBOUND_DOMAIN,
      inboundMemoryBytes: 64_000_000,
      inboundThreads: 1,
      platformDomain: 'platform.example',
    },
  });
  const { store, config } = program;
  const wakeUp = createWakeUp();
  const real = options.sharedReader ?? openMailReader(dnsServers);
  const context: InboundContext = {
    store,
    config,
    keys: { tokenKeys: { active: tokenKey, all: [tokenKey] } },
    rules: readOutboundRules(config),
    clock,
    log: createLog('silent'),
    quota: options.quota ?? { changes: () => [] },
    onQueued: () => undefined,
    onSpooled: () => undefined,
    onEvents: () => undefined,
    onReports: () => undefined,
  };
  const receiver = new Receiver(context, () => wakeUp.notify());
  const reader = {
    read: (...read: Parameters<MailReader['read']>) => real.read(...read),
    authenticate: (...mail: Parameters<MailReader['authenticate']>) => real.authenticate(...mail),
    readReport: (...read: Parameters<MailReader['readReport']>) => real.readReport(...read),
    ...options.reader?.(real),
  };
  const makeProcess = () => new InboundProcess(context, { reader, wakeUp });
  let process = makeProcess();

  /** Stores a mail as the listener does; throws if it would refuse it. */
  async function keep({ raw, to, from = '', client = '192.0.2.7' }: Posted): Promise<void> {
    const recipient = await receiver.findRecipient(to);
    if (!recipient) throw new Error(`${to} would be refused`);
    await receiver.keep(typeof raw === 'string' ? Buffer.from(raw) : raw, {
      mailFrom: from,
      recipients: [recipient],
      client: { address: client, helo: 'client.example', tls: null },
    });
  }

  /** Every mail that has arrived, by recipient, once none is waiting. */
  async function settled(deadlineMs = 60_000): Promise<SettledRow[]> {
    const rows = await waitFor(
      'all mail to be worked on',
      () => store.inbound.latest(1_000),
      (found) => found.every(({ state }) => state !== 'waiting'),
      deadlineMs,
    );
    return rows.reverse().map(({ rcpt_to, state, outcome, attempts, detail }) => ({
      rcpt_to,
      state,
      outcome,
      attempts,
      detail: JSON.parse(detail ?? '{}') as Record<string, unknown>,
    }));
  }

  return {
    ...program,
    keep,
    settled,
    start: () => process.start(),
    ring: () => wakeUp.notify(),
    /** Stops working, and is ready to start again. */
    async pause(): Promise<void> {
      await process.stop();
      process = makeProcess();
    },
    async close(): Promise<void> {
      await process.stop();
      if (options.sharedReader === undefined) await real.close();
      await program.close();
    },
  };
}
