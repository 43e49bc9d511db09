// A delivery worker thread: composes, signs and delivers what it is handed. It reads the store and never writes; intents
// and outcomes go to the main thread in batches.
import { networkInterfaces } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { lookUpHost, lookUpRoute } from '../../net/dns/route.js';
import { createResolver } from '../../net/dns/resolver.js';
import { trustContext } from '../../net/smtp/trust.js';
import { compileBounceRules, providerOf } from '../../rules/bounce-class.js';
import type { RoutePolicy } from '../../rules/mx.js';
import { systemClock } from '../../runtime/clock.js';
import type { Config } from '../../runtime/config/schema.js';
import { openSqlite } from '../../store/engine/sqlite.js';
import { createReadStore } from '../../store/store.js';
import { createConnector, type ConnectorSettings } from './connector.js';
import { createDelivery, type Delivery } from './delivery.js';
import type { FromWorker, Outcome, ToWorker } from './outcome.js';
import { createPreparer } from './prepare.js';
import { createSigningKeys } from './signing-keys.js';
import { readSmarthost, type Smarthost } from './smarthost.js';

/** What the main thread gives a worker at its start. */
export interface WorkerSettings {
  databaseFile: string;
  busyTimeoutMs: number;
  masterKey: Uint8Array;
  tokenKey: { id: number; secret: Uint8Array };
  config: Config;
  bounceRules: unknown;
}

/** Reports wait this long for company: one message to the main thread, and one commit, for many. */
const REPORT_MS = 1;
/** Nobody waits for the news that a copy is signed; mostly the outcome comes first and takes it along. */
const STARTED_MS = 50;

if (parentPort) start(parentPort, workerData as WorkerSettings);

function start(port: NonNullable<typeof parentPort>, settings: WorkerSettings): void {
  const report = createReport((message) => port.postMessage(message));
  const delivery = open(settings, report);
  port.on('message', (message: ToWorker) => {
    switch (message.kind) {
      case 'deliver':
        for (const claim of message.claims) delivery.deliver(claim);
        return;
      case 'intended':
        report.answered(message.allowed, message.denied);
        return;
      case 'drain':
        delivery
          .drain()
          .then(() => {
            report.flush();
            port.postMessage({ kind: 'drained' } satisfies FromWorker);
          })
          .catch(fault);
        return;
    }
  });
}

/** A fault of the program: the main thread hears it as the worker's error event, logs it and starts another. */
function fault(error: unknown): void {
  setImmediate(() => {
    throw error;
  });
}

function open(settings: WorkerSettings, report: Report): Delivery {
  const { config } = settings;
  const engine = openSqlite({
    file: settings.databaseFile,
    busyTimeoutMs: settings.busyTimeoutMs,
    readOnly: true,
  });
  const store = createReadStore(engine);
  const resolver = createResolver({
    servers: config.dnsServers,
    timeoutMs: config.dnsTimeoutMs,
    tries: config.dnsTries,
    maxParallel: config.dnsParallel,
    positiveTtlMs: config.dnsCacheMs,
    negativeTtlMs: config.dnsNegativeCacheMs,
    clock: systemClock,
  });
  const rules = compileBounceRules(settings.bounceRules);
  const smarthost = config.smarthost === null ? null : readSmarthost(config.smarthost);
  const policy = routePolicy(config, smarthost?.port ?? config.mxPort);
  return createDelivery({
    preparer: createPreparer({
      store,
      signingKeys: createSigningKeys(store, Buffer.from(settings.masterKey), systemClock),
      settings: {
        publicUrl: config.publicUrl,
        bounceDomain: config.bounceDomain,
        tokenKey: { id: settings.tokenKey.id, secret: Buffer.from(settings.tokenKey.secret) },
        messageSizeLimitBytes: config.messageSizeLimitBytes,
      },
      clock: systemClock,
    }),
    reporter: report,
    clock: systemClock,
    via: smarthost ? 'smarthost' : 'mta',
    findRoute: smarthost
      ? () => lookUpHost(resolver, smarthost.host, { ...policy, allowPrivate: true })
      : (domain) => lookUpRoute(resolver, domain, policy),
    providerOf: (hosts) => providerOf(hosts, rules),
    site: {
      connector: createConnector(connectorSettings(config, smarthost)),
      limits: {
        maxConnections: config.destinationConnections,
        messagesPerConnection: config.messagesPerConnection,
        idleMs: config.idleConnectionMs,
      },
      onFault: (error) => report.fault(error),
    },
  });
}

