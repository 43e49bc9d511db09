// Manages requests that wait for the next message of an inbox: their limits, wake-ups and end. One query per second serves all of
// them, and includes messages that another node has received.
import { Refusal } from '../../contract/refusal.js';
import type { Scope } from '../../database/scope.js';
import { createLoop, type Loop } from '../../lib/concurrency/index.js';
import type { Log } from '../../lib/runtime/index.js';
import type { InboxStore, MailAddress } from './inboxes.store.js';

const LOOK_MS = 1_000;
/** Number of requests that may wait at the same time. */
const MOST = { server: 200, workspace: 50, caller: 10 };

interface Waiter extends MailAddress {
  workspaceId: string;
  callerId: string;
  /** Row id of the newest message at the last check; `null` before the first check. */
  newest: number | null;
  /** Whether a message may have arrived since the last call of `next`. */
  hasNews: boolean;
  /** Whether the time is over, or the client has disconnected. */
  isOver: boolean;
  wake: () => void;
}

export interface InboxWait {
  /** Resolves to true when a message may have arrived since the last call, and to false when the wait is over. */
  next: () => Promise<boolean>;
  /** Ends the wait. */
  leave: () => void;
}

export class InboxWaits {
  readonly #store: { inboxes: Pick<InboxStore, 'newestAt'> };
  readonly #waiters = new Set<Waiter>();
  readonly #loop: Loop;
  #isEnding = false;

  constructor({ store, log }: { store: { inboxes: Pick<InboxStore, 'newestAt'> }; log: Log }) {
    this.#store = store;
    this.#loop = createLoop({ name: 'inbox-waits', run: () => this.#look(), intervalMs: LOOK_MS, log });
  }

  /** Refused with `rate_limited` if too many requests wait, and with `unavailable` if the server is shutting down. */
  enter(
    { workspaceId, environmentId }: Scope,
    { callerId, addressKey, ms }: { callerId: string; addressKey: string; ms: number },
  ): InboxWait {
    this.#refuse(workspaceId, callerId);
    this.#loop.start();
    const waiter: Waiter = {
      ...{ workspaceId, callerId, environmentId, addressKey },
      ...{ newest: null, hasNews: false, isOver: false, wake: () => undefined },
    };
    this.#waiters.add(waiter);
    const leave = (): void => {
      clearTimeout(timer);
      this.#waiters.delete(waiter);
      waiter.isOver = true;
      waiter.wake();
    };
    const timer = setTimeout(leave, ms);
    return {
      async next() {
        if (!waiter.hasNews && !waiter.isOver) await new Promise<void>((resolve) => (waiter.wake = resolve));
        waiter.hasNews = false;
        return !waiter.isOver;
      },
      leave,
    };
  }

  /** Ends all waits. Their requests return the messages that exist. */
  async close(): Promise<void> {
    this.#isEnding = true;
    for (const waiter of this.#waiters) {
      waiter.isOver = true;
      waiter.wake();
    }
    await this.#loop.stop();
  }

  #refuse(workspaceId: string, callerId: string): void {
    if (this.#isEnding) {
      throw new Refusal('unavailable', 'The server is shutting down. Retry in a moment.');
    }
    const ofWorkspace = [...this.#waiters].filter((one) => one.workspaceId === workspaceId);
    const ofCaller = ofWorkspace.filter((one) => one.callerId === callerId);
    const limit =
      this.#waiters.size >= MOST.server
        ? `The server has reached its limit of ${MOST.server} waiting requests.`
        : ofWorkspace.length >= MOST.workspace
          ? `The workspace has reached its limit of ${MOST.workspace} waiting requests.`
          : ofCaller.length >= MOST.caller
            ? `The API key or user has reached its limit of ${MOST.caller} waiting requests.`
            : null;
    if (limit !== null) throw new Refusal('rate_limited', limit);
  }

  async #look(): Promise<boolean> {
    const waiters = [...this.#waiters];
    const newest = await this.#store.inboxes.newestAt(waiters);
    for (const [at, waiter] of waiters.entries()) {
      const id = newest[at] ?? 0;
      if (waiter.newest === id) continue;
      waiter.newest = id;
      waiter.hasNews = true;
      waiter.wake();
    }
    return false;
  }
}
