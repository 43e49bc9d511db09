// A delivery worker thread. It composes, signs and delivers the messages that it receives. It only reads the store, and posts
// intents and outcomes to the main thread in batches.
import { parentPort, workerData } from 'node:worker_threads';
import {
  type Credentials,
  DEFAULT_SMTP_TIMEOUTS,
  oldVersionsContext,
  type SmtpTimeouts,
} from '../../lib/smtp/index.js';
import { extraAuthorities, trustContext } from '../../lib/tls/index.js';
import type { PathSignal } from './delivery-plan.rules.js';
import type { Smarthost } from '../route/smarthost.rules.js';
import type { TlsResult } from '../outcome/tls-results.store.js';
import { systemClock } from '../../lib/runtime/index.js';
import type { Config } from '../../settings/settings.js';
import { openEngine, type DatabasePlace } from '../../database/engine/place.js';
import type { Engine } from '../../database/engine/engine.js';
import { createForwardStore } from '../../messages/inboxes/forwards.store.js';
import { createMessageStore } from '../../messages/messages.store.js';
import { createSuppressionStore } from '../../suppressions/suppressions.store.js';
import { createDomainStore } from '../../domains/domains.store.js';
import { leftTopicAmong } from './left-topics.store.js';
import type { CopyStops } from './stops.rules.js';
import { SmtpConnector, createWeakTls } from './connector.js';
import { createGuardedClient, guardedLookup } from '../../lib/http/index.js';
import { OAuthToken } from './oauth-token.js';
import { createOpenTokens } from '../../lib/secrets/index.js';
import { Delivery, type Reporter } from './delivery.js';
import { composeSettings } from './compose.js';
import { Preparer } from './prepare.js';
import { openKeyGeneration } from '../../domains/keys/key-generation.js';
import { SigningKeys } from './signing-keys.js';
import type { FromWorker, OpenedSession, ToWorker, WorkerReport } from './worker-messages.js';

/** Settings that the main thread passes to a worker when it starts. */
export interface WorkerSettings {
  place: DatabasePlace;
  busyTimeoutMs: number;
  masterKey: Uint8Array;
  /** Increases when DKIM keys change. If absent, the worker notices changes some seconds later. */
  keyGeneration?: SharedArrayBuffer;
  tokenKey: { id: number; secret: Uint8Array };
  config: Config;
  smarthosts: (Smarthost & { name: string })[];
}

/** Time limit (ms) of a request for an access token. */
const TOKEN_TIMEOUT_MS = 10_000;
/** Delay (ms) of a report, so that one message to the main thread and one commit cover several outcomes. */
const REPORT_MS = 1;
/** Delay (ms) of a report while earlier intents are being committed. The answer to those sends the report sooner. */
const NEXT_REPORT_MS = 5;
/** Delay (ms) of a start on its own. The outcome usually arrives sooner and includes it. */
const STARTED_MS = 50;

/** Serves the main thread. Does nothing if this is the main thread. */
export function runDeliveryWorker(stopsOf: (engine: Engine) => CopyStops): void {
  if (parentPort) start(parentPort, workerData as WorkerSettings, stopsOf).catch(fault);
}