function routePolicy(config: Config, connectPort: number): RoutePolicy {
  const ownAddresses = Object.values(networkInterfaces()).flatMap((list) =>
    (list ?? []).map(({ address }) => address),
  );
  // IPv6 needs a source address with reverse DNS and SPF of its own; until sources can be named, mail leaves by IPv4.
  return {
    allowPrivate: config.allowPrivateMx,
    ownAddresses,
    connectPort,
    listenerPort: null,
    families: [4],
  };
}

function connectorSettings(config: Config, smarthost: Smarthost | null): ConnectorSettings {
  return {
    port: smarthost?.port ?? config.mxPort,
    ehloName: config.hostname,
    tlsMode: smarthost?.tlsMode ?? 'opportunistic',
    verifyTls: smarthost?.verifyTls ?? false,
    secureContext: trustContext(config.extraCaFile),
    ...(smarthost?.auth ? { auth: smarthost.auth } : {}),
    timeouts: {
      connectMs: config.smtpConnectTimeoutMs,
      greetingMs: config.smtpGreetingTimeoutMs,
      ehloMs: config.smtpEhloTimeoutMs,
      starttlsMs: config.smtpStarttlsTimeoutMs,
      authMs: config.smtpCommandTimeoutMs,
      mailMs: config.smtpCommandTimeoutMs,
      rcptMs: config.smtpCommandTimeoutMs,
      dataMs: config.smtpDataTimeoutMs,
      blockMs: config.smtpBlockTimeoutMs,
      dotMs: config.smtpDotTimeoutMs,
    },
  };
}

interface Report {
  started(messageId: number, at: number): void;
  intend(messageId: number): Promise<boolean>;
  finished(outcome: Outcome): void;
  answered(allowed: readonly number[], denied: readonly number[]): void;
  fault(error: unknown): void;
  flush(): void;
}

function createReport(post: (message: FromWorker) => void): Report {
  let next: Extract<FromWorker, { kind: 'report' }> = empty();
  let timer: NodeJS.Timeout | null = null;
  const started = new Map<number, number>();
  let startedTimer: NodeJS.Timeout | null = null;
  const intents = new Map<number, (allowed: boolean) => void>();

  function flush(): void {
    if (timer) clearTimeout(timer);
    timer = null;
    if (next.started.length + next.intents.length + next.outcomes.length + next.faults.length === 0) return;
    post(next);
    next = empty();
  }
  function soon(): void {
    timer ??= setTimeout(flush, REPORT_MS);
  }
  function answer(ids: readonly number[], allowed: boolean): void {
    for (const id of ids) {
      intents.get(id)?.(allowed);
      intents.delete(id);
    }
  }
  return {
    started(messageId, at) {
      started.set(messageId, at);
      startedTimer ??= setTimeout(() => {
        for (const [id, since] of started) next.started.push({ messageId: id, at: since });
        started.clear();
        startedTimer = null;
        flush();
      }, STARTED_MS);
    },
    intend(messageId) {
      next.intents.push({ messageId, at: systemClock() });
      soon();
      return new Promise((resolve) => intents.set(messageId, resolve));
    },
    finished(outcome) {
      const { messageId } = outcome;
      const since = started.get(messageId);
      if (since !== undefined) next.started.push({ messageId, at: since });
      started.delete(messageId);
      next.outcomes.push(outcome);
      soon();
    },
    answered(allowed, denied) {
      answer(allowed, true);
      answer(denied, false);
    },
    fault(error) {
      next.faults.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
      soon();
    },
    flush,
  };
}

function empty(): Extract<FromWorker, { kind: 'report' }> {
  return { kind: 'report', started: [], intents: [], outcomes: [], faults: [] };
}
