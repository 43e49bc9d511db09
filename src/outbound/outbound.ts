// Outgoing mail for the rest of the program. A reload of the rules replaces the engine behind it.
import { setTimeout as pause } from 'node:timers/promises';
import { Delegate } from '../lib/concurrency/index.js';
import type { DeliveryContext, OutboundApiContext } from './context.js';
import { createEngine, readStoredTraffic, type Engine } from './engine.js';
import type { LiveRules, OutboundRules } from './route/outbound-rules.js';
import type { TenantControl } from './shape/tenant-limits.js';
import type { TrafficView } from './traffic-view.js';

/** Longest time (ms) that a new engine waits for the previous one, which then finishes its slow sessions in parallel. */
const DRAIN_MS = 10_000;
const AGAIN_MS = 1_000;
/** Time (ms) in which changes of other nodes are collected. */
const ALIGN_MS = 100;

/** A change made by this node that other nodes must apply. */
type TrafficChange =
  | { kind: 'traffic' }
  | { kind: 'limit removed'; id: string }
  | { kind: 'probe'; domain: string }
  | { kind: 'queues'; ids: readonly number[] | null };

const TRAFFIC: TrafficChange = { kind: 'traffic' };

interface OutboundOptions {
  rules: LiveRules;
  /** Called after a change that other nodes must apply. */
  onTrafficChanged: (change: TrafficChange) => void;
}

export class Outbound {
  /** Shows and changes the limits on mail, for the API. */
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

  /** Shows and changes sources and routes, for the API. */
  readonly control: OutboundApiContext['control'] = {
    routes: () => this.#engine.control.routes(),
    compile: (rule) => this.#engine.control.compile(rule),
    mayFit: (route, queue) => this.#engine.control.mayFit(route, queue),
    suspend: (row) => this.#change(TRAFFIC, ({ control }) => control.suspend(row)),
    resume: (kind, name) => this.#change(TRAFFIC, ({ control }) => control.resume(kind, name)),
    shares: () => this.#engine.control.shares(),
    putShare: (row) => this.#change(TRAFFIC, ({ control }) => control.putShare(row)),
    addRoute: (row, share) => this.#change(TRAFFIC, ({ control }) => control.addRoute(row, share)),
    removeRoute: (id) => this.#change(TRAFFIC, ({ control }) => control.removeRoute(id)),
  };

  /** Limits of sub-tenants. Change them together with their rows. */
  readonly tenants: TenantControl = {
    limit: (...args) => this.#change(TRAFFIC, ({ tenants }) => tenants.limit(...args)),
    stop: (...args) => this.#change(TRAFFIC, ({ tenants }) => tenants.stop(...args)),
    forget: (id) => this.#change(TRAFFIC, ({ tenants }) => tenants.forget(id)),
    align: () => this.#current.change(({ tenants }) => tenants.align()),
  };

  /** Starts and ends work on paths when their leases move between nodes. */
  readonly pathWork: Pick<Engine['pathWork'], 'gained' | 'lost'> = {
    gained: (leases) => this.#engine.pathWork.gained(leases),
    lost: (lease) => this.#engine.pathWork.lost(lease),
  };

  readonly #context: DeliveryContext;
  readonly #live: LiveRules;
  readonly #current: Delegate<Engine>;
  readonly #onTrafficChanged: (change: TrafficChange) => void;
  /** Number of changes made by this node. */
  #changes = 0;
  #aligning: Promise<void> | null = null;
  #isAlignAsked = false;
  /** Former engines that still deliver their last messages. */
  readonly #ending = new Set<Promise<void>>();
  #isStopped = false;
  /** False on a node without the role for delivery. */
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

  /** Recovers leases of a former process, then starts delivery. */
  start(): Promise<void> {
    this.#isStarted = true;
    return this.#engine.start({ isAlone: true });
  }

  /** Wakes queues that have received mail. `null`: any queue may have received some, and paths may have opened. */
  notify(queueIds: readonly number[] | null): void {
    this.#engine.notify(queueIds);
  }

  /** Sets the operator's own ID of a sub-tenant, which routes may name. */
  nameTenant(tenantId: string, externalId: string | null): void {
    this.#change(TRAFFIC, (engine) => engine.nameTenant(tenantId, externalId));
  }

  /** Applies a change of another node. */
  async changedElsewhere(change: TrafficChange): Promise<void> {
    if (change.kind === 'queues') this.notify(change.ids);
    if (change.kind === 'probe') this.#engine.traffic.probe(change.domain);
    if (change.kind === 'limit removed') this.#current.change((engine) => engine.overrideRemoved(change.id));
    if (change.kind !== 'traffic') return;
    this.#isAlignAsked = true;
    await (this.#aligning ??= this.#align().finally(() => (this.#aligning = null)));
  }

  /**
   * Delivers by the new rules. Messages past DATA end by the former rules, and the others return to their queues first.
   * `LiveRules` has the new rules when it resolves.
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

  /** Changes the engine, and announces the change to other nodes if it succeeds. */
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

  /** Reads changes of other nodes, again if this node makes a change meanwhile, which an older reading would undo. */
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
      // For example, the store could not be read. Delivery must continue by the former rules.
      this.#live.replace(former);
      await this.#beginSurely(former);
      throw error;
    }
  }

  /** Drains the former engine, and waits for it only for a limited time. */
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
