// What goes to one delivery worker, collected for the rest of the turn: one message to the thread for many claims.
import type { SessionLimits } from './delivery-plan.rules.js';
import type { Handed } from './transport.js';
import type { DeliverBatch, ToWorker } from './worker-messages.js';

export interface Outbox {
  add(handed: Handed): void;
  /** Does nothing for a path that the worker has not seen: it will come with these limits. */
  change(pathId: number, limits: SessionLimits): void;
  /** What waits for the path, or was planned for it before, comes back. */
  recall(pathId: number): void;
  forget(pathId: number): void;
  /** Those that the worker knows. */
  paths(): number[];
}

export function createOutbox(post: (message: ToWorker) => void): Outbox {
  const known = new Set<number>();
  let batch: DeliverBatch | null = null;
  let places = new Map<object, number>();

  function flush(): void {
    if (batch) post(batch);
    batch = null;
    places = new Map();
  }

  return {
    add({ claim, planned }) {
      if (!batch) {
        batch = { kind: 'deliver', claims: [], routes: [], paths: [] };
        setImmediate(flush);
      }
      const { path, route } = planned;
      if (!known.has(path.id)) {
        known.add(path.id);
        batch.paths.push(path);
      }
      let place = places.get(route);
      if (place === undefined) {
        place = batch.routes.push(route) - 1;
        places.set(route, place);
      }
      const { messageId, status, rank } = claim;
      const requireTls = claim.tlsTerms === 'required';
      const isFirst = status === 'queued';
      batch.claims.push({ messageId, isFirst, rank, requireTls, pathId: path.id, route: place });
    },
    change(pathId, limits) {
      if (!known.has(pathId)) return;
      // In its order: a batch that waits was planned before.
      flush();
      post({ kind: 'limits', pathId, limits });
    },
    recall(pathId) {
      if (!known.has(pathId)) return;
      flush();
      post({ kind: 'recall', pathId });
    },
    forget(pathId) {
      if (!known.delete(pathId)) return;
      flush();
      post({ kind: 'forget', pathId });
    },
    paths: () => [...known],
  };
}
