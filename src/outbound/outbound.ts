// Outgoing mail as the program sees it: one engine, which is replaced by another when the rules are read again.
import { setTimeout as pause } from 'node:timers/promises';
import { Delegate } from '../lib/runtime/delegate.js';
import type { DeliveryContext, OutboundApiContext } from './context.js';
import { createEngine, readStoredTraffic, type Engine } from './engine.js';
import type { LiveRules, OutboundRules } from './route/outbound-rules.js';
import type { TenantControl } from './shape/tenant-limits.js';
import type { TrafficView } from './traffic-view.js';

/** Time (ms) that a new engine waits for the mail of the former one; slower peers are served beside it. */
const DRAIN_MS = 10_000;
const AGAIN_MS = 1_000;
/** Changes of other nodes are read together. */
const ALIGN_MS = 100;

/** A change that this node has made, and that the others are to know. */
export type TrafficChange =
  | { kind: 'traffic' }
  | { kind: 'limit removed'; id: string }
  | { kind: 'probe'; domain: string }
  | { kind: 'queues'; ids: readonly number[] | null };

const TRAFFIC: TrafficChange = { kind: 'traffic' };

export interface OutboundOptions {
  rules: LiveRules;
  /** Of several nodes: this one has changed what the others remember. */
  onTrafficChanged: (change: TrafficChange) => void;
}

export class Outbound {
  /** For the API: what is held and why, and how to change it. */
  readonly traffic: TrafficView = {
    reasonFor: (queue) => this.#engine.traffic.reasonFor(queue),
    overrides: () => this.#engine.traffic.overrides(),
    sessions: () => this.#engine.traffic.sessions(),
    sources: () => this.#engine.traffic.sources(),
    providerOf: (domain) => this.#engine.traffic.providerOf(domain),
    removeOverride: (id) =>
      this.#change({ kind: 'limit removed', id }, ({ traffic }) => traffic.removeOverride(id)),
    pause: (row) => this.#change(TRAFFIC, ({ traffic }) => traffic.pause(row)),
    resume: (key) => this.#change(TRAFFIC, ({ traffic }) => traffic.resume(key)),
    probe: (domain) => this.#change({ kind: 'probe', domain }, ({ traffic }) => traffic.probe(domain)),
    notify: (ids) => {
      this.#engine.traffic.notify(ids);
      this.#announce({ kind: 'queues', ids });
    },
  };

  /** For the API: which sources and ways mail takes. */
  readonly control: OutboundApiContext['control'] = {
    routes: () => this.#engine.control.routes(),
    compile: (rule) => this.#engine.control.compile(rule),
    mayFit: (route, queue) => this.#engine.control.mayFit(route, queue),
    suspend: (row) => this.#change(TRAFFIC, ({ control }) => control.suspend(row)),
    resume: (kind, name) => this.#change(TRAFFIC, ({ control }) => control.resume(kind, name)),
    addRoute: (row) => this.#change(TRAFFIC, ({ control }) => control.addRoute(row)),
    removeRoute: (id) => this.#change(TRAFFIC, ({ control }) => control.removeRoute(id)),
  };

  /** The limits of sub-tenants: to be changed with their rows. */
  readonly tenants: TenantControl = {
    limit: (...args) => this.#change(TRAFFIC, ({ tenants }) => tenants.limit(...args)),
    stop: (...args) => this.#change(TRAFFIC, ({ tenants }) => tenants.stop(...args)),
    forget: (id) => this.#change(TRAFFIC, ({ tenants }) => tenants.forget(id)),
    align: () => this.#current.change(({ tenants }) => tenants.align()),
  };

  /** For the leases of paths. */
  readonly pathWork: Pick<Engine['pathWork'], 'gained' | 'lost'> = {
    gained: (leases) => this.#engine.pathWork.gained(leases),
    lost: (lease) => this.#engine.pathWork.lost(lease),
  };

  readonly #context: DeliveryContext;
  readonly #live: LiveRules;
  readonly #current: Delegate<Engine>;
  readonly #onTrafficChanged: (change: TrafficChange) => void;
  /** Number of changes that were made here. */
  #changes = 0;
  #aligning: Promise<void> | null = null;
  #isAlignAsked = false;
  /** Former engines, until their last mail has ended. */
  readonly #ending = new Set<Promise<void>>();
  #isStopped = false;
  /** Mail is delivered: a node whose roles leave that out delivers none. */
  #isStarted = false;
  #reloading: Promise<void> = Promise.resolve();

  private constructor(context: DeliveryContext, first: Engine, { rules, onTrafficChanged }: OutboundOptions) {
    this.#context = context;
    this.#live = rules;
    this.#current = new Delegate(first, context.log);
    this.#onTrafficChanged = onTrafficChanged;
  }

