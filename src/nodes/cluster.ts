// A node of a cluster on one database. It watches the other nodes, takes and releases leases until each is with the right node, takes
// over the work of dead nodes, and passes messages on. Each decision is a row in the database, so no two nodes hold one lease.
import { createLeasedRoom, type DividedRoom, joinParts, type LeasedRoom } from '../lib/concurrency/index.js';
import { monotonicMs, type Log } from '../lib/runtime/index.js';
import type { NodeLease } from './nodes.tables.js';
import {
  pathLease,
  ROOMS,
  roomLease,
  roomLeases,
  wantedLeases,
  wantedOwner,
  type RoomName,
} from './assignment.rules.js';
import { NODE_ROLES, type NodeRole } from '../contract/names.js';
import { decodeNodeMessage, encodeNodeMessage, type NodeMessage } from './node-messages.rules.js';
import type { NodeContext } from './context.js';
import type { LivingNode, NodeStore } from './nodes.store.js';
import type { Outbound } from '../outbound/outbound.js';
import type { PathOwners } from '../outbound/shape/path-leases.js';

/** Interval (ms) at which nodes and leases are polled. A message causes an earlier poll. */
const LOOK_MS = 1_000;
/** A node that was silent for this time (ms) stops exclusive work. The others end its connections, so that no one waits for its locks. */
const FENCED_AFTER_MS = 5_000;
/** A node without a session is dead after this time (ms) of silence. */
const DEAD_AFTER_MS = 6_000;
/** Any node is dead after this time (ms) of silence, because it hangs. */
const HUNG_AFTER_MS = 60_000;
/** Time (ms) after a lost connection in which a node declares no other dead, because the others may have lost theirs, too. */
const TRUST_AFTER_MS = 10_000;
/** Longest time (ms) of an orderly leave. After that other nodes take over its work. */
const LEAVE_MS = 10_000;
/** Time (ms) in which queues that received mail are collected into one message. */
const GATHER_MS = 5;
/** Minimum time (ms) between messages about new events. */
const EVENTS_MS = 50;

export class Cluster implements PathOwners {
  readonly id: string;
  readonly #store: NodeStore;
  readonly #session: NodeContext['session'];
  readonly #commits: NodeContext['commits'];
  readonly #log: Log;
  /** Rooms and parts of rooms, by lease. */
  readonly #rooms: ReadonlyMap<string, LeasedRoom>;
  readonly #owned = new Set<string>();
  /** Taken leases whose stored counters are being read. */
  readonly #taking = new Set<string>();
  /** Leases to be released when their work has ended. */
  readonly #closing = new Set<string>();
  #closed: string[] = [];
  #nodes: LivingNode[] = [];
  #leases: readonly NodeLease[] = [];
  #pathWork: Outbound['pathWork'] | null = null;
  readonly #listeners: ((message: NodeMessage) => void)[] = [];
  #timer: NodeJS.Timeout | null = null;
  #looking: Promise<void> | null = null;
  #isLookAsked = false;
  #wasFenced = false;
  #queueIds: Set<number> | null = null;
  #willPublishEvents = false;
  #isLeaving = false;

  constructor({ store, session, node, commits, log }: NodeContext) {
    this.#store = store;
    this.#session = session;
    this.#commits = commits;
    this.#log = log;
    this.id = node.id;
    const names = Object.keys(ROOMS) as RoomName[]; // its keys
    this.#rooms = new Map(names.flatMap(roomLeases).map((lease) => [lease, createLeasedRoom()]));
  }

  // ---- what this node may do ----

