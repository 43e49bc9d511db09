// Values that the program gives a node.
import type { ServerSession } from '../database/engine/postgres-session.js';
import type { Log } from '../lib/runtime/index.js';
import type { NewNode, NodeStore } from './nodes.store.js';

export interface NodeContext {
  store: NodeStore;
  session: Pick<
    ServerSession,
    'isGone' | 'endWork' | 'send' | 'isFenced' | 'isAway' | 'openSince' | 'clockOffsetMs'
  >;
  node: NewNode;
  /** Commits of this node that are known to be durable. */
  commits: { readonly last: number; timeOf(count: number): number | null };
  log: Log;
}
