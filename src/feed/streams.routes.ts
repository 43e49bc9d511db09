// The event streams that are open: how many, what wakes them, whose turn it is, and their end. One look at the heads of the
// chains serves all of them, so that a stream with nothing to tell costs next to nothing.
import { Refusal } from '../contract/refusal.js';
import { createWakeUp } from '../lib/runtime/wake-up.js';
import type { Config } from '../settings/settings.js';
import type { Log } from '../lib/runtime/log.js';
import { createLoop } from '../lib/runtime/loop.js';
import { createRoundRobin } from '../lib/runtime/round-robin.js';
import type { Scope } from '../database/scope.js';
import type { FeedStores } from './stores.js';

/** Events of other processes are seen so late, and that a key was revoked. */
const LOOK_MS = 1_000;
/** Events that come close together are sent together. */
const GATHER_MS = 50;
/** One workspace does not take the places of all others. */
const WORKSPACE_SHARE = 0.25;
/** Share of a workspace's places that the streams of one sub-tenant may take. */
const SUB_TENANT_SHARE = 0.25;

export interface EventStreamsDeps {
  store: { feed: Pick<FeedStores['feed'], 'headPositions'> };
  log: Log;
  settings: Pick<Config, 'eventStreams' | 'eventStreamHeartbeatMs'>;
}

/** An open stream as the others see it. */
export interface StreamPlace {
  /** Aborted when the streams are to end. */
  readonly signal: AbortSignal;
  /** Resolves when the chain goes on beyond a position, or it is time to look after the stream. */
  beyond(position: number): Promise<void>;
  /** Resolves when the stream may read or write its next piece: one stream does in each round of the event loop. */
  turn(): Promise<void>;
  /** The client is gone, or may not listen any more. */
  leave(): void;
}

export interface EventStreams {
  readonly heartbeatMs: number;
  /** Refused with `rate_limited` when there are too many, with `unavailable` when the server is ending. */
  enter(scope: Scope): StreamPlace;
  /** Something was appended to an event chain. */
  ring(): void;
  /** Ends every stream; resolves when the last has left. */
  close(): Promise<void>;
}

interface Listener {
  workspaceNumber: number;
  subTenantId: string | null;
  position: number;
  /** The end of its chain when it was last looked at. */
  head: number;
  wake: (() => void) | null;
}

export function createEventStreams({ store, log, settings }: EventStreamsDeps): EventStreams {
  const wakeUp = createWakeUp();
  const ending = new AbortController();
  const listeners = new Set<Listener>();
  const most = settings.eventStreams;
  const mostOfWorkspace = Math.max(Math.floor(most * WORKSPACE_SHARE), 1);
  const mostOfSubTenant = Math.max(Math.floor(mostOfWorkspace * SUB_TENANT_SHARE), 1);
  const rounds = createRoundRobin();
  let lastLeft = (): void => undefined;

  async function look(signal: AbortSignal): Promise<boolean> {
    await wakeUp.wait(LOOK_MS, signal);
    const numbers = new Set([...listeners].map((one) => one.workspaceNumber));
    const heads = await store.feed.headPositions([...numbers]);
    for (const listener of listeners) {
      listener.head = heads.get(listener.workspaceNumber) ?? 0;
      if (listener.head > listener.position) listener.wake?.();
    }
    await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
    return true;
  }
  const loop = createLoop({ name: 'event-streams', run: look, intervalMs: LOOK_MS, log });

  function refuse({ workspaceNumber, subTenantId }: Scope): void {
    if (ending.signal.aborted) {
      throw new Refusal('unavailable', 'The server is shutting down. Reconnect in a moment.');
    }
    if (listeners.size >= most) {
      throw new Refusal(
        'rate_limited',
        `The server has reached its limit of ${most} event streams. Try again later.`,
      );
    }
    const ofWorkspace = [...listeners].filter((one) => one.workspaceNumber === workspaceNumber);
    if (ofWorkspace.length >= mostOfWorkspace) {
      throw new Refusal(
        'rate_limited',
        `The workspace has reached its limit of ${mostOfWorkspace} event streams.`,
      );
    }
    if (subTenantId === null) return;
    const ofSubTenant = ofWorkspace.filter((one) => one.subTenantId === subTenantId).length;
    if (ofSubTenant >= mostOfSubTenant) {
      throw new Refusal(
        'rate_limited',
        `The sub-tenant has reached its limit of ${mostOfSubTenant} event streams.`,
      );
    }
  }

  return {
    heartbeatMs: settings.eventStreamHeartbeatMs,

    enter(scope) {
      refuse(scope);
      loop.start();
      const { workspaceNumber, subTenantId } = scope;
      const owner = `${workspaceNumber} ${subTenantId ?? ''}`;
      const listener: Listener = { workspaceNumber, subTenantId, position: 0, head: 0, wake: null };
      listeners.add(listener);
      return {
        signal: ending.signal,
        beyond(position) {
          if (ending.signal.aborted || listener.head > position) return Promise.resolve();
          return new Promise((resolve) => {
            const timer = setTimeout(() => listener.wake?.(), LOOK_MS);
            listener.position = position;
            listener.wake = () => {
              clearTimeout(timer);
              listener.wake = null;
              resolve();
            };
          });
        },
        turn: () => rounds.turn(owner),
        leave() {
          listeners.delete(listener);
          listener.wake?.();
          if (listeners.size === 0) lastLeft();
        },
      };
    },

    ring: () => {
      if (listeners.size > 0) wakeUp.notify();
    },

    async close() {
      ending.abort();
      for (const listener of listeners) listener.wake?.();
      if (listeners.size > 0) await new Promise<void>((resolve) => (lastLeft = resolve));
      await loop.stop();
    },
  };
}
