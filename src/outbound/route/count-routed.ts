// Counts the waiting mail that a route of the operator is for, within a time.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../lib/runtime/clock.js';
import type { OutboundStores } from '../stores.js';
import { waitingPages } from '../schedule/queue.store.js';
import type { EgressControl } from './egress-control.js';
import type { EgressRoute } from './egress.rules.js';

const BUDGET_MS = 5_000;

export interface CountRoutedDeps {
  store: Pick<OutboundStores, 'queue' | 'purge'>;
  control: Pick<EgressControl, 'mayFit'>;
  clock: Clock;
}

export interface Routed {
  matched: number;
  /** The most first. */
  destinations: { domain: string; messages: number }[];
  /** False when time was up. */
  isComplete: boolean;
}

/** Looks at live mail of every workspace: a route is for all of it. */
export async function countRouted(
  { store, control, clock }: CountRoutedDeps,
  route: EgressRoute,
): Promise<Routed> {
  const { types, tags } = route;
  const filter = { ...(types === null ? {} : { types }), ...(tags === null ? {} : { tags }) };
  const byDomain = new Map<string, number>();
  const end = clock() + BUDGET_MS;
  let isComplete = true;
  count: for await (const page of waitingPages(store.queue, nextTurn)) {
    for (const queue of page) {
      if (queue.mode !== 'live' || !control.mayFit(route, queue)) continue;
      for await (const found of store.purge.matching(queue.queueId, filter)) {
        byDomain.set(queue.domain, (byDomain.get(queue.domain) ?? 0) + found.length);
        await nextTurn();
        if (clock() >= end) isComplete = false;
        if (!isComplete) break count;
      }
    }
  }
  const destinations = [...byDomain].flatMap(([domain, messages]) =>
    messages === 0 ? [] : [{ domain, messages }],
  );
  return {
    matched: destinations.reduce((sum, { messages }) => sum + messages, 0),
    destinations: destinations.sort((a, b) => b.messages - a.messages || (a.domain < b.domain ? -1 : 1)),
    isComplete,
  };
}
