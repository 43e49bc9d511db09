// What comes in, from the listener's door to the rows, on a real database file: every mail is admitted by its recipient,
// kept, and worked on by the real process with the real parser.
import { join } from 'node:path';
import { compileDsnRules } from '../../src/lib/dsn/index.js';
import type { TokenKey } from '../../src/lib/tokens/index.js';
import { allowedAddressTest } from '../../src/lib/addresses/index.js';
import { compileBounceRules } from '../../src/outbound/outcome/bounce-class.rules.js';
import { compileProviders } from '../../src/outbound/route/provider.rules.js';
import { createWakeUp } from '../../src/lib/concurrency/index.js';
import { type Clock, createLog, systemClock } from '../../src/lib/runtime/index.js';
import { readShipped } from '../../src/settings/shipped.js';
import type { Row, Value } from '../../src/database/engine/engine.js';
import { createStore } from '../../src/app/store.js';
import { createAdmit } from '../../src/inbound/admit.js';
import { createMailReader, type MailReader } from '../../src/inbound/classify/mail-reader.js';
import { createInboundProcess } from '../../src/inbound/classify/process.js';
import { openMigratedFile, temporaryFolder } from './open-engines.js';
import { shippedReplyRules } from './reply-rules.js';
import { waitFor } from './wait.js';

export const BOUNCE_DOMAIN = 'bounce.platform.example';
export const INBOUND_DOMAIN = 'in.platform.example';
export const FBL = `fbl@${BOUNCE_DOMAIN}`;
/** The client that complaints are believed from without a signature. */
export const FEEDBACK_SOURCE = '198.51.100.9';

/** The address that our mail leaves from, as reports name it. */
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

/** With the shipped rules. Its threads load packages: a fifth of a second of a core each. */
export function openMailReader(
  dnsServers: readonly string[],
  { threads = 2, lookUpsMs = 8_000 }: { threads?: number; /** For all of a mail. */ lookUpsMs?: number } = {},
): MailReader {
  return createMailReader({
    replyRules: readShipped('reply-rules'),
    dns: { servers: dnsServers, hostName: 'mx.platform.example', totalTimeoutMs: lookUpsMs },
    threads,
    onFault: (fault) => {
      throw new Error(fault);
    },
  });
}

export type InboundRig = Awaited<ReturnType<typeof startInboundRig>>;

export async function startInboundRig(options: {
  tokenKey: TokenKey;
  dnsServers?: readonly string[];
  clock?: Clock;
  /** In place of the real one, or around it. */
  reader?: (real: MailReader) => MailReader;
  /** One that several rigs share, which the caller closes. Default: one of its own. */
  sharedReader?: MailReader;
}) {
  const { tokenKey, dnsServers = [], clock = systemClock } = options;
  const folder = temporaryFolder();
  const opened = await openMigratedFile(join(folder.path, 'mail.db'));
  const store = createStore(opened.engine, { maxGroup: 200 });
  const wakeUp = createWakeUp();
  const real = options.sharedReader ?? openMailReader(dnsServers);
  const admit = createAdmit({
    store,
    tokenKeys: [tokenKey],
    settings: {
      ownDomains: [BOUNCE_DOMAIN, INBOUND_DOMAIN],
      feedbackLocals: ['fbl', 'abuse'],
    },
    clock,
    ring: () => wakeUp.notify(),
  });
  const providers = compileProviders(readShipped('providers'));
  const makeProcess = () =>
    createInboundProcess({
      store,
      reader: options.reader?.(real) ?? real,
      tokenKeys: [tokenKey],
      rules: {
        dsn: compileDsnRules(readShipped('dsn-rules')),
        reply: shippedReplyRules(),
        providers,
        bounce: compileBounceRules(readShipped('bounce-rules'), providers),
      },
      settings: { parallel: 16, memoryOctets: 64_000_000, authenticate: dnsServers.length > 0 },
      isFeedbackSource: allowedAddressTest([FEEDBACK_SOURCE]),
      reports: {
        ownDomains: [BOUNCE_DOMAIN, INBOUND_DOMAIN],
        platformDomain: 'platform.example',
        sending: { isOurAddress: allowedAddressTest([OWN_ADDRESS]), knowsAllAddresses: true },
      },
      clock,
      log: createLog('silent'),
      wakeUp,
      onEvents: () => undefined,
      onReports: () => undefined,
    });
  let process = makeProcess();

  /** As the listener does; throws where it would refuse. */
  async function keep({ raw, to, from = '', client = '192.0.2.7' }: Posted): Promise<void> {
    const recipient = await admit.recipient(to);
    if (!recipient) throw new Error(`${to} would be refused`);
    await admit.keep(typeof raw === 'string' ? Buffer.from(raw) : raw, {
      mailFrom: from,
      recipients: [recipient],
      client: { address: client, helo: 'client.example', tls: null },
    });
  }

  /** Every mail that came so far, by its recipient, once none waits. */
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
    store,
    keep,
    settled,
    raw: (statement: string, values: readonly Value[] = []): Promise<Row[]> => opened.raw(statement, values),
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
      await store.drain();
      await opened.close();
      folder.remove();
    },
  };
}