  room(name: RoomName): DividedRoom {
    const parts = roomLeases(name).flatMap((lease) => this.#rooms.get(lease) ?? []);
    const room = joinParts(parts, (workspaceNumber) => this.#rooms.get(roomLease(name, workspaceNumber)));
    return {
      ...room,
      enter: () => (this.isFenced ? null : room.enter()),
      has: (workspaceNumber) => !this.isFenced && room.has(workspaceNumber),
    };
  }

  leaseOf(source: string, group: string): string {
    return pathLease(source, group);
  }

  hasNode(source: string): boolean {
    return this.#nodes.some(({ sources, roles }) => sources.includes(source) && roles.includes('mta'));
  }

  /** Roles without a running node that stays. `null` until the nodes are known. */
  missingRoles(): NodeRole[] | null {
    const staying = this.#nodes.filter(({ isLeaving }) => !isLeaving);
    if (this.#nodes.length === 0) return null;
    return NODE_ROLES.filter((role) => !staying.some(({ roles }) => roles.includes(role)));
  }

  isUsable(source: string): boolean {
    return this.sources()?.includes(source) ?? true;
  }

  owns(source: string, group: string): boolean {
    return this.#owned.has(pathLease(source, group)) && !this.isFenced;
  }

  holds(lease: string): boolean {
    return this.#owned.has(lease) || this.#closing.has(lease) || this.#taking.has(lease);
  }

  /** Whether no heartbeat has been answered for some seconds, so that other nodes may take over. */
  get isFenced(): boolean {
    return this.#session.isFenced;
  }

  /** Whether the database does not answer. */
  get isAway(): boolean {
    return this.#session.isAway;
  }

  /** Time (ms) by which the machine's clock is ahead of the database's. `null` until it is measured. */
  get clockOffsetMs(): number | null {
    return this.#session.clockOffsetMs;
  }

  /** Whether other nodes run, as of the last poll. */
  get hasPeers(): boolean {
    return this.#nodes.length > 1;
  }

  /** Reads whether other nodes run now. */
  async lookForPeers(): Promise<boolean> {
    await this.#look();
    return this.hasPeers;
  }

  /** Whether the node is shutting down and takes no new work. */
  get isLeaving(): boolean {
    return this.#isLeaving;
  }

  /** Sources that mail can leave this node by. */
  sources(): readonly string[] | null {
    return this.#nodes.find(({ id }) => id === this.id)?.sources ?? null;
  }

  /** For the metrics. */
  figures() {
    const leaving = this.#nodes.filter(({ isLeaving }) => isLeaving).length;
    const rooms = [...this.#owned].filter((name) => this.#findRoom(name) !== null).length;
    return {
      working: this.#nodes.length - leaving,
      leaving,
      pathLeases: this.#owned.size - rooms,
      rooms,
      isFenced: this.isFenced,
      clockOffsetMs: this.clockOffsetMs,
    };
  }

  /** For the operator. */
  view(): { nodes: readonly LivingNode[]; leases: readonly NodeLease[] } {
    return { nodes: this.#nodes, leases: this.#leases };
  }

  // ---- messages ----

  /** To the other nodes. */
  publish(message: NodeMessage): void {
    if (this.hasPeers) this.#session.send(encodeNodeMessage(this.id, message));
  }

  publishQueues(ids: readonly number[]): void {
    if (!this.hasPeers || ids.length === 0) return;
    if (this.#queueIds === null) {
      this.#queueIds = new Set();
      setTimeout(() => {
        const gathered = [...(this.#queueIds ?? [])];
        this.#queueIds = null;
        this.publish({ kind: 'queues', ids: gathered });
      }, GATHER_MS).unref();
    }
    for (const id of ids) this.#queueIds.add(id);
  }

  /** Something was appended to an event chain. */
  publishEvents(): void {
    if (!this.hasPeers || this.#willPublishEvents) return;
    this.#willPublishEvents = true;
    setTimeout(() => {
      this.#willPublishEvents = false;
      this.publish({ kind: 'events' });
    }, EVENTS_MS).unref();
  }

  /** Messages of other nodes. */
  subscribe(listener: (message: NodeMessage) => void): void {
    this.#listeners.push(listener);
  }

  receive(payload: string): void {
    const found = decodeNodeMessage(payload);
    if (found === null || found.from === this.id) return;
    if (found.message.kind === 'nodes' && this.#timer !== null) void this.#look();
    for (const listener of this.#listeners) listener(found.message);
  }

  // ---- its life ----

  /** Time (epoch ms) from which commits of this node are missing, after a failover to a replica without them. `null` if none are missing. */
  async lostCommitsSince(): Promise<number | null> {
    const known = this.#commits.last;
    const kept = await this.#store.commitsOf(this.id);
    return kept === null || kept >= known ? null : this.#commits.timeOf(kept + 1);
  }

  /** Starts to take leases. `pathWork` is `null` on a node that sends no mail. */
  async start(pathWork: Outbound['pathWork'] | null): Promise<void> {
    this.#pathWork = pathWork;
    this.#timer = setInterval(() => void this.#look(), LOOK_MS);
    await this.#look();
    this.#session.send(encodeNodeMessage(this.id, { kind: 'nodes' }));
  }

  /** Takes over messages of nodes that no longer run, with leases that have ended. */
  adopt(): Promise<void> {
    return this.#store.adopt(this.id);
  }

  /** Stores the sources that mail can leave this node by. */
  async setSources(sources: readonly string[]): Promise<void> {
    const known = this.sources();
    if (known === null || (known.length === sources.length && known.every((name) => sources.includes(name))))
      return;
    this.#log.info({ sources }, 'sources of this node changed');
    await this.#store.setSources(this.id, sources);
    this.publish({ kind: 'nodes' });
    await this.#look();
  }

  /** Releases each lease when its work has ended. Resolves when all are released, or after some seconds. */
  async leave(): Promise<void> {
    if (this.#timer === null) return;
    this.#isLeaving = true;
    const until = monotonicMs() + LEAVE_MS;
    // If the database is away, other nodes find this one dead and take over.
    await this.#store.leave(this.id).catch((error: unknown) => this.#endsUnseen(error));
    this.publish({ kind: 'nodes' });
    await this.#look();
    while (this.#closing.size > 0 && monotonicMs() < until)
      await new Promise((resolve) => setTimeout(resolve, 20));
    await this.#releaseClosed();
  }

  /** Removes the row of this node. */
  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    await this.#looking;
    await this.#store
      .remove(this.id, { by: null, silentMs: 0 })
      .catch((error: unknown) => this.#endsUnseen(error));
    this.publish({ kind: 'nodes' });
  }

  #endsUnseen(error: unknown): void {
    this.#log.warn({ err: error }, 'notifying other nodes of shutdown failed');
  }

  /** Polls once at a time, and again if it was asked for meanwhile. */
  #look(): Promise<void> {
    this.#isLookAsked = true;
    this.#looking ??= this.#lookUntilDone().finally(() => (this.#looking = null));
    return this.#looking;
  }

  async #lookUntilDone(): Promise<void> {
    while (this.#isLookAsked) {
      this.#isLookAsked = false;
      try {
        await this.#settle();
      } catch (error) {
        // For example, the database is away. The next poll follows anyway.
        this.#log.debug({ err: error }, 'polling nodes failed');
      }
    }
  }

  async #settle(): Promise<void> {
    this.#nodes = await this.#withoutDead(await this.#store.nodes());
    this.#leases = await this.#store.leases();
    // Other nodes have declared this one dead, as its next heartbeat shows.
    if (!this.#nodes.some(({ id }) => id === this.id)) return;
    this.#noteFence();
    const living = new Set(this.#nodes.map(({ id }) => id));
    const holders = new Map(this.#leases.map(({ name, node_id }) => [name, node_id]));
    const unwanted = new Set(this.#owned);
    // Includes leases that it does not know it has, because a response was lost or the counts of a path could not be read.
    for (const [name, holder] of holders) if (holder === this.id) unwanted.add(name);
    const toBeHad: string[] = [];
    for (const lease of wantedLeases(this.#nodes)) {
      if (wantedOwner(lease, this.#nodes) !== this.id) continue;
      unwanted.delete(lease.name);
      const holder = holders.get(lease.name) ?? null;
      const isFree = holder === null || holder === this.id || !living.has(holder);
      if (isFree && !this.#owned.has(lease.name) && !this.#closing.has(lease.name)) toBeHad.push(lease.name);
    }
    for (const name of unwanted) this.#giveUp(name);
    if (toBeHad.length === 0) return;
    for (const name of toBeHad) this.#taking.add(name);
    await this.#take(toBeHad).finally(() => this.#taking.clear());
  }

  async #take(names: readonly string[]): Promise<void> {
    const taken = new Set(await this.#store.take(names, this.id));
    if (taken.size === 0) return;
    const paths = new Set([...taken].filter((name) => this.#findRoom(name) === null));
    // Counters of a path are read before its first message is sent.
    if (paths.size > 0) await this.#pathWork?.gained(paths);
    for (const name of taken) {
      this.#owned.add(name);
      this.#findRoom(name)?.open();
    }
    if (paths.size > 0) this.#pathsOpened();
    this.#log.info({ leases: taken.size, owned: this.#owned.size }, 'leases acquired');
    this.publish({ kind: 'nodes' });
  }

  #giveUp(name: string): void {
    this.#owned.delete(name);
    if (this.#closing.has(name)) return;
    this.#closing.add(name);
    const ended = this.#findRoom(name)?.close() ?? this.#pathWork?.lost(name) ?? Promise.resolve();
    ended
      .catch((error: unknown) =>
        this.#log.error({ err: error, lease: name }, 'ending the work of a lease failed'),
      )
      .finally(() => {
        this.#closed.push(name);
        if (this.#closed.length === 1) setTimeout(() => void this.#releaseClosed(), GATHER_MS);
      });
  }

  async #releaseClosed(): Promise<void> {
    const names = this.#closed;
    if (names.length === 0) return;
    this.#closed = [];
    try {
      await this.#store.release(names, this.id);
      for (const name of names) this.#closing.delete(name);
      this.#log.info({ leases: names.length, owned: this.#owned.size }, 'leases released');
      this.publish({ kind: 'nodes' });
    } catch {
      // The database is away. A later poll releases them.
      this.#closed.push(...names);
      setTimeout(() => void this.#releaseClosed(), LOOK_MS);
    }
  }

  /** Removes dead nodes, and returns the others. */
  async #withoutDead(nodes: readonly LivingNode[]): Promise<LivingNode[]> {
    const mayJudge = monotonicMs() - this.#session.openSince > TRUST_AFTER_MS && !this.isFenced;
    const living: LivingNode[] = [];
    for (const node of nodes) {
      const isOther = node.id !== this.id && mayJudge;
      if (isOther && node.silentMs > FENCED_AFTER_MS) await this.#session.endWork(node.id);
      const isSilent = isOther && node.silentMs > DEAD_AFTER_MS;
      const isDead =
        isSilent && (node.silentMs > HUNG_AFTER_MS || (await this.#session.isGone(node.lockNumber)));
      const by = this.#pathWork === null ? null : this.id;
      if (isDead && (await this.#store.remove(node.id, { by, silentMs: DEAD_AFTER_MS }))) {
        this.#log.warn(
          { node: node.id, host: node.host, silent_ms: node.silentMs },
          'node is dead: taking over its work',
        );
        this.publish({ kind: 'nodes' });
      } else living.push(node);
    }
    return living;
  }

  /** Work that was held while the database was unavailable continues. */
  #noteFence(): void {
    const wasFenced = this.#wasFenced;
    this.#wasFenced = this.isFenced;
    if (wasFenced && !this.#wasFenced) this.#pathsOpened();
  }

  #pathsOpened(): void {
    for (const listener of this.#listeners) listener({ kind: 'queues', ids: null });
  }

  #findRoom(lease: string): LeasedRoom | null {
    return this.#rooms.get(lease) ?? null;
  }
}
