// The open event streams: their limits, wake-ups, turns and end. One read of the chains serves all streams, so that an idle stream
// costs next to nothing.
import { Refusal } from '../contract/refusal.js';
import { createLoop, createRoundRobin, createWakeUp, type Loop } from '../lib/concurrency/index.js';
import type { Scope } from '../database/scope.js';
import type { FeedContext } from './context.js';
import type { FeedStores } from './stores.js';

/** Longest delay (ms) of events of other processes, and of a revoked key. */
const LOOK_MS = 1_000;
/** Time (ms) in which events are gathered and sent together. */
const GATHER_MS = 50;
/** Share of the places that the streams of one workspace may take. */
const WORKSPACE_SHARE = 0.25;
/** Share of a workspace's places that the streams of one sub-tenant may take. */
const SUB_TENANT_SHARE = 0.25;

/** An open stream as the others see it. */
export interface StreamHandle {
  /** Aborted when the streams are to end. */
  readonly signal: AbortSignal;
  /** Resolves when the chain has events after a position, or when a heartbeat may be due. */
  beyond(position: number): Promise<void>;
  /** Resolves when the stream may read or write its next piece. One stream does in each round of the event loop. */
  turn(): Promise<void>;
  /** Call it when the client has left, or may no longer listen. */
  leave(): void;
}

interface Listener {
  workspaceNumber: number;
  subTenantId: string | null;
  position: number;
  /** The end of its chain when it was last read. */
  head: number;
  wake: (() => void) | null;
}

type StreamContext = Pick<FeedContext, 'log' | 'config'> & {
  store: { feed: Pick<FeedStores['feed'], 'headPositions'> };
};

export class EventStreams {
  readonly heartbeatMs: number;
  readonly #store: StreamContext['store'];
  readonly #most: number;
  readonly #wakeUp = createWakeUp();
  readonly #ending = new AbortController();
  readonly #listeners = new Set<Listener>();
  readonly #rounds = createRoundRobin();
  readonly #loop: Loop;
  #lastLeft = (): void => undefined;

  constructor({ store, log, config }: StreamContext) {
    this.heartbeatMs = config.eventStreamHeartbeatMs;
    this.#store = store;
    this.#most = config.eventStreams;
    const run = (signal: AbortSignal): Promise<boolean> => this.#look(signal);
    this.#loop = createLoop({ name: 'event-streams', run, intervalMs: LOOK_MS, log });
  }

  /** Refused with `rate_limited` if there are too many streams, and with `unavailable` if the server is ending. */
  enter(scope: Scope): StreamHandle {
    this.#refuse(scope);
    this.#loop.start();
    const { workspaceNumber, subTenantId } = scope;
    const owner = `${workspaceNumber} ${subTenantId ?? ''}`;
    const listener: Listener = { workspaceNumber, subTenantId, position: 0, head: 0, wake: null };
    this.#listeners.add(listener);
    return {
      signal: this.#ending.signal,
      beyond: (position) => this.#waitBeyond(listener, position),
      turn: () => this.#rounds.turn(owner),
      leave: () => {
        this.#listeners.delete(listener);
        listener.wake?.();
        if (this.#listeners.size === 0) this.#lastLeft();
      },
    };
  }

  /** Call it when an event was appended to a chain. */
  notify(): void {
    if (this.#listeners.size > 0) this.#wakeUp.notify();
  }

  /** Ends every stream, and resolves when the last client has left. */
  async close(): Promise<void> {
    this.#ending.abort();
    for (const listener of this.#listeners) listener.wake?.();
    if (this.#listeners.size > 0) await new Promise<void>((resolve) => (this.#lastLeft = resolve));
    await this.#loop.stop();
  }

  #refuse({ workspaceNumber, subTenantId }: Scope): void {
    const most = this.#most;
    if (this.#ending.signal.aborted) {
      throw new Refusal('unavailable', 'The server is shutting down. Reconnect in a moment.');
    }
    if (this.#listeners.size >= most) {
      throw new Refusal(
        'rate_limited',
        `The server has reached its limit of ${most} event streams. Try again later.`,
      );
    }
    const mostOfWorkspace = Math.max(Math.floor(most * WORKSPACE_SHARE), 1);
    const ofWorkspace = [...this.#listeners].filter((one) => one.workspaceNumber === workspaceNumber);
    if (ofWorkspace.length >= mostOfWorkspace) {
      throw new Refusal(
        'rate_limited',
        `The workspace has reached its limit of ${mostOfWorkspace} event streams.`,
      );
    }
    if (subTenantId === null) return;
    const mostOfSubTenant = Math.max(Math.floor(mostOfWorkspace * SUB_TENANT_SHARE), 1);
    const ofSubTenant = ofWorkspace.filter((one) => one.subTenantId === subTenantId).length;
    if (ofSubTenant >= mostOfSubTenant) {
      throw new Refusal(
        'rate_limited',
        `The sub-tenant has reached its limit of ${mostOfSubTenant} event streams.`,
      );
    }
  }

  #waitBeyond(listener: Listener, position: number): Promise<void> {
    if (this.#ending.signal.aborted || listener.head > position) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(() => listener.wake?.(), LOOK_MS);
      listener.position = position;
      listener.wake = () => {
        clearTimeout(timer);
        listener.wake = null;
        resolve();
      };
    });
  }

  /** Wakes the streams whose chains have new events. */
  async #look(signal: AbortSignal): Promise<boolean> {
    await this.#wakeUp.wait(LOOK_MS, signal);
    const numbers = new Set([...this.#listeners].map((one) => one.workspaceNumber));
    const heads = await this.#store.feed.headPositions([...numbers]);
    for (const listener of this.#listeners) {
      listener.head = heads.get(listener.workspaceNumber) ?? 0;
      if (listener.head > listener.position) listener.wake?.();
    }
    await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
    return true;
  }
}
