// The delivery worker threads as the main thread sees them: the messages that each of them has, and the sessions of paths, which
// live there.
import type { EngineContext } from '../context.js';
import { Worker } from 'node:worker_threads';
import type { Log } from '../../lib/runtime/index.js';
import { threadEnded } from '../../lib/threads/index.js';
import type { InFlight } from '../schedule/admission.js';
import type { Path, PathSessions } from '../shape/paths.js';
import type { DeliveryPlan } from './delivery-plan.rules.js';
import type { DeliverBatch, FromWorker, ToWorker, WorkerReport } from './worker-messages.js';
import type { WorkerSettings } from './worker.js';

/** Objects of a worker live for milliseconds; a third of this size holds a few hundred messages. */
const YOUNG_GENERATION_MB = 12;
const RESTART_MS = 1_000;

export type GoPlan = Extract<DeliveryPlan, { kind: 'go' }>;

/** A message that was sent to a worker. */
export interface Handed {
  readonly entry: InFlight;
  readonly plan: GoPlan;
  /** The worker has reported what became of it, which is being recorded. */
  isReported: boolean;
}

/** Takes what workers report. */
export interface WorkerListener {
  report(worker: DeliveryWorker, report: WorkerReport): void;
  /** A thread has ended, with its sessions of these paths and what it had not reported. */
  ended(pathIds: Iterable<number>, lost: readonly InFlight[]): void;
}

export type WorkersContext = Pick<
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

/** One worker thread and its successors. The first is started with the first message: until then it would be 20 MB for nothing. */
export class DeliveryWorker {
  readonly #url: URL;
  readonly #settings: WorkerSettings;
  readonly #listener: WorkerListener;
  readonly #log: Log;
  /** Null until the first message, and from its end until another one is started; what is delivered meanwhile waits for that. */
  #thread: Worker | null = null;
  #wasStarted = false;
  readonly #handed = new Map<number, Handed>();
  /** Content of the next message to the thread: one for all claims of a turn of the event loop. */
  #batch: DeliverBatch | null = null;
  #routes = new Map<object, number>();
  /** Paths that the thread knows. */
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

  /** Undefined for a message that was lost or has ended. */
  find(messageId: number): Handed | undefined {
    return this.#handed.get(messageId);
  }

  /** The message's outcome is recorded. It may have been claimed again since. */
  remove({ entry }: Handed): void {
    const { messageId } = entry.claim;
    if (this.#handed.get(messageId)?.entry === entry) this.#handed.delete(messageId);
  }

  /** Does nothing for a path that the thread has not seen: it will come with these limits. */
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

  /** Lets sessions past DATA end and takes back the rest. */
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
    // The batch was for the former thread: its messages are added again below.
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
    // Outcomes that the worker has reported are not lost with it: they are recorded as usual.
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

  /** Behind a batch that waits, which was planned before. */
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

/** All workers. A group of paths always goes to the same one: its connections and their limits are there. */
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