  static async open(context: DeliveryContext, options: OutboundOptions): Promise<Outbound> {
    const first = await createEngine(context, { ...options.rules }, (ids) => outbound.notify(ids));
    const outbound = new Outbound(context, first, options);
    return outbound;
  }

  get #engine(): Engine {
    return this.#current.object;
  }

  /** Recovers what a former process left, then delivers. */
  start(): Promise<void> {
    this.#isStarted = true;
    return this.#engine.start({ isAlone: true });
  }

  /** Queues that have just received mail; null: any may have, and paths may have opened. */
  notify(queueIds: readonly number[] | null): void {
    this.#engine.notify(queueIds);
  }

  /** Sets the operator's own id of a sub-tenant, which routes may name; null: none. */
  nameTenant(tenantId: string, externalId: string | null): void {
    this.#change(TRAFFIC, (engine) => engine.nameTenant(tenantId, externalId));
  }

  /** Other nodes have changed something. */
  async changedElsewhere(change: TrafficChange): Promise<void> {
    if (change.kind === 'queues') this.notify(change.ids);
    if (change.kind === 'probe') this.#engine.traffic.probe(change.domain);
    if (change.kind === 'limit removed') this.#current.change((engine) => engine.overrideRemoved(change.id));
    if (change.kind !== 'traffic') return;
    this.#isAlignAsked = true;
    await (this.#aligning ??= this.#align().finally(() => (this.#aligning = null)));
  }

  /**
   * Delivers by these rules from here on: what is past DATA ends by the former ones, the rest goes back to its queue first.
   * The rules are in `LiveRules` when it resolves.
   */
  reload(rules: OutboundRules): Promise<void> {
    const done = this.#reloading.then(() => this.#exchange(rules));
    this.#reloading = done.catch(() => undefined);
    return done;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#reloading;
    await this.#engine.drain();
    await Promise.all(this.#ending);
    await this.#engine.keepCounts();
  }

  // ---- changes of this node and of others ----

  /** Changes the engine. Other nodes hear of it when it has succeeded. */
  #change<R>(change: TrafficChange, work: (engine: Engine) => R): R {
    const result = this.#current.change(work);
    if (result instanceof Promise) void result.then(() => this.#announce(change)).catch(() => undefined);
    else this.#announce(change);
    return result;
  }

  #announce(change: TrafficChange): void {
    this.#changes += 1;
    this.#onTrafficChanged(change);
  }

  /** Reads what others have changed. A change that is made here meanwhile is not undone by what was read before it. */
  async #align(): Promise<void> {
    const { store, clock } = this.#context;
    while (this.#isAlignAsked && !this.#isStopped) {
      await pause(ALIGN_MS);
      this.#isAlignAsked = false;
      const before = this.#changes;
      const stored = await readStoredTraffic(store, clock());
      if (before === this.#changes) await this.#engine.align(stored);
      else this.#isAlignAsked = true;
    }
  }

  // ---- exchange of the engine ----

  async #exchange(rules: OutboundRules): Promise<void> {
    if (this.#isStopped) return;
    const former = { ...this.#live };
    await this.#retire(this.#engine);
    this.#live.replace(rules);
    try {
      await this.#begin(rules);
    } catch (error) {
      // The store could not be read, for one. Mail must go on, by the rules of before.
      this.#live.replace(former);
      await this.#beginSurely(former);
      throw error;
    }
  }

  /** The former one ends by itself, however slow its peers are. */
  async #retire(engine: Engine): Promise<void> {
    const drained = engine
      .drain()
      .catch((error: unknown) =>
        this.#context.log.error({ err: error }, 'stopping the previous outbound engine failed'),
      )
      .finally(() => this.#ending.delete(drained));
    this.#ending.add(drained);
    const waiting = new AbortController();
    await Promise.race([
      drained,
      pause(DRAIN_MS, undefined, { signal: waiting.signal }).catch(() => undefined),
    ]);
    waiting.abort();
    await engine.keepCounts();
  }

  async #begin(rules: OutboundRules): Promise<void> {
    await this.#current.replace(() => createEngine(this.#context, rules, (ids) => this.notify(ids)));
    const engine = this.#engine;
    if (this.#isStarted)
      await engine.start({ isAlone: false }).catch(async (error: unknown) => {
        await engine.drain();
        throw error;
      });
  }

  async #beginSurely(rules: OutboundRules): Promise<void> {
    while (!this.#isStopped) {
      try {
        await this.#begin(rules);
        return;
      } catch (error) {
        this.#context.log.error({ err: error }, 'starting the outbound engine failed: retrying');
        await pause(AGAIN_MS);
      }
    }
  }
}
