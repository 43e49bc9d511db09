// The main thread's view of the delivery worker threads: the messages and the paths that each one holds.
import type { EngineContext } from '../context.js';
import { Worker } from 'node:worker_threads';
import type { Log } from '../../lib/runtime/index.js';
import { threadEnded } from '../../lib/threads/index.js';
import type { InFlight } from '../schedule/admission.js';
import type { Path, PathSessions } from '../shape/paths.js';
import type { DeliveryPlan } from './delivery-plan.rules.js';
import type { DeliverBatch, FromWorker, ToWorker, WorkerReport } from './worker-messages.js';
import type { WorkerSettings } from './worker.js';

/** Limits the young generation of a worker's heap. Its objects live for milliseconds, and a third of this holds a few hundred messages. */
const YOUNG_GENERATION_MB = 12;
const RESTART_MS = 1_000;

type GoPlan = Extract<DeliveryPlan, { kind: 'go' }>;

/** A message that was sent to a worker. */
export interface Handed {
  readonly entry: InFlight;
  readonly plan: GoPlan;
  /** The worker has reported the outcome, which is being recorded. */
  isReported: boolean;
}

/** Receives the reports of workers. */
export interface WorkerListener {
  report(worker: DeliveryWorker, report: WorkerReport): void;
  /** A thread has ended, and with it the sessions of these paths. `lost` are its messages without a reported outcome. */
  ended(pathIds: Iterable<number>, lost: readonly InFlight[]): void;
}

type WorkersContext = Pick<
  EngineContext,
  'config' | 'keyGeneration' | 'place' | 'busyTimeoutMs' | 'workerUrl' | 'log'
> & {
  keys: Pick<EngineContext['keys'], 'masterKey' | 'tokenKeys'>;
  rules: Pick<EngineContext['rules'], 'egress'>;
};

interface WorkerOptions {
  url: URL;
  settings: WorkerSettings;
  listener: WorkerListener;
  log: Log;
}

/** A worker thread, which is restarted after a failure. It starts with the first message, because an idle thread takes 20 MB. */
export class DeliveryWorker {
  readonly #url: URL;
  readonly #settings: WorkerSettings;
  readonly #listener: WorkerListener;
  readonly #log: Log;
  /** `null` before the first message and during a restart. Messages wait for the next thread. */
  #thread: Worker | null = null;
  #wasStarted = false;
  readonly #handed = new Map<number, Handed>();
  /** The claims of the current turn of the event loop, which are posted together. */
  #batch: DeliverBatch | null = null;
  #routes = new Map<object, number>();
  /** Ids of the paths that were posted to the thread. */
  #paths = new Set<number>();
  #isStopping = false;
  #drained: (() => void) | null = null;

  constructor({ url, settings, listener, log }: WorkerOptions) {
    this.#url = url;
    this.#settings = settings;
    this.#listener = listener;
    this.#log = log;
  }

