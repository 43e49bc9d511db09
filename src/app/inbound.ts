// Wires what comes in by SMTP: the listener for the Internet, the relay for our own senders, and the work behind them.
import { compileDsnRules } from '../lib/dsn/dsn-formats.js';
import { compileReplyRules } from '../inbound/replies/reply-rules.rules.js';
import { createClientGate } from '../lib/smtp-server/client-gate.js';
import {
  createSmtpListener,
  type CertificateSource,
  type SmtpListener,
} from '../lib/smtp-server/listener.js';
import { inboundLimits, relayLimits } from '../inbound/listener-settings.js';
import { createSignInGuard } from '../lib/smtp-server/sign-in-guard.js';
import { allowedAddressTest } from '../lib/addresses/allowed-addresses.rules.js';
import { compileBounceRules } from '../outbound/outcome/bounce-class.rules.js';
import type { Providers } from '../outbound/route/provider.rules.js';
import { createWakeUp } from '../lib/runtime/wake-up.js';
import type { Clock } from '../lib/runtime/clock.js';
import { readShipped } from '../settings/shipped.js';
import type { Config } from '../settings/settings.js';
import { createDiskGuard } from '../lib/runtime/disk-space.js';
import type { Keys } from '../lib/runtime/key-files.js';
import type { Log } from '../lib/runtime/log.js';
import type { Store } from '../store/store.js';
import type { CredentialCache } from '../accounts/api-keys/credential-cache.js';
import { createDeliveryReports } from '../relay/delivery-reports/delivery-reports.js';
import { createAdmit } from '../inbound/admit.js';
import { inboundHooks, type InboundTarget } from '../inbound/listener-hooks.js';
import { createOpenMailboxes, OPEN_MAILBOX_LIMITS } from '../inbound/open-mailboxes.js';
import { createMailReader } from '../inbound/classify/mail-reader.js';
import { createInboundProcess } from '../inbound/classify/process.js';
import { createRelay, type RelayAccount } from '../relay/relay.js';
import type { WakeUps, Submission } from '../messages/accept/accept.js';

/** Mails worked on at once for each parsing thread: most of them wait for look-ups in DNS. */
const PARALLEL_PER_THREAD = 16;

export interface MailInDeps {
  store: Store;
  config: Config;
  keys: Keys;
  dataFolder: string;
  certificates: CertificateSource;
  credentials: CredentialCache;
  submission: Submission;
  providers: Providers;
  clock: Clock;
  log: Log;
  wakeUps: WakeUps;
}

/** A port that is listened on, or why it is not. */
export interface MailPort {
  what: 'inbound' | 'relay' | 'relay with TLS';
  /** `host:port`; null when nobody listens. */
  at: string | null;
  note: string | null;
}

export interface MailIn {
  /** Throws when a port that was chosen on purpose cannot be had. */
  start(): Promise<MailPort[]>;
  /** Rung when a row was spooled by somebody else than the listener. */
  notifyInbound(): void;
  /** No new session; what is being received is received. */
  stopListening(): Promise<void>;
  /** After the work at hand; the rest is found in the spool. */
  stopWork(): Promise<void>;
}

export function createMailIn(deps: MailInDeps): MailIn {
  const { store, config, keys, clock, log, wakeUps } = deps;
  const disk = createDiskGuard(deps.dataFolder, config.minFreeDiskBytes);
  const wakeUp = createWakeUp();
  const reader = createMailReader({
    threads: config.inboundThreads,
    wallLimitMs: config.parseTimeLimitMs,
    replyRules: readShipped('reply-rules'),
    dns: { servers: config.dnsServers, hostName: config.hostname },
  });
  const reports = createDeliveryReports({ store, settings: config, clock, log, wakeUps });
  const admit = createAdmit({
    store,
    tokenKeys: keys.tokenKeys.all,
    settings: {
      ownDomains: [config.bounceDomain, config.inboundDomain, config.hostname].map((name) =>
        name.toLowerCase(),
      ),
      feedbackLocals: config.feedbackAddresses,
    },
    clock,
    ring: () => wakeUp.notify(),
  });
  const isFeedbackSource = allowedAddressTest(config.feedbackSources ?? []);
  const openMailboxes = createOpenMailboxes({ store, limits: OPEN_MAILBOX_LIMITS, isFeedbackSource, clock });
  const process = createInboundProcess({
    store,
    reader,
    tokenKeys: keys.tokenKeys.all,
    rules: {
      dsn: compileDsnRules(readShipped('dsn-rules')),
      reply: compileReplyRules(readShipped('reply-rules')),
      providers: deps.providers,
      bounce: compileBounceRules(readShipped('bounce-rules'), deps.providers),
    },
    settings: {
      parallel: PARALLEL_PER_THREAD * config.inboundThreads,
      memoryOctets: config.inboundMemoryBytes,
      authenticate: config.authenticateMail,
    },
    isFeedbackSource,
    clock,
    log,
    wakeUp,
    onEvents: () => wakeUps.events(),
    onReports: () => reports.ring(),
  });
  const doors = [
    ...(config.inbound
      ? [
          inboundDoor(
            deps,
            inboundHooks(admit, openMailboxes, () => disk.isFull()),
          ),
        ]
      : []),
    ...(config.relay
      ? relayDoors(deps, { parse: parseFor(reader), isStorageFull: () => disk.isFull() })
      : []),
  ];
  return {
    async start() {
      await disk.start();
      process.start();
      reports.start();
      const ports: MailPort[] = [];
      for (const door of doors) ports.push(await open(door, log));
      return ports;
    },
    notifyInbound: () => wakeUp.notify(),
    async stopListening() {
      // A client that drips must not take the time that the rest needs to end.
      const graceMs = config.shutdownGraceMs / 2;
      await Promise.all(doors.map(({ listener }) => listener.stop(graceMs)));
    },
    async stopWork() {
      disk.stop();
      await Promise.all([process.stop(), reports.stop()]);
      await reader.close();
    },
  };
}

