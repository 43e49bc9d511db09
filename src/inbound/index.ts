// Wires inbound mail: the listener that spools it, the reader threads, and the process that classifies and records it.
import type { OutboundRules } from '../outbound/route/outbound-rules.js';
import { allowedAddressTest } from '../lib/addresses/index.js';
import { compileDsnRules } from '../lib/dsn/index.js';
import type { Clock, Log } from '../lib/runtime/index.js';
import type { Keys } from '../lib/secrets/index.js';
import { createWakeUp, type Room } from '../lib/concurrency/index.js';
import {
  type CertificateSource,
  createClientAdmission,
  createSmtpListener,
} from '../lib/smtp-server/index.js';
import type { Config } from '../settings/settings.js';
import { compileShipped, readShipped } from '../settings/shipped.js';
import type { InboundStores } from './stores.js';
import { createAdmit } from './admit.js';
import { createMailReader, type MailReader } from './classify/mail-reader.js';
import { createInboundProcess } from './classify/process.js';
import { inboundHooks, type InboundTarget } from './listener-hooks.js';
import { inboundLimits } from './listener-settings.js';
import { createOpenMailboxes, OPEN_MAILBOX_LIMITS } from './open-mailboxes.js';
import type { OwnSending } from './reports/dmarc-class.rules.js';
import { compileReplyRules } from './replies/reply-rules.rules.js';

/** Mails processed at once for each reader thread: most of them wait for DNS. */
const PARALLEL_PER_THREAD = 16;

export interface InboundDeps {
  store: InboundStores;
  config: Config;
  keys: Keys;
  certificates: CertificateSource;
  rules: Pick<OutboundRules, 'providers' | 'bounces' | 'egress'>;
  clock: Clock;
  log: Log;
  isStorageFull: () => boolean;
  /** Of several nodes one works on the spool. */
  room?: Room | undefined;
  /** Mail was spooled. */
  onSpooled: () => void;
  /** New events were committed. */
  onEvents: () => void;
  /** Delivery reports became due to submitters of relayed mail. */
  onReports: () => void;
}

export function createInbound(deps: InboundDeps) {
  const { store, config, keys, clock } = deps;
  const wakeUp = createWakeUp();
  const reader = createMailReader({
    threads: config.inboundThreads,
    wallLimitMs: config.parseTimeLimitMs,
    replyRules: readShipped('reply-rules'),
    dns: { servers: config.dnsServers, hostName: config.hostname },
    onFault: (fault) => deps.log.error({ fault }, 'authenticating inbound message failed'),
  });
  const isFeedbackSource = allowedAddressTest(config.feedbackSources ?? []);
  const process = createProcess(deps, { reader, wakeUp, isFeedbackSource });
  const admit = createAdmit({
    store,
    tokenKeys: keys.tokenKeys.all,
    settings: {
      ownDomains: ownDomains(config),
      feedbackLocals: config.feedbackAddresses,
    },
    clock,
    ring() {
      wakeUp.notify();
      deps.onSpooled();
    },
  });
  return {
    reader,
    process,
    /** Processes spooled mail at once. */
    notify: () => wakeUp.notify(),
    /** Made for one start. */
    createListener() {
      const limits = OPEN_MAILBOX_LIMITS;
      const openMailboxes = createOpenMailboxes({ store, limits, isFeedbackSource, clock });
      return createListener(deps, inboundHooks(admit, openMailboxes, deps.isStorageFull));
    },
  };
}

/** Domains of the appliance itself that mail comes to. */
function ownDomains({ bounceDomain, inboundDomain, hostname }: Config): string[] {
  return [bounceDomain, inboundDomain, hostname].map((name) => name.toLowerCase());
}

/** Mail through a smarthost, and that of a source without an address of its own, leaves from addresses that nobody has named. */
function ownSending({ dnsAddresses }: Config, { sources, smarthosts }: OutboundRules['egress']): OwnSending {
  const all = [...sources.values()];
  const addresses = all
    .flatMap(({ address4, address6 }) => [address4, address6])
    .filter((one) => one !== null);
  const isComplete =
    smarthosts.size === 0 && all.every(({ address4, address6 }) => (address4 ?? address6) !== null);
  return {
    isOurAddress: allowedAddressTest([...(dnsAddresses ?? []), ...addresses]),
    // Behind a router the operator says by which addresses others see us.
    knowsAllAddresses: dnsAddresses !== null || isComplete,
  };
}

function createProcess(
  { store, config, keys, rules, room, clock, log, onEvents, onReports }: InboundDeps,
  parts: {
    reader: MailReader;
    wakeUp: ReturnType<typeof createWakeUp>;
    isFeedbackSource: (address: string) => boolean;
  },
) {
  return createInboundProcess({
    ...parts,
    store,
    tokenKeys: keys.tokenKeys.all,
    rules: {
      dsn: compileShipped('dsn-rules', compileDsnRules),
      reply: compileShipped('reply-rules', compileReplyRules),
      // Asked for each mail: they may be reloaded.
      get providers() {
        return rules.providers;
      },
      get bounce() {
        return rules.bounces;
      },
    },
    settings: {
      parallel: PARALLEL_PER_THREAD * config.inboundThreads,
      memoryOctets: config.inboundMemoryBytes,
      authenticate: config.authenticateMail,
    },
    reports: {
      ownDomains: ownDomains(config),
      platformDomain: config.platformDomain?.toLowerCase() ?? null,
      get sending() {
        return ownSending(config, rules.egress);
      },
    },
    room,
    clock,
    log,
    onEvents,
    onReports,
  });
}

function createListener(
  { config, certificates, clock, log }: InboundDeps,
  hooks: ReturnType<typeof inboundHooks>,
) {
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
    hooks,
    log,
  });
}