  hand(entry: InFlight, plan: GoPlan): void {
    const handed = { entry, plan, isReported: false };
    this.#handed.set(entry.claim.messageId, handed);
    if (this.#wasStarted) this.#add(handed);
    else if (!this.#isStopping) this.#start();
  }

  /** Returns `undefined` for a message that was lost or has ended. */
  find(messageId: number): Handed | undefined {
    return this.#handed.get(messageId);
  }

  /** Removes a message after its outcome is recorded, unless it has been claimed again since. */
  remove({ entry }: Handed): void {
    const { messageId } = entry.claim;
    if (this.#handed.get(messageId)?.entry === entry) this.#handed.delete(messageId);
  }

  /** Posts the new limits of a path. An unknown path is posted with its current limits later. */
  change({ plan: { id, limits } }: Path): void {
    if (this.#paths.has(id)) this.#postInOrder({ kind: 'limits', pathId: id, limits });
  }

  recall({ plan: { id } }: Path): void {
    if (this.#paths.has(id)) this.#postInOrder({ kind: 'recall', pathId: id });
  }

  forget({ plan: { id } }: Path): void {
    if (this.#paths.delete(id)) this.#postInOrder({ kind: 'forget', pathId: id });
  }

  post(message: ToWorker): void {
    this.#thread?.postMessage(message);
  }

  /** Waits for sessions that are past DATA, and returns all other messages to their queues. */
  async drain(): Promise<void> {
    this.#isStopping = true;
    if (this.#thread === null) return;
    await new Promise<void>((resolve) => {
      this.#drained = resolve;
      this.post({ kind: 'drain' });
    });
  }

  async terminate(): Promise<void> {
    await this.#thread?.terminate();
  }

  #start(): void {
    const thread = new Worker(this.#url, {
      workerData: this.#settings,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    this.#thread = thread;
    this.#wasStarted = true;
    // The messages of the previous thread's batch are added again below.
    this.#batch = null;
    this.#routes = new Map();
    this.#paths = new Set();
    thread.on('message', (message: FromWorker) => {
      if (message.kind === 'drained') this.#drained?.();
      else this.#listener.report(this, message);
    });
    thread.on('error', (error) => this.#log.error({ err: error }, 'delivery worker failed'));
    thread.on('exit', () => this.#ended());
    for (const handed of this.#handed.values()) this.#add(handed);
  }

  #ended(): void {
    this.#thread = null;
    this.#drained?.();
    // Reported outcomes survive the thread and are recorded as usual.
    const lost = [...this.#handed.values()].flatMap(({ entry, isReported }) => (isReported ? [] : [entry]));
    if (!this.#isStopping) {
      threadEnded.publish({ kind: 'delivery' });
      this.#handed.clear();
      setTimeout(() => {
        if (!this.#isStopping) this.#start();
      }, RESTART_MS);
    }
    this.#listener.ended(this.#paths, this.#isStopping ? [] : lost);
  }

  #add({ entry: { claim }, plan: { path, route } }: Handed): void {
    if (!this.#batch) {
      this.#batch = { kind: 'deliver', claims: [], routes: [], paths: [] };
      setImmediate(() => this.#flush());
    }
    const batch = this.#batch;
    if (!this.#paths.has(path.id)) {
      this.#paths.add(path.id);
      batch.paths.push(path);
    }
    let index = this.#routes.get(route);
    if (index === undefined) {
      index = batch.routes.push(route) - 1;
      this.#routes.set(route, index);
    }
    const { messageId, queueId, dueAt, status, rank, tlsTerms } = claim;
    batch.claims.push({
      messageId,
      queueId,
      dueAt,
      isFirst: status === 'queued',
      rank,
      requireTls: tlsTerms === 'required',
      pathId: path.id,
      route: index,
    });
  }

  /** Posts a message after the pending batch, which was planned earlier. */
  #postInOrder(message: ToWorker): void {
    this.#flush();
    this.post(message);
  }

  #flush(): void {
    if (!this.#batch || !this.#thread) return;
    this.post(this.#batch);
    this.#batch = null;
    this.#routes = new Map();
  }
}

/** All workers. A group of paths always uses the same worker, which counts its connections against their limits. */
export class DeliveryWorkers implements PathSessions {
  readonly #context: WorkersContext;
  readonly #workers: DeliveryWorker[] = [];

  constructor(context: WorkersContext) {
    this.#context = context;
  }

  start(listener: WorkerListener): void {
    const { config, workerUrl: url, log } = this.#context;
    const options = { url, settings: workerSettings(this.#context), listener, log };
    for (let i = 0; i < config.mtaWorkers; i++) this.#workers.push(new DeliveryWorker(options));
  }

  hand(entry: InFlight, plan: GoPlan): void {
    this.#of(plan.group).hand(entry, plan);
  }

  change(path: Path): void {
    this.#of(path.group).change(path);
  }

  recall(path: Path): void {
    this.#of(path.group).recall(path);
  }

  forget(path: Path): void {
    this.#of(path.group).forget(path);
  }

  async drain(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.drain()));
  }

  async terminate(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }

  #of(group: string): DeliveryWorker {
    let hash = 0;
    for (let i = 0; i < group.length; i++) hash = (hash * 31 + group.charCodeAt(i)) | 0;
    const worker = this.#workers[Math.abs(hash) % this.#workers.length];
    if (!worker) throw new Error('No delivery worker was started.');
    return worker;
  }
}

function workerSettings({
  config,
  keys,
  keyGeneration,
  place,
  busyTimeoutMs,
  rules,
}: WorkersContext): WorkerSettings {
  return {
    place,
    busyTimeoutMs,
    masterKey: keys.masterKey,
    keyGeneration: keyGeneration.shared,
    tokenKey: keys.tokenKeys.active,
    config,
    smarthosts: [...rules.egress.smarthosts].map(([name, smarthost]) => ({ ...smarthost, name })),
  };
}
