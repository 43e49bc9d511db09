// The program with the servers that a company's mail needs: name servers, the mail servers of its recipients, which accept or
// refuse mail by its address, and a receiver of webhooks.
import { createAppliance, type ApplianceOptions } from '../appliance.js';
import { freePort } from '../free-port.js';
import { startDnsServer } from '../dns-server.js';
import { startHttpReceiver, type ReceivedRequest, type ScriptedReply } from '../http-receiver.js';
import { publish, receives, type ReturnedRecord } from '../mail-rig.js';
import { startSmtpSink } from '../smtp-sink.js';
import { tuned } from '../tuning.js';

export const OWNER = { email: 'olga@fernhill.example', password: 'the lamp is on the left side' };
/** The host that receives returned mail. */
export const PLATFORM_HOST = 'mta.fernhill.example';
const PLATFORM_DOMAIN = 'post.fernhill.example';

/** Domains of recipients whose mail arrives. */
export const MAILBOXES = ['posteo.example', 'brightmail.example', 'inbox.example', 'uni-halden.example'];
/** Uses a blocklist that contains Mailkeel's address. */
export const GUARDED_DOMAIN = 'guarded.example';
/** Puts everything off. */
export const BUSY_DOMAIN = 'slowmail.example';
/** Its mail server cannot be found. */
export const LOST_DOMAIN = 'lost-domain.example';

/** The company is leaving its former vendor: a share of the newsletter to one provider is delivered directly. */
const OUTBOUND = {
  smarthosts: [{ name: 'former-vendor', url: 'smtp://smtp.vendor.example:587' }],
  routes: [
    {
      ...{ name: 'leaving', domain: 'newsletter.example', via: ['pool:default', 'smarthost:former-vendor'] },
      ...{ share: 20, rise: { step: 10, every: '3d' } },
    },
  ],
  default: ['pool:default'],
};

const SETTINGS = {
  MAILKEEL_ALLOW_PRIVATE_MX: 'true',
  MAILKEEL_WEBHOOK_ALLOW_PRIVATE: 'true',
  MAILKEEL_WEBHOOK_SCHEDULE: '50ms,50ms',
  MAILKEEL_RATE_LIMIT_LIVE: '0',
  MAILKEEL_RATE_LIMIT_TEST: '0',
  MAILKEEL_RATE_LIMIT_AUTH_FAILURES: '0',
  MAILKEEL_SWEEP_SCHEDULE: '* * * * * *',
  MAILKEEL_LOG_LEVEL: 'warn',
  MAILKEEL_OUTBOUND: JSON.stringify(OUTBOUND),
  MAILKEEL_FEEDBACK_SOURCES: '127.0.0.0/8',
  ...tuned({ rollupIntervalMs: 200 }),
  MAILKEEL_HOSTNAME: PLATFORM_HOST,
  MAILKEEL_PLATFORM_DOMAIN: PLATFORM_DOMAIN,
  MAILKEEL_OWNER_EMAIL: OWNER.email,
  MAILKEEL_OWNER_PASSWORD: OWNER.password,
};

export interface ProgramOptions extends Pick<ApplianceOptions, 'port' | 'dataDir' | 'keys' | 'env'> {
  /** Servers that the caller closes; new ones by default. */
  around?: Around;
}

type Around = Awaited<ReturnType<typeof startAround>>;

export type DashboardProgram = Awaited<ReturnType<typeof startDashboardProgram>>;

/** Name server, receiver of webhooks, and the recipients' mail server. */
async function startAround() {
  const dns = await startDnsServer();
  const hooks = await startHttpReceiver();
  hooks.setDefault(answerTo);
  const sink = await startSmtpSink({ keep: true, name: 'mx.posteo.example', onRcpt: replyTo });
  for (const domain of [...MAILBOXES, BUSY_DOMAIN, GUARDED_DOMAIN]) receives(dns, domain);
  return { dns, hooks, sink };
}

/** A running program with an owner and nothing else, unless the folder has more. */
export async function startDashboardProgram(options: ProgramOptions = {}) {
  const { dataDir, keys, env = {} } = options;
  const port = options.port ?? (await freePort());
  const around = options.around ?? (await startAround());
  const { dns, hooks, sink } = around;
  const appliance = await createAppliance({
    process: 'shared',
    env: {
      ...SETTINGS,
      MAILKEEL_DNS_SERVERS: dns.address,
      MAILKEEL_MX_PORT: String(sink.port),
      MAILKEEL_PUBLIC_URL: `http://127.0.0.1:${port}`,
      ...env,
    },
    port,
    ...(dataDir === undefined ? {} : { dataDir }),
    ...(keys === undefined ? {} : { keys }),
  });

  async function close(): Promise<void> {
    await appliance.close();
    if (options.around === undefined) await Promise.all([sink.close(), hooks.close(), dns.close()]);
  }
  try {
    await appliance.start();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    appliance,
    ...around,
    around,
    publish: (records: readonly ReturnedRecord[]) => publish(dns, records),
    close,
  };
}

/** The reply of the recipients' servers to an address; null accepts it. */
function replyTo(address: string): string | null {
  const [name = '', domain] = address.toLowerCase().split('@');
  if (domain === BUSY_DOMAIN) return '451 4.7.1 Greylisted, please come back in 15 minutes';
  if (name.startsWith('gone')) return '550 5.1.1 The mailbox does not exist';
  if (name.startsWith('full')) return '452 4.2.2 The mailbox is over its quota';
  if (domain === GUARDED_DOMAIN) return '554 5.7.1 Message refused: the sender is on our block list';
  return null;
}

/** The reply of webhook receivers: one fails for a third of its requests, one is gone. */
function answerTo({ url, rawBody }: ReceivedRequest): ScriptedReply {
  if (url.startsWith('/gone')) return { status: 410, body: 'This shop has closed.' };
  if (url.startsWith('/failing') && rawBody.reduce((sum, octet) => sum + octet, 0) % 3 === 0) {
    return {
      status: 500,
      body: '{"error":"The spreadsheet is full."}',
      headers: { 'content-type': 'application/json' },
    };
  }
  return { status: 200, body: 'ok' };
}