async function start(
  port: NonNullable<typeof parentPort>,
  settings: WorkerSettings,
  stopsOf: (engine: Engine) => CopyStops,
): Promise<void> {
  const report = createReport((message) => port.postMessage(message));
  const { place, busyTimeoutMs } = settings;
  // Without a check the thread starts while the database server is unavailable, and returns every message.
  const engine = await openEngine(place, { busyTimeoutMs, readOnly: true, isChecked: false });
  const delivery = open(settings, report, { ...createReads(engine), copyStops: stopsOf(engine) });
  port.on('message', (message: ToWorker) => {
    switch (message.kind) {
      case 'deliver':
        delivery.deliver(message);
        return;
      case 'forget':
        delivery.forget(message.pathId);
        return;
      case 'recall':
        delivery.recall(message.pathId);
        return;
      case 'resume':
        for (const pathId of message.pathIds) delivery.resume(pathId);
        return;
      case 'limits':
        delivery.change(message.pathId, message.limits);
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

/** Ends the thread with an internal error. The main thread logs it and starts another worker. */
function fault(error: unknown): void {
  setImmediate(() => {
    throw error;
  });
}

/** Opens only the stores that deliveries read, because the others would double the code that a thread loads at its start. */
function createReads(engine: Engine) {
  return {
    messages: createMessageStore(engine),
    suppressions: createSuppressionStore(engine),
    domains: createDomainStore(engine),
    forwards: createForwardStore(engine),
    leftTopicAmong: (messageIds: readonly number[]) => leftTopicAmong(engine, messageIds),
  };
}

function open(
  settings: WorkerSettings,
  report: Report,
  store: ReturnType<typeof createReads> & { copyStops: CopyStops },
): Delivery {
  const { config } = settings;
  const secureContext = trustContext(extraAuthorities(config.extraCaFile));
  const oldContext = oldVersionsContext();
  const weakTls = createWeakTls();
  const timeouts = smtpTimeouts(config);
  const smarthosts = new Map(settings.smarthosts.map((smarthost) => [smarthost.name, smarthost]));
  const credentials = credentialsOf(settings);
  const masterKey = Buffer.from(settings.masterKey);
  const generation = openKeyGeneration(settings.keyGeneration);
  const tokenKey = { id: settings.tokenKey.id, secret: Buffer.from(settings.tokenKey.secret) };
  const preparer = new Preparer(
    store,
    new SigningKeys(store, masterKey, systemClock, generation),
    {
      openTokens: createOpenTokens(masterKey),
      ...composeSettings(config, tokenKey),
      messageSizeLimitBytes: config.messageSizeLimitBytes,
      smarthosts,
    },
    systemClock,
  );
  return new Delivery({
    preparer,
    reporter: report,
    clock: systemClock,
    waitMs: config.readyWaitMs,
    connectorOf(path, onTlsResult) {
      const { ehloName, localAddress4, localAddress6 } = path;
      const smarthost = path.via === 'smarthost' ? smarthosts.get(path.source) : undefined;
      return new SmtpConnector({
        port: smarthost?.port ?? config.mxPort,
        ehloName,
        localAddress4,
        localAddress6,
        timeouts,
        secureContext,
        oldContext,
        weakTls,
        ...(smarthost
          ? {
              smarthost: {
                mode: smarthost.tlsMode,
                verify: smarthost.verifyTls,
                auth: credentials.get(smarthost.name) ?? null,
              },
            }
          : {}),
        onTlsResult,
      });
    },
    onFault: (error) => report.fault(error),
  });
}

/** Credentials by the name of the smarthost. All sessions of a smarthost share its access tokens. */
function credentialsOf({ smarthosts, config }: WorkerSettings): Map<string, Credentials> {
  const { allowPrivateMx: allowPrivate, extraCaFile } = config;
  const client = createGuardedClient({
    allowPrivate,
    timeoutMs: TOKEN_TIMEOUT_MS,
    lookup: guardedLookup({ allowPrivate }),
    extraCa: extraAuthorities(extraCaFile),
  });
  return new Map(
    smarthosts.flatMap(({ name, auth }): [string, Credentials][] => {
      if (auth === null || !('application' in auth)) return auth === null ? [] : [[name, auth]];
      const tokens = new OAuthToken(auth.application, { client, clock: systemClock });
      return [[name, { user: auth.user, tokens }]];
    }),
  );
}

function smtpTimeouts(config: Config): SmtpTimeouts {
  return {
    ...DEFAULT_SMTP_TIMEOUTS,
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
  };
}

interface Report extends Reporter {
  answered(allowed: readonly number[], denied: readonly number[]): void;
  fault(error: unknown): void;
  flush(): void;
}

function createReport(post: (message: FromWorker) => void): Report {
  let next = empty();
  let timer: NodeJS.Timeout | null = null;
  const started = new Map<number, number>();
  let startedTimer: NodeJS.Timeout | null = null;
  /** Intents without an answer, including those of `next`, which are not reported yet. */
  const intents = new Map<number, (allowed: boolean) => void>();

  function flush(): void {
    if (timer === null) return;
    clearTimeout(timer);
    timer = null;
    post(next);
    next = empty();
  }
  function soon(): void {
    timer ??= setTimeout(flush, intents.size > next.intents.length ? NEXT_REPORT_MS : REPORT_MS);
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
        if (next.started.length > 0) soon();
      }, STARTED_MS);
    },
    intend(messageId) {
      return new Promise((resolve) => {
        intents.set(messageId, resolve);
        next.intents.push({ messageId, at: systemClock() });
        soon();
      });
    },
    finished(outcome) {
      const { messageId } = outcome;
      const since = started.get(messageId);
      if (since !== undefined) next.started.push({ messageId, at: since });
      started.delete(messageId);
      next.outcomes.push(outcome);
      soon();
    },
    signal(signal: PathSignal) {
      next.signals.push(signal);
      soon();
    },
    ask(pathId) {
      next.asked.push(pathId);
      soon();
    },
    session(session: OpenedSession) {
      next.sessions.push(session);
      soon();
    },
    tls(result: TlsResult) {
      next.tlsResults.push(result);
      soon();
    },
    answered(allowed, denied) {
      answer(allowed, true);
      answer(denied, false);
      flush();
    },
    fault(error) {
      next.faults.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
      soon();
    },
    flush,
  };
}

function empty(): WorkerReport {
  return {
    kind: 'report',
    started: [],
    intents: [],
    outcomes: [],
    signals: [],
    asked: [],
    sessions: [],
    tlsResults: [],
    faults: [],
  };
}
