// Attaches a payload to an asynchronous scope, to be written with the first commit in that scope. The work in
// between does not know about it.
import { AsyncLocalStorage } from 'node:async_hooks';

interface CommitHook<T> {
  payload: T;
  /** Marks the payload as stored; no later commit of the scope gets it. */
  committed(): void;
}

export interface CommitHooks<T> {
  /**
   * Runs `work` in a scope with the payload. Everything that it calls, now or later, is in the scope until it
   * calls `end`, which it must. Without a commit, the payload is never written.
   */
  attach(payload: T, work: (end: () => void) => void): void;
  /**
   * Returns the hook of the current scope, or `null`. Several callers may get it until one calls `committed`,
   * so the writer must ensure that it is written once.
   */
  pending(): CommitHook<T> | null;
  /** Returns the payload of the current scope, committed or not; `null` outside a scope. */
  current(): T | null;
}

interface Scope<T> {
  payload: T;
  /** The payload is committed, or the scope has ended. */
  isDone: boolean;
  hasEnded: boolean;
}

export function createCommitHooks<T>(): CommitHooks<T> {
  const scopes = new AsyncLocalStorage<Scope<T>>();
  let open = 0;

  return {
    attach(payload, work) {
      const scope: Scope<T> = { payload, isDone: false, hasEnded: false };
      const end = (): void => {
        if (scope.hasEnded) return;
        scope.hasEnded = true;
        scope.isDone = true;
        open -= 1;
        // On some versions of Node, tracking scopes slows down every promise a little.
        if (open === 0) scopes.disable();
      };
      open += 1;
      scopes.run(scope, () => work(end));
    },
    pending() {
      const scope = scopes.getStore();
      if (!scope || scope.isDone) return null;
      return { payload: scope.payload, committed: () => void (scope.isDone = true) };
    },
    current() {
      const scope = scopes.getStore();
      return scope && !scope.hasEnded ? scope.payload : null;
    },
  };
}
