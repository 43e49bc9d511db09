// Payloads that are written together with the first commit of a piece of work, without that work knowing of them: attached to
// an asynchronous scope, and found there by the commits that are called in it.
import { AsyncLocalStorage } from 'node:async_hooks';

export interface CommitHook<T> {
  payload: T;
  /** The payload is on disk: no later commit of the scope gets it. */
  committed(): void;
}

export interface CommitHooks<T> {
  /**
   * Runs `work`; what it calls, at once or later, is in the scope until `end` is called, which must be. The payload of a
   * scope without a commit is never written.
   */
  attach(payload: T, work: (end: () => void) => void): void;
  /**
   * The hook of the current scope, or null. Every caller gets it until one calls `committed`: whoever writes the payload
   * must do so once, however often it is found.
   */
  pending(): CommitHook<T> | null;
  /** The payload of the current scope, committed or not; null outside of one. */
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
        // Following scopes costs every promise of the program a little on some versions of Node.
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