interface MailDoor {
  what: MailPort['what'];
  listener: SmtpListener;
  /** The port of the settings. */
  asked: number;
  /** Chosen on purpose: without it there is no start. */
  isMeant: boolean;
}

function inboundDoor(deps: MailInDeps, hooks: ReturnType<typeof inboundHooks>): MailDoor {
  const { config, certificates, clock, log } = deps;
  const limits = inboundLimits(config);
  const listener = createSmtpListener<never, InboundTarget>({
    name: config.hostname,
    host: config.inboundHost,
    port: config.inboundPort,
    fallbackPort: 2525,
    implicitTls: false,
    certificates,
    signIn: null,
    mendsLineEnds: false,
    requireTls: false,
    limits: limits.listener,
    gate: createClientGate({ limits: limits.gate, clock }),
    hooks,
    log,
  });
  return doorOf('inbound', listener, config.inboundPort);
}

type RelayParts = Pick<Parameters<typeof createRelay>[0], 'parse' | 'isStorageFull'>;

function relayDoors(deps: MailInDeps, parts: RelayParts): MailDoor[] {
  const { store, config, certificates, credentials, submission, clock, log } = deps;
  const hooks = createRelay({
    ...parts,
    store,
    findKey: (secret) => credentials.find(secret),
    keyUsed: (keyId) => credentials.used(keyId),
    submission,
    settings: {
      hostname: config.hostname,
      checksSender: config.relayChecksSender,
      reportMode: config.relayDsn,
    },
    clock,
  });
  const limits = relayLimits(config);
  const gate = createClientGate({ limits: limits.gate, clock });
  const guard = createSignInGuard({ terms: limits.lockout, clock });
  const shared = {
    name: config.hostname,
    host: config.inboundHost,
    certificates,
    signIn: { guard, authInClear: config.relayAllowInsecureAuth },
    mendsLineEnds: true,
    requireTls: true,
    limits: limits.listener,
    gate,
    hooks,
    log,
  };
  const plain = createSmtpListener<RelayAccount, null>({
    ...shared,
    port: config.relayPort,
    fallbackPort: 2587,
    implicitTls: false,
  });
  const secure = createSmtpListener<RelayAccount, null>({
    ...shared,
    port: config.relayTlsPort,
    fallbackPort: 2465,
    implicitTls: true,
  });
  return [doorOf('relay', plain, config.relayPort), doorOf('relay with TLS', secure, config.relayTlsPort)];
}

/** The well-known ports are the defaults, which a machine may have given to somebody else. */
function doorOf(what: MailPort['what'], listener: SmtpListener, asked: number): MailDoor {
  return { what, listener, asked, isMeant: ![25, 587, 465].includes(asked) };
}

function parseFor(reader: ReturnType<typeof createMailReader>): RelayParts['parse'] {
  return (raw, owner) => reader.read(raw, { owner, splitsReply: false });
}

async function open({ what, listener, asked, isMeant: mustBe }: MailDoor, log: Log): Promise<MailPort> {
  try {
    const { host, port, insteadBecause } = await listener.start();
    const why = insteadBecause === 'EACCES' ? 'this user may not listen on' : 'another program has';
    return { what, at: `${host}:${port}`, note: insteadBecause && `${why} port ${asked}` };
  } catch (error) {
    const reason = whyNotOpen(error, what);
    if (mustBe || codeOf(error) === 'EADDRNOTAVAIL') throw new Error(reason, { cause: error });
    log.warn({ port: what, reason }, 'a mail port cannot be had');
    return { what, at: null, note: reason };
  }
}

const PORT_SETTINGS: Record<MailPort['what'], string> = {
  inbound: 'POSTHORN_INBOUND_PORT',
  relay: 'POSTHORN_RELAY_PORT',
  'relay with TLS': 'POSTHORN_RELAY_TLS_PORT',
};

/** For the person who starts it: which setting to change. */
function whyNotOpen(error: unknown, what: MailPort['what']): string {
  const said = error instanceof Error ? error.message : String(error);
  const settings = `POSTHORN_INBOUND_HOST, ${PORT_SETTINGS[what]}`;
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return `Another program listens there: ${said}. Change ${settings}.`;
    case 'EACCES':
      return `This user may not listen there: ${said}. Change ${settings}.`;
    case 'EADDRNOTAVAIL':
      return `This machine has no such address: ${said}. Change ${settings}.`;
    default:
      return said;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null;
}
